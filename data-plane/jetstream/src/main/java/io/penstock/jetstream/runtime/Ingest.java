package io.penstock.jetstream.runtime;

import java.util.concurrent.atomic.AtomicLong;

/** What waits to be stored in one stream, with its bound. Any thread. */
final class Ingest {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final long maxMessages;
    private final long maxBytes;

    Ingest(long maxMessages, long maxBytes) {
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
