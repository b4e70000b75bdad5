package io.penstock.jetstream.state;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * Messages delivered and not yet acknowledged, by stream sequence and in the order of first delivery, which is the
 * order of sequences.
 */
public final class PendingSet {
    /** One message. */
    public static final class Entry {
        private final long streamSequence;
        private final long consumerSequence;
        private final long previousStreamSequence;
        private int deliveries = 1;
        private long deadline;
        private boolean queued;
        private Entry before;
        private Entry after;

        private Entry(long streamSequence, long consumerSequence, long previousStreamSequence, long deadline) {
            this.streamSequence = streamSequence;
            this.consumerSequence = consumerSequence;
            this.previousStreamSequence = previousStreamSequence;
            this.deadline = deadline;
        }

        public long streamSequence() {
            return streamSequence;
        }

        /** The consumer sequence of the first delivery. */
        public long consumerSequence() {
            return consumerSequence;
        }

        /** The stream sequence delivered before this one: the ack floor while this entry is the oldest. */
        public long previousStreamSequence() {
            return previousStreamSequence;
        }

        /** How often it was delivered. */
        public int deliveries() {
            return deliveries;
        }

        void deliveries(int count) {
            deliveries = count;
        }

        /** When it is due again, nanoseconds: by the time of the log, in a leader's copy by its steady clock. */
        public long deadline() {
            return deadline;
        }

        /** Whether it waits in the queue of redeliveries; a matter of the leader. */
        public boolean queued() {
            return queued;
        }

        public void queued(boolean value) {
            queued = value;
        }

        public void deadline(long nanos) {
            deadline = nanos;
        }

        void delivered(long nextDeadline) {
            deliveries++;
            deadline = nextDeadline;
        }

        /** The entry first delivered after this one, or null. */
        public Entry next() {
            return after;
        }
    }

    private final Long2ObjectHashMap<Entry> bySequence = new Long2ObjectHashMap<>();
    private Entry first;
    private Entry last;

    public Entry get(long streamSequence) {
        return bySequence.get(streamSequence);
    }

    public int size() {
        return bySequence.size();
    }

    public boolean isEmpty() {
        return first == null;
    }

    /** The oldest entry, or null. */
    public Entry first() {
        return first;
    }

    Entry add(long streamSequence, long consumerSequence, long previousStreamSequence, long deadline) {
        Entry entry = new Entry(streamSequence, consumerSequence, previousStreamSequence, deadline);
        bySequence.put(streamSequence, entry);
        entry.before = last;
        if (last == null) {
            first = entry;
        } else {
            last.after = entry;
        }
        last = entry;
        return entry;
    }

    Entry remove(long streamSequence) {
        Entry entry = bySequence.remove(streamSequence);
        if (entry != null) {
            if (entry.before == null) {
                first = entry.after;
            } else {
                entry.before.after = entry.after;
            }
            if (entry.after == null) {
                last = entry.before;
            } else {
                entry.after.before = entry.before;
            }
        }
        return entry;
    }

    /** Moves all deadlines to another clock. */
    public void shiftDeadlines(long nanos) {
        for (Entry e = first; e != null; e = e.after) {
            e.deadline += nanos;
        }
    }

    void clear() {
        bySequence.clear();
        first = null;
        last = null;
    }

    void encode(ByteWriter out) {
        out.varint(size());
        for (Entry e = first; e != null; e = e.after) {
            out.varint(e.streamSequence)
                    .varint(e.consumerSequence)
                    .varint(e.previousStreamSequence)
                    .varint(e.deliveries)
                    .varint(e.deadline);
        }
    }

    void decode(ByteReader in) {
        long count = in.varint();
        for (long i = 0; i < count; i++) {
            Entry entry = add(in.varint(), in.varint(), in.varint(), 0);
            entry.deliveries = (int) in.varint();
            entry.deadline = in.varint();
        }
    }
}
