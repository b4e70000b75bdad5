package io.penstock.jetstream.runtime;

import io.penstock.protocol.jetstream.ReplayPolicy;
import io.penstock.storage.StoredMessage;

/**
 * With replay policy original, messages that were there when the consumer began keep the distances in time at which they
 * were stored. Owned by the loop.
 */
final class ReplayPace {
    /** Distances shorter than this are not worth a timer. */
    private static final long SHORTEST = 1_000_000L;

    private long lastOld;
    private long previousStored;
    private long free;

    /** Begins: messages up to this sequence are old. */
    void begin(ReplayPolicy policy, long lastSequence) {
        lastOld = policy == ReplayPolicy.ORIGINAL ? lastSequence : 0;
    }

    /** Whether a message already waits for its time. */
    boolean waits(long now) {
        return free > now;
    }

    /** How long this message has to wait, nanoseconds; 0 when it may go. */
    long delay(StoredMessage message, long now) {
        if (message.sequence() > lastOld || previousStored == 0) {
            return 0;
        }
        long distance = message.timestampNanos() - previousStored;
        if (free == 0 && distance > SHORTEST) {
            free = now + distance;
        }
        return Math.max(0, free - now);
    }

    /** This message went out. */
    void sent(StoredMessage message) {
        previousStored = message.timestampNanos();
        free = 0;
    }
}
