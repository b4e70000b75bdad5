package io.penstock.jetstream.runtime;

import java.util.concurrent.atomic.AtomicLong;

/** What waits to be stored in one stream, with its bound. Any thread. */
final class Ingest {
    static final long MAX_MESSAGES = 100_000;
    static final long MAX_BYTES = 128L << 20;

    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** Takes a message into account; false when there is no room for it. */
    boolean admit(int size) {
        if (messages.get() >= MAX_MESSAGES || bytes.get() >= MAX_BYTES) {
            return false;
        }
        messages.incrementAndGet();
        bytes.addAndGet(size);
        return true;
    }

    void done(int size) {
        messages.decrementAndGet();
        bytes.addAndGet(-size);
    }

    long waitingBytes() {
        return bytes.get();
    }
}
