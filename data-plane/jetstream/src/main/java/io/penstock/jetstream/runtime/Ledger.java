package io.penstock.jetstream.runtime;

import io.penstock.protocol.jetstream.StorageType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes in use by the streams of an account, kept up to date by what changed: asking costs the streams that changed
 * since the last time, not all of them. Owned by the loop.
 */
final class Ledger {
    /** Where the sums of all accounts are kept; null for that ledger itself. */
    private final Ledger whole;

    private final AtomicLong waitingMemory = new AtomicLong();
    private final AtomicLong waitingStorage = new AtomicLong();
    private List<StreamRuntime> changed = new ArrayList<>();
    private long memory;
    private long storage;

    Ledger(Ledger whole) {
        this.whole = whole;
    }

    /** Notes that a stream changed; it calls this once until it is settled. */
    void changed(StreamRuntime stream) {
        changed.add(stream);
    }

    /** Takes the changes into account. */
    void settle() {
        if (changed.isEmpty()) {
            return;
        }
        List<StreamRuntime> streams = changed;
        changed = new ArrayList<>();
        for (StreamRuntime stream : streams) {
            add(stream.machine().config().storage(), stream.settle());
        }
    }

    /** Adds to the sums, here and in the whole. */
    void add(StorageType type, long bytes) {
        if (type == StorageType.MEMORY) {
            memory += bytes;
        } else {
            storage += bytes;
        }
        if (whole != null) {
            whole.add(type, bytes);
        }
    }

    /** Bytes on their way into streams of this kind. Any thread. */
    AtomicLong waiting(StorageType type) {
        return type == StorageType.MEMORY ? waitingMemory : waitingStorage;
    }

    long memory() {
        return memory;
    }

    long storage() {
        return storage;
    }
}
