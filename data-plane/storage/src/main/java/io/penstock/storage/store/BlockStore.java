package io.penstock.storage.store;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;

/**
 * What file and memory stores have in common: blocks of records in order, the subjects, the sums. Owned by the loop.
 */
abstract class BlockStore implements StreamStore {
    final List<Block> blocks = new ArrayList<>();
    final SubjectIndex subjects;
    final SequenceSearch search = new SequenceSearch(this);
    long messages;
    long bytes;
    long first = 1;
    long last;
    long lastTimestamp;

    /** Time of the message at firstTimestampOf, to spare reading it again. */
    private long firstTimestamp;

    private long firstTimestampOf;
    private boolean changed;

    BlockStore(int listedMessages) {
        this.subjects = new SubjectIndex(listedMessages);
    }

    /** The block that takes the next record of this size, a new one at the end of {@link #blocks} if need be. */
    abstract Block blockFor(long sequence, int subjectLength, int bodyLength);

    /** Keeps the record's content in the block, before it is noted there. */
    abstract void keep(
            Block block,
            long sequence,
            long timestampNanos,
            Subject subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength);

    /** Whether records may still be added, so that an empty block is kept. */
    abstract boolean takesMore(Block block);

    /** A block without live records has left {@link #blocks}. */
    abstract void dropped(Block block);

    @Override
    public void append(
            long sequence,
            long timestampNanos,
            String subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength) {
        if (sequence <= last) {
            throw new IllegalArgumentException("sequence " + sequence + " is not above the last, " + last);
        }
        Block block = blockFor(sequence, subject.length(), headersLength + payloadLength);
        Subject entry = subjects.getOrAdd(subject);
        try {
            keep(
                    block,
                    sequence,
                    timestampNanos,
                    entry,
                    source,
                    headersOffset,
                    headersLength,
                    payloadOffset,
                    payloadLength);
        } catch (RuntimeException e) {
            if (entry.messages == 0) {
                subjects.remove(entry);
            }
            throw e;
        }
        long size = sizeOf(subject.length(), headersLength, payloadLength);
        block.add(sequence, timestampNanos, entry, size);
        entry.add(sequence);
        if (messages == 0) {
            first = sequence;
        }
        messages++;
        bytes += size;
        last = sequence;
        lastTimestamp = timestampNanos;
        changed = true;
    }

    @Override
    public void skip(long sequence, long timestampNanos) {
        if (sequence <= last) {
            throw new IllegalArgumentException("sequence " + sequence + " is not above the last, " + last);
        }
        last = sequence;
        lastTimestamp = Math.max(lastTimestamp, timestampNanos);
        if (messages == 0) {
            first = last + 1;
        }
        changed = true;
    }

    @Override
    public StreamState state() {
        long missing = messages == 0 ? 0 : last - first + 1 - messages;
        return new StreamState(messages, bytes, first, firstTimestamp(), last, lastTimestamp, subjects.size(), missing);
    }

    private long firstTimestamp() {
        if (messages == 0) {
            return 0;
        }
        if (firstTimestampOf != first) {
            Block block = blocks.get(search.blockAt(first));
            int ordinal = block.liveOrdinal(first);
            firstTimestamp = ordinal == 0 ? block.firstTimestamp : block.timestampAt(ordinal);
            firstTimestampOf = first;
        }
        return firstTimestamp;
    }

    @Override
    public StoredMessage load(long sequence) {
        if (sequence < first || sequence > last || messages == 0) {
            return null;
        }
        int at = search.blockAt(sequence);
        if (at < 0) {
            return null;
        }
        Block block = blocks.get(at);
        int ordinal = block.liveOrdinal(sequence);
        return ordinal < 0 ? null : block.messageAt(ordinal);
    }

    @Override
    public StoredMessage next(SubjectFilter filter, long fromSequence) {
        long sequence = search.next(filter, fromSequence);
        return sequence == 0 ? null : load(sequence);
    }

    @Override
    public long nextSequence(SubjectFilter filter, long fromSequence) {
        return search.next(filter, fromSequence);
    }

    @Override
    public long lastSequence(SubjectFilter filter, long upToSequence) {
        return search.last(filter, upToSequence);
    }

    @Override
    public SubjectState subject(String name) {
        Subject subject = subjects.get(name);
        return subject == null ? null : stateOf(subject);
    }

    private SubjectState stateOf(Subject subject) {
        search.resolveFirst(subject);
        return new SubjectState(subject.messages, subject.first, subject.last);
    }

    @Override
    public void subjects(SubjectFilter filter, BiPredicate<String, SubjectState> visitor) {
        subjects.visit(filter, subject -> visitor.test(subject.name, stateOf(subject)));
    }

    @Override
    public void lastPerSubject(SubjectFilter filter, long upToSequence, LongPredicate visitor) {
        for (long sequence : search.lastPerSubject(filter, upToSequence)) {
            if (!visitor.test(sequence)) {
                return;
            }
        }
    }

    @Override
    public long pending(SubjectFilter filter, long fromSequence, boolean lastPerSubject) {
        return search.pending(filter, fromSequence, lastPerSubject);
    }

    @Override
    public long sequenceAt(long timestampNanos) {
        return search.atTime(timestampNanos);
    }

    @Override
    public void deleted(LongPredicate visitor) {
        search.deleted(visitor);
    }

    @Override
    public boolean remove(long sequence, boolean erase) {
        if (messages == 0 || sequence < first || sequence > last) {
            return false;
        }
        int at = search.blockAt(sequence);
        if (at < 0) {
            return false;
        }
        Block block = blocks.get(at);
        int ordinal = block.liveOrdinal(sequence);
        if (ordinal < 0) {
            return false;
        }
        if (erase) {
            block.erase(ordinal);
        }
        long size = block.sizeAt(ordinal);
        Subject subject = block.subjects[ordinal];
        block.markDeleted(ordinal, size);
        messages--;
        bytes -= size;
        changed = true;
        if (subject != null) {
            takeFromSubject(subject, sequence);
        }
        if (sequence == first) {
            first = messages == 0 ? last + 1 : search.nextLive(sequence + 1);
        }
        if (block.live == 0 && !takesMore(block)) {
            blocks.remove(at);
            dropped(block);
        }
        return true;
    }

    private void takeFromSubject(Subject subject, long sequence) {
        boolean lastUnknown = subject.remove(sequence);
        if (subject.messages == 0) {
            subjects.remove(subject);
        } else if (lastUnknown) {
            subject.last = search.lastOf(subject, sequence - 1);
            if (subject.messages == 1) {
                subject.first = subject.last;
                subject.firstStale = false;
            }
        }
    }

    @Override
    public long purge(SubjectFilter filter, long belowSequence, long keep) {
        if (messages == 0) {
            return 0;
        }
        long upTo = belowSequence == 0 ? last : Math.min(last, belowSequence - 1);
        if (filter.isAll() && keep == 0 && upTo == last) {
            return removeAll();
        }
        long most = keep == 0 ? Long.MAX_VALUE : search.pending(filter, 0, false) - keep;
        if (most <= 0) {
            return 0;
        }
        long removed = 0;
        for (long sequence : search.matching(filter, upTo, most)) {
            remove(sequence, false);
            removed++;
        }
        return removed;
    }

    private long removeAll() {
        long removed = messages;
        List<Block> all = List.copyOf(blocks);
        blocks.clear();
        all.forEach(this::dropped);
        subjects.clear();
        messages = 0;
        bytes = 0;
        first = last + 1;
        changed = true;
        return removed;
    }

    @Override
    public boolean dirty() {
        return changed;
    }

    final void touch() {
        changed = true;
    }

    final void clean() {
        changed = false;
    }
}
