package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.state.PendingSet;
import java.util.ArrayList;
import java.util.List;

/**
 * What time brings to a consumer: deliveries that were not acknowledged in time, the end of a pause, the end of a consumer
 * nobody uses. Owned by the loop.
 */
final class ConsumerTimers {
    /** Deadlines closer than this are seen to together. */
    private static final long GRAIN = 1_000_000L;

    /** How soon to look again while it is not sure that this node leads. */
    private static final long UNSURE_PAUSE = 20_000_000L;

    private final ConsumerRuntime consumer;
    private final GroupLoop loop;
    private boolean running;
    private GroupLoop.Timer deadline;
    private long deadlineAt = Long.MAX_VALUE;
    private GroupLoop.Timer inactivity;
    private GroupLoop.Timer pause;

    ConsumerTimers(ConsumerRuntime consumer, GroupLoop loop) {
        this.consumer = consumer;
        this.loop = loop;
    }

    /** Sets every timer from the consumer's state and configuration. */
    void start() {
        running = true;
        rescan();
        watchPause();
        watchActivity();
    }

    void stop() {
        running = false;
        cancel(deadline);
        cancel(inactivity);
        cancel(pause);
        deadline = null;
        deadlineAt = Long.MAX_VALUE;
    }

    private static void cancel(GroupLoop.Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** A delivery is to be acknowledged by this time. */
    void watch(long at) {
        if (at >= deadlineAt || !running) {
            return;
        }
        cancel(deadline);
        deadlineAt = at;
        deadline = loop.schedule(Math.max(GRAIN, at - loop.steady()), this::onDeadline);
    }

    /** Looks for the next deadline among all pending deliveries. */
    void rescan() {
        long next = Long.MAX_VALUE;
        for (PendingSet.Entry e = consumer.live().pending().first(); e != null; e = e.next()) {
            if (!e.queued() || consumer.exhausted(e)) {
                next = Math.min(next, e.deadline());
            }
        }
        if (next != Long.MAX_VALUE) {
            watch(next);
        }
    }

    private void onDeadline() {
        deadline = null;
        deadlineAt = Long.MAX_VALUE;
        long now = loop.steady();
        if (!consumer.sure()) {
            // Another may lead and see to them.
            watch(now + UNSURE_PAUSE);
            return;
        }
        List<PendingSet.Entry> due = new ArrayList<>();
        for (PendingSet.Entry e = consumer.live().pending().first(); e != null; e = e.next()) {
            if (e.deadline() <= now) {
                due.add(e);
            }
        }
        due.forEach(consumer::overdue);
        rescan();
        consumer.wake();
    }

    private void watchPause() {
        cancel(pause);
        pause = null;
        long left = consumer.pauseRemaining();
        if (left > 0) {
            pause = loop.schedule(left, () -> {
                pause = null;
                consumer.pauseEnded();
            });
        }
    }

    /** Begins to count inactivity anew. */
    void watchActivity() {
        cancel(inactivity);
        inactivity = null;
        long threshold = consumer.config().inactiveThreshold();
        if (running && threshold > 0) {
            inactivity = loop.schedule(threshold, this::checkActivity);
        }
    }

    private void checkActivity() {
        inactivity = null;
        long now = loop.steady();
        long left = consumer.activeUntil(now) + consumer.config().inactiveThreshold() - now;
        if (left > 0) {
            inactivity = loop.schedule(left, this::checkActivity);
        } else {
            consumer.abandoned();
        }
    }
}
