package io.penstock.broker.engine;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.penstock.broker.route.RouteAddress;
import io.penstock.broker.route.RouteInfo;
import io.vertx.core.internal.VertxInternal;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps dialling: the addresses of the configuration for ever, those learnt from others for a while. One address leads to
 * one node; once the first connection is open, who dialled it sees to the others. On the mesh's thread.
 */
final class Dials {
    private static final Logger LOG = LoggerFactory.getLogger(Dials.class);
    private static final long PAUSE_MILLIS = 1000;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final int CONNECT_MILLIS = 2000;
    /** Attempts beyond {@code connect_retries} for a node that was learnt from others and does not answer. */
    private static final int PATIENCE = 10;
    /** Failures between two lines in the log. */
    private static final int REPORT_EVERY = 60;

    private final Mesh mesh;
    private final VertxInternal vertx;
    private final List<Target> targets = new ArrayList<>();
    private int nextLoop;
    private boolean stopped;

    /** One address. */
    static final class Target {
        final RouteAddress address;
        final boolean configured;
        /** Server id it led to last, or null. */
        String nodeId;
        /** Name it led to last, or null. */
        String nodeName;
        /** Whether it leads back here. */
        boolean self;

        private int failures;
        private boolean busy;
        private boolean removed;

        Target(RouteAddress address, boolean configured) {
            this.address = address;
            this.configured = configured;
        }
    }

    Dials(Mesh mesh) {
        this.mesh = mesh;
        this.vertx = mesh.engine().vertx();
    }

    List<Target> targets() {
        return targets;
    }

    /** Makes the configured addresses these. */
    void configure(List<RouteAddress> addresses) {
        targets.removeIf(target -> {
            boolean gone = target.configured && !addresses.contains(target.address);
            target.removed |= gone;
            return gone;
        });
        for (RouteAddress address : addresses) {
            if (targets.stream().noneMatch(target -> target.configured && target.address.equals(address))) {
                Target target = new Target(address, true);
                target.self = mesh.isOwn(address);
                targets.add(target);
                attend(target);
            }
        }
    }

    /** Another node was heard of. */
    void learnt(String nodeId, String name, RouteAddress address) {
        for (Target target : targets) {
            boolean same = target.address.hostPort().equals(address.hostPort());
            if (target.self && same) {
                return;
            }
            if (nodeId.equals(target.nodeId) || same) {
                target.nodeId = nodeId;
                target.nodeName = name;
                target.failures = 0;
                attend(target);
                return;
            }
        }
        Target target = new Target(address, false);
        target.nodeId = nodeId;
        target.nodeName = name;
        targets.add(target);
        attend(target);
    }

    /** A node's first connection is gone, or a later one, of which this node took care. */
    void lost(RemoteNode node) {
        for (Target target : List.copyOf(targets)) {
            if (node.id.equals(target.nodeId) || node.name.equals(target.nodeName)) {
                // At once, and not together with the other side.
                later(target, ThreadLocalRandom.current().nextLong(5, 50));
            }
        }
    }

    void stop() {
        stopped = true;
    }

    private void later(Target target, long millis) {
        if (!stopped) {
            var _ = mesh.lane().loop.schedule(() -> attend(target), millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Dials what is missing behind an address. */
    private void attend(Target target) {
        if (stopped || target.self || target.busy || target.removed) {
            return;
        }
        RemoteNode node = mesh.node(target.nodeId);
        if (node == null || node.at(0) == null) {
            dial(target, 0);
            return;
        }
        if (!node.at(0).solicited) {
            return;
        }
        for (int slot = 1; slot < node.slots.count(); slot++) {
            if (node.at(slot) == null) {
                dial(target, slot);
                return;
            }
        }
    }

    private void dial(Target target, int slot) {
        target.busy = true;
        RouteDial attempt = new RouteDial() {
            @Override
            public RouteAddress address() {
                return target.address;
            }

            @Override
            public int slot() {
                return slot;
            }

            @Override
            public void done(Outcome outcome, RouteInfo info, String detail) {
                mesh.lane().loop.execute(() -> ended(target, outcome, info, detail));
            }
        };
        LoopLane lane = mesh.engine()
                .lanes()
                .loops()
                .get(nextLoop++ % mesh.engine().lanes().loops().size());
        // Looking a name up may block.
        Thread.startVirtualThread(() -> connect(attempt, lane));
    }

    private void connect(RouteDial attempt, LoopLane lane) {
        InetSocketAddress address;
        try {
            InetAddress[] all = InetAddress.getAllByName(attempt.address().host());
            InetAddress one = all[ThreadLocalRandom.current().nextInt(all.length)];
            address = new InetSocketAddress(one, attempt.address().port());
        } catch (UnknownHostException e) {
            attempt.done(
                    RouteDial.Outcome.FAILED,
                    null,
                    "no address of " + attempt.address().host());
            return;
        }
        new Bootstrap()
                .group(lane.loop)
                .channelFactory(vertx.transport().channelFactory(false))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new Arrival(lane, attempt))
                .connect(address)
                .addListener((ChannelFuture done) -> {
                    if (!done.isSuccess()) {
                        boolean refused = done.cause() instanceof ConnectException
                                && String.valueOf(done.cause().getMessage()).contains("refused");
                        attempt.done(
                                refused ? RouteDial.Outcome.REFUSED : RouteDial.Outcome.FAILED,
                                null,
                                done.cause().getMessage());
                    }
                });
    }

    /** Hands a connection over as soon as it is open, before anything is read from it. */
    private final class Arrival extends ChannelInboundHandlerAdapter {
        private final LoopLane lane;
        private final RouteDial attempt;

        Arrival(LoopLane lane, RouteDial attempt) {
            this.lane = lane;
            this.attempt = attempt;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            Channel channel = context.channel();
            channel.pipeline().remove(this);
            if (!mesh.take(channel, lane, attempt)) {
                attempt.done(RouteDial.Outcome.FAILED, null, "this node stops");
            }
        }
    }

    private void ended(Target target, RouteDial.Outcome outcome, RouteInfo info, String detail) {
        target.busy = false;
        if (info != null) {
            target.nodeId = info.node().serverId();
            target.nodeName = info.node().name();
        }
        switch (outcome) {
            case OPENED -> {
                target.failures = 0;
                attend(target);
            }
            case SELF -> {
                target.self = true;
                mesh.targetsChanged();
            }
            case DUPLICATE -> {
                target.failures = 0;
                mesh.targetsChanged();
                later(target, PAUSE_MILLIS);
            }
            case REFUSED, FAILED -> failed(target, outcome, detail);
        }
    }

    private void failed(Target target, RouteDial.Outcome outcome, String detail) {
        if (outcome == RouteDial.Outcome.REFUSED && target.nodeName != null) {
            mesh.refused(target.nodeName);
        }
        if (target.failures++ % REPORT_EVERY == 0) {
            LOG.warn("Error trying to connect to route (attempt {}): {}: {}", target.failures, target.address, detail);
        }
        int most = PATIENCE + mesh.options().connectRetries();
        if (!target.configured && target.failures > most) {
            targets.remove(target);
            target.removed = true;
            return;
        }
        long pause = PAUSE_MILLIS;
        if (mesh.options().connectBackoff()) {
            pause = Math.min(LONGEST_PAUSE_MILLIS, PAUSE_MILLIS << Math.min(5, target.failures - 1));
        }
        later(target, pause + ThreadLocalRandom.current().nextLong(100));
    }
}
