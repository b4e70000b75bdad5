package io.penstock.broker.engine;

import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/** Sends clients away gently: no new ones, notice by INFO, a time of grace, then one close after the other. */
final class LameDuck {
    private static final long LONGEST_GAP_NANOS = Duration.ofSeconds(1).toNanos();

    private final BrokerEngine engine;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean active;

    LameDuck(BrokerEngine engine) {
        this.engine = engine;
    }

    boolean isActive() {
        return active;
    }

    synchronized CompletionStage<Void> start() {
        if (!active) {
            active = true;
            engine.unbind().onComplete(ignored -> notifyClients());
        }
        return done.copy();
    }

    private void notifyClients() {
        for (Connection connection : engine.connections()) {
            connection.sendLameDuck();
        }
        engine.schedule(engine.options().lameDuckGrace(), this::closeClients);
    }

    private void closeClients() {
        List<Connection> left = new ArrayList<>(engine.connections());
        Collections.shuffle(left, ThreadLocalRandom.current());
        long window = engine.options()
                .lameDuckDuration()
                .minus(engine.options().lameDuckGrace())
                .toNanos();
        long gap = left.isEmpty() ? 0 : Math.clamp(window / left.size(), 1, LONGEST_GAP_NANOS);
        closeNext(left, gap);
    }

    private void closeNext(List<Connection> left, long gap) {
        if (left.isEmpty()) {
            done.complete(null);
            return;
        }
        left.removeLast().close(ClosedReason.SERVER_SHUTDOWN);
        long wait = gap <= 1 ? 0 : gap / 2 + ThreadLocalRandom.current().nextLong(gap / 2 + 1);
        engine.schedule(Duration.ofNanos(wait), () -> closeNext(left, gap));
    }
}
