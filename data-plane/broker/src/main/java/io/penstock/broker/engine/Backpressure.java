package io.penstock.broker.engine;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps publishers from running away from receivers, without ever blocking a loop: a publisher that is too fast is not
 * read for a moment. One for each connection, which may be either side.
 *
 * <pre>
 *   waiting bytes of the receiver
 *   up to 1 MiB          nothing happens
 *   up to 75 % of max    publishers wait until it has caught up, 2 ms at most, and not again before it has
 *   up to max            publishers are stalled 2 ms a burst, at max 5 ms
 *   above max            the receiver is a slow consumer and is closed
 * </pre>
 */
final class Backpressure {
    /** Small enough for the processor's caches, large enough to keep a socket busy. */
    private static final long SOFT_PENDING = 1024 * 1024;

    private static final long SOFT_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONG_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Wire connection;
    private final ReadHolds holds;
    private volatile long maxPending;
    private volatile long stallFrom;
    private volatile long softFrom;

    /** Publishers that wait until this receiver has caught up. */
    private final Queue<Wire> waiting = new ConcurrentLinkedQueue<>();

    /** Whether waiting for this receiver did not help, so that nobody does until it has caught up. */
    private volatile boolean lagging;

    /** As a publisher; on the loop. */
    private ScheduledFuture<?> stallTimer;

    private ScheduledFuture<?> waitTimer;

    Backpressure(Wire connection, ReadHolds holds) {
        this.connection = connection;
        this.holds = holds;
    }

    /** @param bytes that may wait before the receiver is closed */
    void apply(long bytes) {
        maxPending = bytes;
        stallFrom = maxPending / 4 * 3;
        softFrom = Math.min(SOFT_PENDING, maxPending / 4);
    }

    boolean isOverflowing() {
        return connection.outbound.pending() > maxPending;
    }

    // As a receiver.

    /** Whether one more message may be added for this receiver. Called for every delivery, from any lane. */
    boolean admits(Lane from, Frame message) {
        long pending = connection.outbound.pending();
        return pending <= softFrom || press(from, message, pending);
    }

    private boolean press(Lane from, Frame message, long pending) {
        boolean late = pending > stallFrom;
        if (late && connection.engine.options().noFastProducerStall()) {
            return false;
        }
        Wire publisher = message.publisher;
        if (publisher == null || publisher == connection || publisher.lane != from) {
            return true;
        }
        if (late) {
            publisher.backpressure.stall(pending >= maxPending ? LONG_STALL_NANOS : STALL_NANOS);
        } else if (!lagging) {
            publisher.backpressure.waitFor(this);
        }
        return true;
    }

    private boolean hasCaughtUp() {
        return connection.outbound.pending() <= softFrom / 2;
    }

    /** Some of what waited was written; on the loop. */
    void written() {
        if ((lagging || !waiting.isEmpty()) && hasCaughtUp()) {
            lagging = false;
            releaseAll();
        }
    }

    /** Lets go of everybody who waits for this receiver. */
    void releaseAll() {
        Wire publisher;
        while ((publisher = waiting.poll()) != null) {
            publisher.onLoop(publisher.backpressure::stopWaiting);
        }
    }

    // As a publisher, on the loop.

    private void waitFor(Backpressure receiver) {
        if (!holds.add(ReadHolds.RECEIVER)) {
            return;
        }
        waitTimer = connection.lane.loop.schedule(
                () -> {
                    receiver.lagging = true;
                    stopWaiting();
                },
                SOFT_WAIT_NANOS,
                TimeUnit.NANOSECONDS);
        receiver.waiting.add(connection);
        if (receiver.hasCaughtUp()) {
            receiver.releaseAll();
        }
    }

    private void stopWaiting() {
        waitTimer.cancel(false);
        holds.remove(ReadHolds.RECEIVER);
    }

    private void stall(long nanos) {
        if (stallTimer == null) {
            connection.engine.counters().stalledClients.increment();
            holds.add(ReadHolds.STALLED);
            stallTimer = connection.lane.loop.schedule(
                    () -> {
                        stallTimer = null;
                        holds.remove(ReadHolds.STALLED);
                    },
                    nanos,
                    TimeUnit.NANOSECONDS);
        }
    }

    /** Waits until the inbox of another loop is short again. */
    void pauseFor(LoopLane full) {
        if (holds.add(ReadHolds.INBOX)) {
            full.pauseUntilDrained(connection);
        }
    }

    /** The inbox is short again; from any thread. */
    void resume() {
        connection.lane.loop.execute(() -> holds.remove(ReadHolds.INBOX));
    }
}
