package io.penstock.storage.journal;

import io.penstock.storage.journal.Frame.Kind;

/** A frame on its way to the journal. */
final class Append {
    static final byte[] EMPTY = {};

    final Kind kind;
    final int group;
    final byte type;
    final long term;
    final long index;
    final long timestampNanos;
    final byte[] payload;
    final int offset;
    final int length;

    /** Whether the waiters are told only when it is on disk. */
    final boolean durable;

    /** Null when nobody waits for this very frame. */
    final JournalCallback callback;

    /** Where it was written; owned by the writer. */
    long location;

    Append(
            Kind kind,
            int group,
            byte type,
            long term,
            long index,
            long timestampNanos,
            byte[] payload,
            int offset,
            int length,
            boolean durable,
            JournalCallback callback) {
        this.kind = kind;
        this.group = group;
        this.type = type;
        this.term = term;
        this.index = index;
        this.timestampNanos = timestampNanos;
        this.payload = payload;
        this.offset = offset;
        this.length = length;
        this.durable = durable;
        this.callback = callback;
    }

    static Append control(Kind kind, int group, long term, long index, byte[] payload, JournalCallback callback) {
        return new Append(kind, group, (byte) 0, term, index, 0, payload, 0, payload.length, true, callback);
    }

    int size() {
        return Frame.HEADER + length;
    }
}
