package io.penstock.storage.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bounds, vote and places of one group's entries. Locations are segment number in the upper, offset in the lower 32
 * bits; 0 is none, since offset 0 of a segment is its OPEN frame. Guarded by itself.
 */
final class GroupState {
    static final long NONE = 0;

    private final int group;
    private long[] ring = new long[64];
    private long first = 1;
    private long last;
    private long lastTerm;
    private long voteTerm;
    private String votedFor = "";

    GroupState(int group) {
        this.group = group;
    }

    int group() {
        return group;
    }

    synchronized long first() {
        return first;
    }

    synchronized long last() {
        return last;
    }

    synchronized long lastTerm() {
        return lastTerm;
    }

    synchronized long voteTerm() {
        return voteTerm;
    }

    synchronized String votedFor() {
        return votedFor;
    }

    synchronized void vote(long term, String candidate) {
        voteTerm = term;
        votedFor = candidate;
    }

    synchronized long location(long index) {
        return index < first || index > last ? NONE : ring[slot(index)];
    }

    /** Takes an entry; at or below the last index it cuts what is behind. Answers false when it would leave a gap. */
    synchronized boolean entry(long index, long term, long location) {
        if (index > last + 1 || index < first) {
            return false;
        }
        if (index - first >= ring.length) {
            grow();
        }
        last = index;
        lastTerm = Math.max(lastTerm, term);
        ring[slot(index)] = location;
        return true;
    }

    synchronized void cutSuffix(long lastKept) {
        if (lastKept < last) {
            last = Math.max(lastKept, first - 1);
        }
    }

    synchronized void cutPrefix(long firstKept) {
        if (firstKept > first) {
            first = firstKept;
            last = Math.max(last, first - 1);
        }
    }

    synchronized void reset(long next) {
        first = next;
        last = next - 1;
    }

    /** Segment of the first entry kept, {@link Long#MAX_VALUE} when there is none. */
    synchronized long firstSegment() {
        return last < first ? Long.MAX_VALUE : ring[slot(first)] >>> 32;
    }

    /** Index of the first entry in [first, last] whose place is unknown, 0 when all are known. */
    synchronized long firstMissing() {
        for (long index = first; index <= last; index++) {
            if (ring[slot(index)] == NONE) {
                return index;
            }
        }
        return 0;
    }

    /** The STATE frame that lets older segments go. */
    synchronized Append toFrame() {
        byte[] vote = votedFor.getBytes(StandardCharsets.UTF_8);
        ByteBuffer payload = ByteBuffer.allocate(16 + vote.length).order(ByteOrder.LITTLE_ENDIAN);
        payload.putLong(last).putLong(voteTerm).put(vote);
        return Append.control(Frame.Kind.STATE, group, lastTerm, first, payload.array(), null);
    }

    /** Takes over a STATE frame; in the oldest segment the entries it speaks of are unknown until a PREFIX passes them. */
    synchronized void fromFrame(long frameFirst, long frameLastTerm, byte[] payload) {
        ByteBuffer buffer = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        long frameLast = buffer.getLong();
        vote(buffer.getLong(), new String(payload, 16, payload.length - 16, StandardCharsets.UTF_8));
        if (first == frameFirst && last == frameLast) {
            return;
        }
        if (frameFirst > first || last < first) {
            long keptLast = last;
            first = Math.max(first, frameFirst);
            last = Math.max(first - 1, keptLast);
        }
        while (frameLast - first >= ring.length) {
            grow();
        }
        for (long index = last + 1; index <= frameLast; index++) {
            ring[slot(index)] = NONE;
        }
        last = Math.max(last, frameLast);
        lastTerm = frameLastTerm;
    }

    private int slot(long index) {
        return (int) (index & (ring.length - 1));
    }

    private void grow() {
        long[] old = ring;
        ring = Arrays.copyOf(old, old.length * 2);
        Arrays.fill(ring, NONE);
        for (long index = first; index <= last; index++) {
            ring[slot(index)] = old[(int) (index & (old.length - 1))];
        }
    }
}
