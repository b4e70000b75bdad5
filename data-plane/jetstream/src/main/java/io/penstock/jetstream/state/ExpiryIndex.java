package io.penstock.jetstream.state;

import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.agrona.collections.LongHashSet;

/** Messages that carry a lifetime of their own, by the time they end; and those that never end. */
final class ExpiryIndex {
    private record Due(long at, long sequence) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private final LongHashSet endless = new LongHashSet();

    void add(long sequence, long at) {
        due.add(new Due(at, sequence));
    }

    void addEndless(long sequence) {
        endless.add(sequence);
    }

    boolean isEndless(long sequence) {
        return !endless.isEmpty() && endless.contains(sequence);
    }

    void removed(long sequence) {
        if (!endless.isEmpty()) {
            endless.remove(sequence);
        }
    }

    /** The earliest end, {@link Long#MAX_VALUE} when there is none. */
    long next() {
        Due first = due.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    /** Takes out a sequence whose end has come, 0 when none has. */
    long poll(long now) {
        Due first = due.peek();
        if (first == null || first.at > now) {
            return 0;
        }
        due.remove();
        return first.sequence;
    }

    void encode(ByteWriter out) {
        Map<Long, Long> sorted = new TreeMap<>();
        due.forEach(d -> sorted.put(d.sequence, d.at));
        out.varint(sorted.size());
        sorted.forEach((sequence, at) -> out.varint(sequence).varint(at));
        long[] all = endless.stream().mapToLong(Long::longValue).sorted().toArray();
        out.varint(all.length);
        for (long sequence : all) {
            out.varint(sequence);
        }
    }

    void decode(ByteReader in) {
        long count = in.varint();
        for (long i = 0; i < count; i++) {
            long sequence = in.varint();
            add(sequence, in.varint());
        }
        long all = in.varint();
        for (long i = 0; i < all; i++) {
            endless.add(in.varint());
        }
    }
}
