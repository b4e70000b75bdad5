package io.penstock.broker.engine;

import io.penstock.broker.AccountRegistry;
import io.penstock.broker.AuthResult;
import io.penstock.broker.Authenticator;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerEvents;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.BrokerStats;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionSnapshot;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.InterestStats;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.WebSocketOptions;
import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.NodeDescription;
import io.penstock.broker.route.RouteSnapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker: its loops, its accounts, its connections, and what they have in common. */
public final class BrokerEngine implements Broker {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerEngine.class);
    private static final int NONCE_BYTES = 11;
    private static final long STOP_MILLIS = 2000;
    /** Time for the last bytes of a closing route to leave. */
    private static final long LAST_WORD_MILLIS = 50;

    private static final long CLOSE_SECONDS = 5;
    private static final Duration TELL_AFTER = Duration.ofMillis(20);

    private final ServerIdentity identity;
    private final Vertx vertx;
    private final Lanes lanes;
    private final LocalRegistry registry;
    private final Mesh mesh;
    private final Listeners clientListeners;
    private final Listeners webSocketListeners;
    private final LameDuck lameDuck = new LameDuck(this);
    private final Counters counters = new Counters();
    private final ClosedLog closed = new ClosedLog();
    private final Map<Long, ClientConnection> connections = new ConcurrentHashMap<>();
    private final List<BrokerEvents> events = new CopyOnWriteArrayList<>();
    private final AtomicLong ids = new AtomicLong();
    private final SecureRandom nonces = new SecureRandom();
    private final Instant started = Instant.now();
    private final AtomicBoolean tellScheduled = new AtomicBoolean();

    private volatile BrokerOptions options;

    private volatile String peerHost = "";
    private volatile int peerPort;
    private volatile Authenticator authenticator;
    private volatile InetSocketAddress clientAddress;
    private volatile InetSocketAddress webSocketAddress;
    private volatile TlsContexts clientTls;
    private volatile TlsContexts webSocketTls;

    private BrokerEngine(BrokerOptions options, ServerIdentity identity) {
        this.options = options;
        this.identity = identity;
        this.vertx = Loops.vertx(options);
        this.lanes = Loops.lanes(vertx, options);
        this.registry = new LocalRegistry(this);
        this.mesh = options.cluster() == null ? null : new Mesh(this);
        this.registry.begin();
        this.authenticator = new OpenAuthenticator(registry.getOrCreate(AccountRegistry.GLOBAL));
        this.clientListeners = new Listeners(vertx, lanes.loops());
        this.webSocketListeners = new Listeners(vertx, lanes.loops());
    }

    /** A broker that does not listen yet. */
    public static Broker create(BrokerOptions options, ServerIdentity identity) {
        return new BrokerEngine(options, identity);
    }

    @Override
    public ServerIdentity identity() {
        return identity;
    }

    @Override
    public BrokerOptions options() {
        return options;
    }

    @Override
    public AccountRegistry accounts() {
        return registry;
    }

    @Override
    public void setAuthenticator(Authenticator chosen) {
        authenticator = chosen;
    }

    @Override
    public void addEvents(BrokerEvents listener) {
        events.add(listener);
    }

    @Override
    public ClusterView cluster() {
        return mesh == null ? new NoCluster(describe()) : mesh;
    }

    /** Routes to other nodes, or null when this one stands alone. */
    Mesh mesh() {
        return mesh;
    }

    /** What this node tells others of itself. */
    NodeDescription describe() {
        return new NodeDescription(
                identity.name(),
                identity.id(),
                identity.cluster() == null ? "" : identity.cluster(),
                identity.version(),
                options.tags(),
                options.metadata(),
                options.jetStream(),
                peerHost,
                peerPort,
                identity.domain() == null ? "" : identity.domain());
    }

    @Override
    public void announcePeerLink(String host, int port) {
        peerHost = host;
        peerPort = port;
    }

    @Override
    public CompletionStage<Void> start() {
        try {
            loadTls(options);
        } catch (IllegalArgumentException e) {
            return Future.<Void>failedFuture(e).toCompletionStage();
        }
        Loops.watchDeadlines(lanes, options);
        return openClients()
                .compose(ignored -> openWebSockets())
                .compose(ignored -> mesh == null ? Future.succeededFuture() : mesh.start())
                .toCompletionStage();
    }

    private Future<Void> openClients() {
        if (options.port() < 0) {
            return Future.succeededFuture();
        }
        ClientListener listener = new ClientListener(this);
        return clientListeners
                .open("clients", options.host(), options.port(), listener::accept)
                .onSuccess(address -> clientAddress = address)
                .mapEmpty();
    }

    private Future<Void> openWebSockets() {
        WebSocketOptions webSocket = options.webSocket();
        if (webSocket == null) {
            return Future.succeededFuture();
        }
        WebSocketListener listener = new WebSocketListener(this);
        return webSocketListeners
                .open("WebSocket clients", webSocket.host(), webSocket.port(), listener::accept)
                .onSuccess(address -> webSocketAddress = address)
                .mapEmpty();
    }

    private void loadTls(BrokerOptions from) {
        WebSocketOptions webSocket = from.webSocket();
        TlsContexts client = from.tls() == null ? null : TlsContexts.of(from.tls());
        webSocketTls = webSocket == null || webSocket.tls() == null ? null : TlsContexts.of(webSocket.tls());
        clientTls = client;
    }

    @Override
    public InetSocketAddress clientAddress() {
        return clientAddress;
    }

    @Override
    public InetSocketAddress webSocketAddress() {
        return webSocketAddress;
    }

    @Override
    public InetSocketAddress clusterAddress() {
        return mesh == null ? null : mesh.address();
    }

    @Override
    public List<RouteSnapshot> routes(boolean withInterest) {
        return mesh == null ? List.of() : mesh.snapshots(withInterest);
    }

    @Override
    public List<String> clientUrls() {
        return mesh == null ? List.of() : mesh.clientUrls();
    }

    @Override
    public List<String> webSocketUrls() {
        return mesh == null ? List.of() : mesh.webSocketUrls();
    }

    /** What INFO names: nothing while there is nowhere else to go. */
    List<String> announcedUrls(boolean webSocket) {
        if (mesh == null || !mesh.hasMetOthers() || options.cluster().noAdvertise()) {
            return List.of();
        }
        return webSocket ? mesh.webSocketUrls() : mesh.clientUrls();
    }

    /** Tells clients where else they can connect; many changes at once are told once. */
    void tellClients() {
        if (tellScheduled.compareAndSet(false, true)) {
            schedule(TELL_AFTER, () -> {
                tellScheduled.set(false);
                boolean ldm = isLameDuck();
                connections.values().forEach(one -> one.onLoop(() -> one.session.urlsChanged(ldm)));
            });
        }
    }

    @Override
    public void reload(BrokerOptions changed) {
        loadTls(changed);
        options = changed;
        if (mesh != null) {
            mesh.reload();
            mesh.connections().forEach(route -> route.onLoop(route::applyTrace));
        }
        for (ClientConnection connection : connections.values()) {
            connection.applyOptions();
            connection.onLoop(() -> {
                connection.applyTrace();
                connection.session.refreshLimits(true);
            });
            connection.setPingInterval(pingInterval(connection.type()));
        }
        closeExcess(changed.maxConnections());
    }

    private void closeExcess(int most) {
        if (most < 0 || connections.size() <= most) {
            return;
        }
        connections.keySet().stream().sorted().skip(most).map(connections::get).forEach(excess -> {
            if (excess != null) {
                excess.close(ClosedReason.MAX_CONNECTIONS_EXCEEDED, ErrorText.CONNECTIONS);
            }
        });
    }

    @Override
    public CompletionStage<Void> lameDuck() {
        tell(BrokerEvents::lameDuckStarted);
        if (mesh != null) {
            mesh.lameDuck();
        }
        return lameDuck.start();
    }

    @Override
    public boolean isLameDuck() {
        return lameDuck.isActive();
    }

    Future<Void> unbind() {
        return Future.join(clientListeners.unbind(), webSocketListeners.unbind())
                .mapEmpty();
    }

    @Override
    public CompletionStage<Void> stop() {
        tell(BrokerEvents::stopping);
        return unbind().compose(ignored -> {
                    connections.values().forEach(connection -> connection.close(ClosedReason.SERVER_SHUTDOWN));
                    return awaitChannelsClosed(System.nanoTime());
                })
                .compose(ignored -> stopMesh(System.nanoTime()))
                .compose(ignored -> vertx.close())
                .toCompletionStage();
    }

    private Future<Void> stopMesh(long since) {
        if (mesh == null) {
            return Future.succeededFuture();
        }
        mesh.stop();
        return mesh.unbind().compose(ignored -> awaitMeshQuiet(since));
    }

    private Future<Void> awaitMeshQuiet(long since) {
        if (mesh.connections().isEmpty() || System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS)) {
            return vertx.timer(LAST_WORD_MILLIS).mapEmpty();
        }
        return vertx.timer(10).compose(ignored -> awaitMeshQuiet(since));
    }

    private Future<Void> awaitChannelsClosed(long since) {
        if (connections.isEmpty() || System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS)) {
            // Closing connections linger a little; the loops may stop when that is over.
            return vertx.timer(connections.isEmpty() && counters.totalConnections.sum() == 0 ? 1 : 300)
                    .mapEmpty();
        }
        return vertx.timer(10).compose(ignored -> awaitChannelsClosed(since));
    }

    @Override
    public void close() {
        try {
            stop().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the broker did not stop cleanly", e);
        }
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        var _ = lanes.loops().getFirst().loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    // For connections.

    Lanes lanes() {
        return lanes;
    }

    VertxInternal vertx() {
        return (VertxInternal) vertx;
    }

    LocalRegistry registry() {
        return registry;
    }

    Counters counters() {
        return counters;
    }

    Authenticator authenticator() {
        return authenticator;
    }

    TlsContexts clientTls() {
        return clientTls;
    }

    TlsContexts webSocketTls() {
        return webSocketTls;
    }

    long nextId() {
        return ids.incrementAndGet();
    }

    /** A text for the client to sign, or null when none is needed. */
    String newNonce() {
        if (!authenticator.needsNonce()) {
            return null;
        }
        byte[] random = new byte[NONCE_BYTES];
        nonces.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    Duration pingInterval(ConnectionType type) {
        WebSocketOptions webSocket = options.webSocket();
        boolean own = type == ConnectionType.WEBSOCKET && webSocket != null && webSocket.pingInterval() != null;
        return own ? webSocket.pingInterval() : options.pingInterval();
    }

    Duration authTimeout(ConnectionType type) {
        WebSocketOptions webSocket = options.webSocket();
        boolean own = type == ConnectionType.WEBSOCKET && webSocket != null && webSocket.authTimeout() != null;
        return own ? webSocket.authTimeout() : options.authTimeout();
    }

    /** @param boundTo account the client is told it is bound to, or null */
    byte[] info(ClientConnection connection, int maxPayload, boolean ldm, LocalAccount boundTo) {
        return ServerInfo.line(this, connection, maxPayload, ldm, boundTo);
    }

    /** Takes a new connection in; false when there are too many, and it is being closed. */
    boolean admit(ClientConnection connection) {
        counters.totalConnections.increment();
        int most = options.maxConnections();
        if (most >= 0 && connections.size() >= most) {
            connection.close(ClosedReason.MAX_CONNECTIONS_EXCEEDED, ErrorText.CONNECTIONS);
            return false;
        }
        connections.put(connection.id(), connection);
        LOG.debug("{} - Client connection created", connection.label());
        return true;
    }

    void connected(ClientConnection connection) {
        log(connection, "connected to account {}", connection.account().name());
        tell(listener -> listener.connected(connection));
        accountConnectionsChanged((LocalAccount) connection.account());
    }

    void accountConnectionsChanged(LocalAccount account) {
        tell(listener -> listener.accountConnectionsChanged(account));
    }

    void authenticationFailed(ClientConnection connection, AuthResult.Rejected rejected) {
        counters.authenticationErrors.increment();
        log(connection, "authentication failed: {}", rejected.detail());
        tell(listener -> listener.authenticationFailed(connection, rejected.reason(), rejected.detail()));
    }

    void slowConsumer(ClientConnection connection, ClosedReason reason) {
        boolean pending = reason == ClosedReason.SLOW_CONSUMER_PENDING_BYTES;
        (pending ? counters.slowPending : counters.slowDeadline).increment();
        LocalAccount account = connection.boundAccount();
        if (account != null) {
            account.slowConsumers.increment();
        }
        LOG.info("cid:{} is a slow consumer: {}", connection.id(), reason);
        tell(listener -> listener.slowConsumer(connection, reason));
    }

    /** A connection came to its end; its account is still set. */
    void ended(ClientConnection connection, ClosedReason reason) {
        connections.remove(connection.id(), connection);
        closed.add(Snapshots.of(connection, Instant.now(), reason, true), options.maxClosedClients());
        log(connection, "Client connection closed: {}", reason.text());
        if (connection.account() != null) {
            tell(listener -> listener.disconnected(connection, reason));
        }
    }

    private void tell(Consumer<BrokerEvents> event) {
        for (BrokerEvents listener : events) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.error("a listener of broker events failed", e);
            }
        }
    }

    void log(ClientConnection connection, String text, Object detail) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("{} - " + text, connection.label(), detail);
        }
    }

    // For monitoring.

    @Override
    public List<Connection> connections() {
        return new ArrayList<>(connections.values());
    }

    @Override
    public Connection connection(long id) {
        return connections.get(id);
    }

    @Override
    public List<ConnectionSnapshot> openConnections(boolean withSubscriptions) {
        return connections.values().stream()
                .map(connection -> Snapshots.of(connection, null, null, withSubscriptions))
                .toList();
    }

    @Override
    public List<ConnectionSnapshot> closedConnections() {
        return closed.all();
    }

    @Override
    public BrokerStats stats() {
        return Snapshots.stats(this, started, connections.size(), TrafficStats.NONE);
    }

    @Override
    public InterestStats interestStats(String account) {
        if (account == null) {
            return Snapshots.interest(registry.locals());
        }
        LocalAccount one = (LocalAccount) registry.find(account);
        return Snapshots.interest(one == null ? List.of() : List.of(one));
    }
}
