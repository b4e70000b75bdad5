package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ConsumerState;
import io.penstock.storage.StreamStore;

/**
 * How many messages match a consumer and are not delivered yet. Counted when somebody asks, and kept up to date until
 * something happens after which it is cheaper to count again. Owned by the loop.
 */
final class PendingCount {
    private static final long UNKNOWN = -1;

    private final StreamStore store;
    private long count = UNKNOWN;

    PendingCount(StreamStore store) {
        this.store = store;
    }

    boolean known() {
        return count >= 0;
    }

    /** It has to be counted again. */
    void forget() {
        count = UNKNOWN;
    }

    /** A message that matches was stored. */
    void stored(ConsumerState consumer, long sequence) {
        if (known() && sequence >= consumer.nextSequence()) {
            count++;
        }
    }

    /** A message that was not delivered is gone; {@code subject} is null when nobody knows it. */
    void removed(ConsumerState consumer, String subject) {
        boolean matches = consumer.filter().isAll()
                || (subject != null && consumer.filter().matches(subject));
        if (known() && matches) {
            // Among the initial sequences a message may be one that is skipped.
            count = consumer.inInitial() ? UNKNOWN : count - 1;
        }
    }

    /** A message that matches was delivered for the first time. */
    void delivered() {
        if (count > 0) {
            count--;
        }
    }

    long of(ConsumerState consumer) {
        if (!known()) {
            long later = store.pending(consumer.filter(), consumer.nextSequence(), false);
            count = consumer.inInitial() ? consumer.initialLeft() + later : later;
        }
        return count;
    }
}
