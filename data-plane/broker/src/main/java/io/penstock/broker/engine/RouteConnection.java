package io.penstock.broker.engine;

import io.netty.channel.Channel;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.TraceOptions;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.RouteInfo;
import io.penstock.broker.route.RouteSlots;
import io.penstock.broker.route.RouteSnapshot;
import io.penstock.broker.route.RouteSnapshot.RouteInterest;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to another node. The protocol itself is in {@link RouteSession}. */
final class RouteConnection extends Wire {
    private static final Logger LOG = LoggerFactory.getLogger(RouteConnection.class);

    /** Bytes that may wait for another node, many clients' messages, as a multiple of what may wait for one client. */
    private static final int PENDING_FACTOR = 4;

    private static final long SNAPSHOT_MILLIS = 500;

    final long id;
    final Mesh mesh;
    final RouteSession session;
    final InterestFeed feed;
    final RemoteInterest interest;
    /** Whether this node dialled. */
    final boolean solicited;

    /** Null while nothing is traced. Written by the loop; lanes may see a change a little late. */
    RouteTrace trace;

    private final String host;
    private final int port;
    private final ClusterOptions options;
    private RouteInput input;
    private boolean encrypted;

    /** Set on the loop before the mesh knows of it. */
    private volatile RouteInfo remote;

    private volatile int slot;
    private volatile RouteSlots slots = new RouteSlots(1, List.of());
    private volatile boolean dedicated;

    /** Completes when everything it held is given up. */
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    RouteConnection(Mesh mesh, LoopLane lane, Channel channel, ClusterOptions options, RouteDial dial) {
        super(mesh.engine(), lane, channel, options.pingInterval().toNanos(), options.pingMax());
        this.mesh = mesh;
        this.id = mesh.engine().nextId();
        this.options = options;
        this.solicited = dial != null;
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        this.host = peer.getAddress().getHostAddress();
        this.port = peer.getPort();
        this.headers = true;
        this.feed = new InterestFeed(this);
        this.interest = new RemoteInterest(this);
        this.session = new RouteSession(this, dial);
        backpressure.apply(engine.options().maxPending() * PENDING_FACTOR);
        applyTrace();
        LOG.info("{}:{} - rid:{} - Route connection created", host, port, id);
    }

    /** On the loop. */
    void applyTrace() {
        TraceOptions wanted = engine.options().trace();
        trace = wanted.clients() ? new RouteTrace(wanted, this) : null;
    }

    /** How the log names it. */
    String label() {
        return host + ":" + port + " - rid:" + id;
    }

    @Override
    void sending(byte[] bytes) {
        if (trace != null) {
            trace.sent(bytes);
        }
    }

    ClusterOptions options() {
        return options;
    }

    void setInput(RouteInput handler) {
        input = handler;
    }

    RouteInput input() {
        return input;
    }

    void setEncrypted() {
        encrypted = true;
    }

    String host() {
        return host;
    }

    /** What the other side said of itself, or null before it did. */
    RouteInfo remote() {
        return remote;
    }

    void setRemote(RouteInfo info) {
        remote = info;
    }

    /** Which of the connections between the two nodes it is. */
    int slot() {
        return slot;
    }

    RouteSlots slots() {
        return slots;
    }

    void place(RouteSlots between, int index) {
        slots = between;
        slot = index;
        dedicated = between.account(index) != null;
    }

    boolean isDedicated() {
        return dedicated;
    }

    /** Whether messages of this account take this connection. */
    boolean carries(String account) {
        return slots.of(account) == slot;
    }

    /** The side that dialled, by its server id. */
    String dialler() {
        return solicited ? engine.identity().id() : remote.node().serverId();
    }

    @Override
    void beforeTake(Transfer transfer) {
        feed.drain();
    }

    @Override
    long writeDeadlineNanos() {
        return options.writeDeadline().toNanos();
    }

    @Override
    boolean isReadyForPing() {
        return session.isOpen() && !isClosing();
    }

    @Override
    void stale() {
        mesh.counters().stale.increment();
        close(ClosedReason.STALE_CONNECTION, ErrorText.STALE);
    }

    @Override
    void reportSlow(ClosedReason reason) {
        mesh.counters().slow.increment();
        LOG.warn("{} - rid:{} - Slow Consumer Detected: {}", host, id, reason);
    }

    @Override
    void stopped(ClosedReason reason) {
        session.stop(reason);
        interest.clear();
        LOG.info("{}:{} - rid:{} - Router connection closed: {}", host, port, id, reason.text());
        ended.complete(null);
    }

    @Override
    boolean isEncrypted() {
        return encrypted;
    }

    /** @param error null for none */
    void close(ClosedReason reason, String error) {
        onLoop(() -> closeOnLoop(reason, error == null ? null : ErrorText.line(error)));
    }

    RouteSnapshot snapshot(boolean configured, boolean withInterest) {
        RouteInfo info = remote;
        String account = slots.account(slot);
        return new RouteSnapshot(
                id,
                info.node().serverId(),
                info.node().name(),
                solicited,
                configured,
                host,
                port,
                started(),
                lastActivity(),
                roundTripNanos(),
                pendingBytes(),
                session.inMessages(),
                outMessages(),
                session.inBytes(),
                outBytes(),
                interest.count(),
                account == null ? "" : account,
                session.compression().text(),
                withInterest ? listInterest() : List.of());
    }

    private List<RouteInterest> listInterest() {
        CompletableFuture<List<RouteInterest>> list = new CompletableFuture<>();
        onLoop(() -> list.complete(interest.list()));
        try {
            return list.get(SNAPSHOT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException _) {
            // A loop that busy must not hold up monitoring.
            return List.of();
        }
    }
}
