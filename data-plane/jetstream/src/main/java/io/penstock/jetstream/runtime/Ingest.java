package io.penstock.jetstream.runtime;

import java.util.concurrent.atomic.AtomicLong;

/** What waits to be stored in one stream, with its bound. Any thread. */
final class Ingest {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final long maxMessages;
    private final long maxBytes;

    /** What waits in all streams of the account that share the kind of storage. */
    private final AtomicLong accountBytes;

    Ingest(long maxMessages, long maxBytes, AtomicLong accountBytes) {
        this.accountBytes = accountBytes;
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
    }

    /** Takes a message into account; false when there is no room for it. */
    boolean admit(int size) {
        if (messages.get() >= maxMessages || bytes.get() >= maxBytes) {
            return false;
        }
        messages.incrementAndGet();
        bytes.addAndGet(size);
        accountBytes.addAndGet(size);
        return true;
    }

    long messages() {
        return messages.get();
    }

    void done(int size) {
        done(1, size);
    }

    void done(int count, long size) {
        messages.addAndGet(-count);
        bytes.addAndGet(-size);
        accountBytes.addAndGet(-size);
    }
}
