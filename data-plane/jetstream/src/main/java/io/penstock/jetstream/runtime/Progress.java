package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import java.util.LinkedHashSet;

/**
 * What consumers of a group have done that its log does not have yet: deliveries, and acknowledgements nobody waits to see
 * answered. It is gathered for a moment, so that one record carries much of it. Owned by the loop.
 */
final class Progress {
    /** How long progress nobody waits for may stay out of the log. */
    private static final long LAZY_NANOS = 10_000_000L;

    private final GroupLoop loop;

    /** Ends the loop's turn soon. */
    private final Runnable soon;

    private final LinkedHashSet<ConsumerRuntime> unlogged = new LinkedHashSet<>();
    private boolean urgent;
    private GroupLoop.Timer timer;

    Progress(GroupLoop loop, Runnable soon) {
        this.loop = loop;
        this.soon = soon;
    }

    /** A consumer has progress that is not in the log; {@code waitedFor} when somebody waits for it to be. */
    void of(ConsumerRuntime consumer, boolean waitedFor) {
        unlogged.add(consumer);
        urgent |= waitedFor;
        if (waitedFor) {
            soon.run();
        } else if (timer == null) {
            timer = loop.schedule(LAZY_NANOS, () -> {
                timer = null;
                urgent = true;
                soon.run();
            });
        }
    }

    /** Whether it is time to put it into the log. */
    boolean isDue() {
        return urgent;
    }

    boolean isEmpty() {
        return unlogged.isEmpty();
    }

    /** Puts it into the log, as far as the log takes entries. */
    void log(boolean writable) {
        urgent = false;
        if (unlogged.isEmpty() || !writable) {
            return;
        }
        ConsumerRuntime[] now = unlogged.toArray(ConsumerRuntime[]::new);
        unlogged.clear();
        for (ConsumerRuntime consumer : now) {
            consumer.logProgress();
        }
    }

    void forget(ConsumerRuntime consumer) {
        unlogged.remove(consumer);
    }

    void clear() {
        unlogged.clear();
    }
}
