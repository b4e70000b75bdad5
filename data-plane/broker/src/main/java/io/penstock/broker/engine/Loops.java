package io.penstock.broker.engine;

import io.penstock.broker.BrokerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes the event loops. */
final class Loops {
    private static final long SLOWEST_DEADLINE_CHECK_MILLIS = 500;

    private Loops() {}

    static Vertx vertx(BrokerOptions options) {
        VertxOptions vertxOptions = new VertxOptions().setEventLoopPoolSize(count(options));
        vertxOptions.getFileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
        return Vertx.builder()
                .with(vertxOptions)
                .withTransport(transport(options.transport()))
                .build();
    }

    private static int count(BrokerOptions options) {
        return options.eventLoops() > 0
                ? options.eventLoops()
                : Runtime.getRuntime().availableProcessors();
    }

    private static Transport transport(BrokerOptions.Transport wanted) {
        Transport transport = switch (wanted) {
            case AUTO -> isAvailable(Transport.EPOLL) ? Transport.EPOLL : Transport.NIO;
            case NIO -> Transport.NIO;
            case EPOLL -> Transport.EPOLL;
            case IO_URING -> Transport.IO_URING;
        };
        if (!isAvailable(transport)) {
            throw new IllegalArgumentException("transport " + wanted + " is not available on this system: "
                    + (transport == null ? "its library is missing" : transport.unavailabilityCause()));
        }
        return transport;
    }

    private static boolean isAvailable(Transport transport) {
        return transport != null && transport.available();
    }

    static Lanes lanes(Vertx vertx, BrokerOptions options) {
        SecureRandom seeds = new SecureRandom();
        int count = count(options);
        List<LoopLane> loops = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
            loops.add(new LoopLane(i, seeds.nextLong(), context));
        }
        List<ForeignLane> foreign = new ArrayList<>();
        for (int i = 0; i < Lanes.FOREIGN; i++) {
            foreign.add(new ForeignLane(count + i, seeds.nextLong(), loops.getFirst().loop));
        }
        Lanes lanes = new Lanes(loops, foreign);
        for (LoopLane lane : loops) {
            lane.loop.execute(() -> lanes.bind(lane));
        }
        return lanes;
    }

    static void watchDeadlines(Lanes lanes, BrokerOptions options) {
        long every = Math.clamp(options.writeDeadline().toMillis() / 4, 10, SLOWEST_DEADLINE_CHECK_MILLIS);
        for (LoopLane lane : lanes.loops()) {
            var _ = lane.loop.scheduleAtFixedRate(
                    () -> lane.checkDeadlines(System.nanoTime()), every, every, TimeUnit.MILLISECONDS);
        }
    }
}
