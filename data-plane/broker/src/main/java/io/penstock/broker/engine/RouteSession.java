package io.penstock.broker.engine;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.auth.Secrets;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.CompressionMode;
import io.penstock.broker.route.RouteConnect;
import io.penstock.broker.route.RouteInfo;
import io.penstock.broker.route.RouteParser;
import io.penstock.broker.route.RouteSink;
import io.penstock.broker.route.RouteSlots;
import io.penstock.broker.route.WireName;
import io.penstock.protocol.ParseFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol of one route. On its loop.
 *
 * <pre>
 *   who was dialled                     who dials
 *   INFO                            →
 *                                   ←   [TLS] CONNECT, INFO, PING
 *   (secret, names, duplicates)
 *   PONG                            →
 *   both: [compression] RS+…, then anything in either direction
 * </pre>
 */
final class RouteSession implements RouteSink {
    private static final Logger LOG = LoggerFactory.getLogger(RouteSession.class);
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PONG = "PONG\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LINE_FACTOR = 16;
    private static final long GREETING_MILLIS = 5000;

    /** How far the route has come. */
    private enum Stage {
        /** The greeting is under way. */
        GREETING,
        /** The mesh decides. */
        JUDGED,
        /** Messages flow. */
        OPEN,
        /** Nothing more is read. */
        ENDED
    }

    private final RouteConnection route;
    private final BrokerEngine engine;
    private final Mesh mesh;
    /** Null when the other side dialled. */
    private final RouteDial dial;

    private final RouteParser parser;
    private final AccountTable accounts;
    /** Written by the loop. */
    private volatile Stage stage = Stage.GREETING;

    private ScheduledFuture<?> timer;
    private RouteConnect connect;
    private boolean told;
    private String refusal;
    private volatile CompressionMode compression = CompressionMode.OFF;

    /** Written by the loop. */
    private final AtomicLong inMessages = new AtomicLong();

    private final AtomicLong inBytes = new AtomicLong();

    RouteSession(RouteConnection route, RouteDial dial) {
        this.route = route;
        this.engine = route.engine;
        this.mesh = route.mesh;
        this.dial = dial;
        this.parser = new RouteParser(this, engine.options().maxControlLine() * LINE_FACTOR);
        this.accounts = new AccountTable(engine.registry());
    }

    RouteParser parser() {
        return parser;
    }

    boolean isOpen() {
        return stage == Stage.OPEN;
    }

    CompressionMode compression() {
        return compression;
    }

    long inMessages() {
        return inMessages.get();
    }

    long inBytes() {
        return inBytes.get();
    }

    private ClusterOptions options() {
        return route.options();
    }

    /** Begins the greeting. */
    void start() {
        long most = dial == null ? options().authTimeout().toMillis() : GREETING_MILLIS;
        timer = route.lane.loop.schedule(
                () -> route.close(ClosedReason.AUTHENTICATION_TIMEOUT, ErrorText.AUTHENTICATION_TIMEOUT),
                most + (options().tls() == null ? 0 : options().tls().timeout().toMillis()),
                TimeUnit.MILLISECONDS);
        if (dial == null) {
            route.send(mesh.info().line());
            RouteTls tls = mesh.tls();
            if (tls != null) {
                // INFO goes in the clear, so it must be past the place where TLS will stand.
                route.lane.flush();
                encrypt(tls.accepting(route.channel()));
            }
        }
    }

    private void encrypt(SslHandler handler) {
        route.channel().pipeline().addFirst("tls", handler);
        route.setEncrypted();
        handler.handshakeFuture().addListener(done -> {
            if (!done.isSuccess()) {
                LOG.warn(
                        "{} - rid:{} - TLS route handshake error: {}",
                        route.host(),
                        route.id,
                        done.cause().toString());
                refusal = "TLS handshake: " + done.cause().getMessage();
                route.close(ClosedReason.TLS_HANDSHAKE_FAILURE, null);
            } else if (!mesh.tls().isPinned(handler.engine().getSession())) {
                LOG.warn("{} - rid:{} - the node's certificate is not pinned", route.host(), route.id);
                route.close(ClosedReason.TLS_HANDSHAKE_FAILURE, null);
            } else if (dial != null) {
                greet();
            }
        });
    }

    // The greeting.

    @Override
    public void onInfo(byte[] bytes, int offset, int length) {
        RouteInfo info;
        try {
            info = RouteInfo.read(bytes, offset, length);
        } catch (IOException e) {
            LOG.warn("{} - rid:{} - INFO cannot be read: {}", route.host(), route.id, e.getMessage());
            route.close(ClosedReason.PARSE_ERROR, null);
            return;
        }
        if (stage == Stage.OPEN) {
            mesh.informed(route, info);
        } else if (route.remote() == null && stage == Stage.GREETING) {
            route.setRemote(info);
            if (dial != null) {
                answer(info);
            }
        }
    }

    /** The dialled side has said who it is. */
    private void answer(RouteInfo info) {
        RouteTls tls = mesh.tls();
        if (info.node().serverId().equals(engine.identity().id())) {
            finish(RouteDial.Outcome.SELF, null);
            route.close(ClosedReason.DUPLICATE_ROUTE, null);
        } else if (mesh.isDuplicate(info, dial)) {
            finish(RouteDial.Outcome.DUPLICATE, null);
            route.close(ClosedReason.DUPLICATE_ROUTE, null);
        } else if (info.tlsRequired() != (tls != null)) {
            String detail = info.tlsRequired()
                    ? "it requires TLS: add cluster.tls here"
                    : "it speaks without TLS: add cluster.tls there";
            LOG.error("{} - rid:{} - no route to {}: {}", route.host(), route.id, dial.address(), detail);
            finish(RouteDial.Outcome.FAILED, detail);
            route.close(ClosedReason.TLS_HANDSHAKE_FAILURE, null);
        } else if (tls != null) {
            encrypt(tls.dialling(
                    route.channel(), dial.address().host(), dial.address().port()));
        } else {
            greet();
        }
    }

    private void greet() {
        String user = dial.address().user();
        String password = dial.address().password();
        if (user == null) {
            user = options().user();
            password = mesh.dialSecret();
        }
        RouteInfo self = mesh.info();
        RouteConnect connect = new RouteConnect(
                engine.identity().id(), self.node().cluster(), self.dynamicCluster(), user, password, false);
        route.send(connect.line(options().tls() != null));
        route.send(self.withIndex(dial.slot()).line());
        route.send(PING);
        route.lane.flush();
    }

    @Override
    public void onConnect(byte[] bytes, int offset, int length) {
        if (route.trace != null) {
            route.trace.heardConnect(bytes, offset, length);
        }
        if (stage != Stage.GREETING || dial != null || connect != null) {
            route.close(ClosedReason.PROTOCOL_VIOLATION, ErrorText.UNKNOWN_OPERATION);
            return;
        }
        try {
            connect = RouteConnect.read(bytes, offset, length);
        } catch (IOException e) {
            route.close(ClosedReason.PARSE_ERROR, null);
            return;
        }
        RouteInfo self = mesh.info();
        if (connect.client()) {
            route.close(ClosedReason.INCORRECT_PORT, ErrorText.ROUTE_PORT);
        } else if (!self.dynamicCluster()
                && !connect.dynamicCluster()
                && !self.node().cluster().equals(connect.cluster())) {
            String error = "Rejecting connection, cluster name \"" + connect.cluster() + "\" does not match \""
                    + self.node().cluster() + "\"";
            LOG.error("{} - rid:{} - {}", route.host(), route.id, error);
            route.close(ClosedReason.CLUSTER_NAME_CONFLICT, error);
        }
    }

    @Override
    public void onPing() {
        if (route.trace != null) {
            route.trace.heard("PING");
        }
        if (stage == Stage.OPEN) {
            route.send(PONG);
        } else if (stage == Stage.GREETING && connect != null && route.remote() != null) {
            judge();
        } else {
            unauthorized("it did not introduce itself");
        }
    }

    private void unauthorized(String detail) {
        LOG.error("{} - rid:{} - authentication error: {}", route.host(), route.id, detail);
        route.close(ClosedReason.AUTHENTICATION_FAILURE, ErrorText.AUTHORIZATION);
    }

    /** The dialling side has said everything; nothing more is read until it is let in. */
    private void judge() {
        stage = Stage.JUDGED;
        parser.stop();
        String user = options().user();
        if (user == null) {
            place();
            return;
        }
        RouteConnect said = connect;
        // A hashed secret takes longer than a loop may be held up.
        Thread.startVirtualThread(() -> {
            boolean secret = Secrets.matches(options().password(), said.password() == null ? "" : said.password());
            boolean known = secret && user.equals(said.user());
            route.onLoop(() -> {
                if (stage != Stage.JUDGED) {
                    return;
                }
                if (known) {
                    place();
                } else {
                    unauthorized("wrong user or password of the cluster");
                }
            });
        });
    }

    /** Finds out which connection it is, and asks the mesh. */
    private void place() {
        RouteInfo theirs = route.remote();
        RouteInfo ours = mesh.info();
        RouteSlots between =
                RouteSlots.common(ours.poolSize(), ours.accounts(), theirs.poolSize(), Set.copyOf(theirs.accounts()));
        int slot = dial != null ? dial.slot() : Math.max(0, theirs.poolIndex());
        if (slot >= between.count()) {
            refuse(ClosedReason.PROTOCOL_VIOLATION, "no connection " + slot + " between these nodes");
            return;
        }
        route.place(between, slot);
        parser.setAccountOmitted(route.isDedicated());
        mesh.register(route);
    }

    @Override
    public void onPong() {
        if (route.trace != null) {
            route.trace.heard("PONG");
        }
        if (stage == Stage.OPEN) {
            route.keepAlive().answered();
        } else if (dial != null && stage == Stage.GREETING && route.remote() != null) {
            stage = Stage.JUDGED;
            parser.stop();
            place();
        }
    }

    /** The mesh does not take it. */
    void refuse(ClosedReason reason, String error) {
        refusal = error;
        route.close(reason, error);
    }

    /** The mesh has taken it. */
    void open() {
        if (stage != Stage.JUDGED) {
            return;
        }
        timer.cancel(false);
        if (dial == null) {
            route.send(PONG);
        }
        // Everything in the clear, and PONG before any interest.
        route.lane.flush();
        compression = options().compression().with(route.remote().compression());
        ChannelHandlerContext decoder = null;
        if (compression != CompressionMode.OFF) {
            decoder = RouteCompression.install(route, compression);
        }
        stage = Stage.OPEN;
        parser.open();
        route.startKeepAlive();
        route.feed.begin();
        finish(RouteDial.Outcome.OPENED, null);
        parser.resume();
        route.input().readDeferred(decoder);
    }

    /** Sends a line that is of no use before the route is open. */
    void sendWhenOpen(byte[] line) {
        if (stage == Stage.OPEN) {
            route.send(line);
        }
    }

    /** Asks whether anybody is still there. */
    void probe() {
        sendWhenOpen(PING);
    }

    @Override
    public void onError(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        refusal = text;
        LOG.warn("{} - rid:{} - the other node says {}", route.host(), route.id, text);
        route.close(ClosedReason.PARSE_ERROR, null);
    }

    @Override
    public void onFailure(ParseFailure failure) {
        if (stage == Stage.GREETING && dial == null && failure == ParseFailure.MALFORMED_ARGUMENTS) {
            unauthorized("messages before CONNECT");
            return;
        }
        switch (failure) {
            case UNKNOWN_OPERATION -> route.close(ClosedReason.PROTOCOL_VIOLATION, ErrorText.UNKNOWN_OPERATION);
            case CONTROL_LINE_TOO_LONG -> route.close(ClosedReason.MAX_CONTROL_LINE_EXCEEDED, ErrorText.CONTROL_LINE);
            default -> route.close(ClosedReason.PROTOCOL_VIOLATION, null);
        }
    }

    // Messages.

    @Override
    public void onInterest(String account, String pattern, String queue, int weight) {
        if (route.trace != null) {
            route.trace.heardInterest(account, pattern, queue, weight);
        }
        String name = account == null ? route.slots().account(route.slot()) : WireName.decode(account);
        route.interest.set(name, pattern, queue, weight);
    }

    @Override
    public void onMessage(RouteParser message, byte[] bytes) {
        if (route.trace != null) {
            route.trace.heard(message, bytes);
        }
        int size = message.contentLength();
        inMessages.lazySet(inMessages.get() + 1);
        inBytes.lazySet(inBytes.get() + size);
        LocalAccount account = account(message, bytes);
        Frame frame = account == null ? null : route.lane.begin();
        if (frame == null) {
            return;
        }
        try {
            frame.fromRoute(message, bytes, account);
            Router.route(route.lane, frame);
        } finally {
            route.lane.end(frame);
        }
    }

    private LocalAccount account(RouteParser message, byte[] bytes) {
        if (!route.isDedicated()) {
            return accounts.find(bytes, message.accountOffset(), message.accountLength());
        }
        return (LocalAccount) engine.registry().find(route.slots().account(route.slot()));
    }

    // The end.

    void stop(ClosedReason reason) {
        Stage before = stage;
        stage = Stage.ENDED;
        parser.stop();
        if (timer != null) {
            timer.cancel(false);
        }
        finish(RouteDial.Outcome.FAILED, refusal == null ? reason.text() : refusal);
        if (before != Stage.GREETING) {
            mesh.closed(route);
        }
    }

    private void finish(RouteDial.Outcome outcome, String detail) {
        if (dial != null && !told) {
            told = true;
            boolean duplicate = detail != null && detail.contains(ErrorText.DUPLICATE_ROUTE);
            dial.done(duplicate ? RouteDial.Outcome.DUPLICATE : outcome, route.remote(), detail);
        }
    }
}
