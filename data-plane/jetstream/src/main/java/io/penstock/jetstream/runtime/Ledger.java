package io.penstock.jetstream.runtime;

import io.penstock.protocol.jetstream.StorageType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes in use by the streams of an account, kept up to date by what changed: asking costs the streams that changed
 * since the last time, not all of them. Owned by the loop.
 */
final class Ledger {
    private static final int MOST_REPLICAS = 5;

    /** Where the sums of all accounts are kept; null for that ledger itself. */
    private final Ledger whole;

    private final AtomicLong waitingMemory = new AtomicLong();
    private final AtomicLong waitingStorage = new AtomicLong();
    private List<StreamRuntime> changed = new ArrayList<>();

    /** By number of replicas. */
    private final long[] memory = new long[MOST_REPLICAS + 1];

    private final long[] storage = new long[MOST_REPLICAS + 1];

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
            stream.settle(this);
        }
    }

    /** Adds to the sums, here and in the whole. */
    void add(StorageType type, int replicas, long bytes) {
        of(type)[Math.min(replicas, MOST_REPLICAS)] += bytes;
        if (whole != null) {
            whole.add(type, replicas, bytes);
        }
    }

    private long[] of(StorageType type) {
        return type == StorageType.MEMORY ? memory : storage;
    }

    /** Bytes on their way into streams of this kind. Any thread. */
    AtomicLong waiting(StorageType type) {
        return type == StorageType.MEMORY ? waitingMemory : waitingStorage;
    }

    /** Bytes of all streams of this kind, each counted once. */
    long once(StorageType type) {
        return Arrays.stream(of(type)).sum();
    }

    /** Bytes that count for a tier: of its streams, each once; with tier 0 of all streams, each replica. */
    long used(StorageType type, int tier) {
        long[] bytes = of(type);
        if (tier > 0) {
            return bytes[Math.min(tier, MOST_REPLICAS)];
        }
        long sum = 0;
        for (int replicas = 0; replicas < bytes.length; replicas++) {
            sum += replicas * bytes[replicas];
        }
        return sum;
    }
}
