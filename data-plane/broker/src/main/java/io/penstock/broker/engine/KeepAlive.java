package io.penstock.broker.engine;

import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether the other side is still there, and how far away. A PING is spared when it sent something lately; one
 * that left {@code pingMax} unanswered is closed. On the connection's loop.
 */
final class KeepAlive {
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final long FIRST_AFTER = TimeUnit.SECONDS.toNanos(2);
    private static final long ROUND_TRIP_STALE = TimeUnit.HOURS.toNanos(1);

    private final Wire connection;
    private long interval;
    private final int max;
    private ScheduledFuture<?> timer;
    private int unanswered;
    private long sentAt;
    private long measuredAt;
    private volatile long roundTrip;

    /** @param interval nanoseconds between PINGs */
    KeepAlive(Wire connection, long interval, int max) {
        this.connection = connection;
        this.interval = interval;
        this.max = max;
    }

    void start() {
        long first = Math.min(interval, FIRST_AFTER);
        schedule(first + first / 100 * connection.lane.random(20));
    }

    void setInterval(long nanos) {
        interval = nanos;
        stop();
        start();
    }

    private void schedule(long delay) {
        timer = connection.lane.loop.schedule(this::fire, delay, TimeUnit.NANOSECONDS);
    }

    private void fire() {
        if (connection.isClosing()) {
            return;
        }
        long now = System.nanoTime();
        boolean fresh = roundTrip != 0 && now - measuredAt < ROUND_TRIP_STALE;
        boolean heard = now - connection.lastHeard() < interval;
        if (!(heard && fresh) && connection.isReadyForPing()) {
            if (unanswered >= max) {
                connection.stale();
                return;
            }
            unanswered++;
            sentAt = now;
            connection.send(PING);
        }
        schedule(interval);
    }

    void answered() {
        unanswered = 0;
        if (sentAt != 0) {
            long now = System.nanoTime();
            roundTrip = Math.max(1, now - sentAt);
            measuredAt = now;
            sentAt = 0;
        }
    }

    long roundTripNanos() {
        return roundTrip;
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
