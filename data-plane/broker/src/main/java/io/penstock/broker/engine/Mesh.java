package io.penstock.broker.engine;

import io.netty.channel.Channel;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.auth.Secrets;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.NodeDescription;
import io.penstock.broker.route.RouteAddress;
import io.penstock.broker.route.RouteInfo;
import io.penstock.broker.route.RouteSlots;
import io.penstock.broker.route.RouteSnapshot;
import io.penstock.broker.route.RouteTotals;
import io.vertx.core.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other nodes of the cluster. Who is there is decided on one event loop, the first; routes live on all of them.
 */
final class Mesh implements ClusterView {
    private static final Logger LOG = LoggerFactory.getLogger(Mesh.class);
    private static final RemoteNode[] NOBODY = {};

    private final BrokerEngine engine;
    private final LoopLane lane;
    private final Listeners listener;
    private final Dials dials;
    private final MeshCounters counters = new MeshCounters();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<RouteConnection> connections = ConcurrentHashMap.newKeySet();

    /** The mesh's thread. */
    private final Map<String, RemoteNode> byId = new LinkedHashMap<>();

    /** Names of nodes that listeners were told are gone because their hosts refuse; the mesh's thread. */
    private final Set<String> toldRefused = new HashSet<>();

    private volatile boolean stopped;
    private volatile boolean lameDuck;
    private volatile InetSocketAddress address;
    private volatile RouteTls tls;
    private volatile RouteInfo info;
    private volatile String dialSecret;
    private volatile int expected;
    /** Whether there has ever been another node. */
    private volatile boolean metOthers;

    /** Nodes with routes, for those who tell of interest. */
    private volatile RemoteNode[] active = NOBODY;

    private volatile Map<String, NodeDescription> nodes = Map.of();
    private volatile List<String> clientUrls = List.of();
    private volatile List<String> webSocketUrls = List.of();

    Mesh(BrokerEngine engine) {
        this.engine = engine;
        this.lane = engine.lanes().loops().getFirst();
        this.listener = new Listeners(engine.vertx(), engine.lanes().loops());
        this.dials = new Dials(this);
        ClusterOptions cluster = engine.options().cluster();
        this.expected = 1
                + (int) cluster.routes().stream()
                        .map(RouteAddress::hostPort)
                        .distinct()
                        .filter(one -> !one.equals(cluster.host() + ":" + cluster.port()))
                        .count();
    }

    BrokerEngine engine() {
        return engine;
    }

    LoopLane lane() {
        return lane;
    }

    ClusterOptions options() {
        return engine.options().cluster();
    }

    MeshCounters counters() {
        return counters;
    }

    RouteTls tls() {
        return tls;
    }

    RouteInfo info() {
        return info;
    }

    /** The secret shown to nodes whose address names none. */
    String dialSecret() {
        return dialSecret;
    }

    InetSocketAddress address() {
        return address;
    }

    // Life.

    /** Opens the listener and begins to dial; after the clients' listeners. */
    Future<Void> start() {
        ClusterOptions cluster = options();
        try {
            load(cluster);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        return listener.open("routes", cluster.host(), cluster.port(), (channel, on) -> take(channel, on, null))
                .onSuccess(bound -> {
                    address = bound;
                    refreshInfo();
                    lane.loop.execute(this::begin);
                })
                .mapEmpty();
    }

    private void begin() {
        dials.configure(options().routes());
        targetsChanged();
        long gossip = Math.max(1000, options().pingInterval().toMillis());
        var _ = lane.loop.scheduleAtFixedRate(this::gossipAll, gossip, gossip, TimeUnit.MILLISECONDS);
    }

    private void load(ClusterOptions cluster) {
        tls = cluster.tls() == null ? null : RouteTls.of(cluster.tls());
        String secret = cluster.password();
        if (secret != null && Secrets.isHashed(secret)) {
            secret = cluster.routes().stream()
                    .map(RouteAddress::password)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        dialSecret = secret;
    }

    /** Takes over options that may change; the engine has them already. */
    void reload() {
        load(options());
        refreshInfo();
        lane.loop.execute(() -> {
            dials.configure(options().routes());
            targetsChanged();
            tellAll();
            urlsChanged();
        });
    }

    /** Tells the other nodes that clients should come no more. */
    void lameDuck() {
        lameDuck = true;
        refreshInfo();
        lane.loop.execute(() -> {
            tellAll();
            urlsChanged();
        });
    }

    /** Accepts no more routes; those there are stay. */
    Future<Void> unbind() {
        return listener.unbind();
    }

    /** Closes all routes when what waits for them is sent. */
    void stop() {
        stopped = true;
        lane.loop.execute(dials::stop);
        connections.forEach(route -> route.close(ClosedReason.SERVER_SHUTDOWN, null));
    }

    /** All routes, those of the greeting too. */
    Set<RouteConnection> connections() {
        return connections;
    }

    private void refreshInfo() {
        ClusterOptions cluster = options();
        InetSocketAddress bound = address;
        String host = cluster.host();
        int port = bound == null ? cluster.port() : bound.getPort();
        if (cluster.advertise() != null) {
            int colon = cluster.advertise().lastIndexOf(':');
            boolean hasPort = colon > cluster.advertise().lastIndexOf(']');
            host = hasPort ? cluster.advertise().substring(0, colon) : cluster.advertise();
            port = hasPort ? Integer.parseInt(cluster.advertise().substring(colon + 1)) : port;
        }
        boolean silent = cluster.noAdvertise() || lameDuck;
        Set<String> dedicated = new TreeSet<>(cluster.accounts());
        dedicated.add(engine.registry().system().name());
        info = new RouteInfo(
                self(),
                host,
                port,
                "",
                engine.identity().cluster() == null,
                cluster.user() != null,
                tls != null,
                engine.options().maxPayload(),
                silent ? List.of() : ownClientUrls(),
                silent ? List.of() : ownWebSocketUrls(),
                cluster.poolSize(),
                -1,
                dedicated,
                cluster.compression(),
                lameDuck);
    }

    /** Takes a socket in, of somebody who dialled or was dialled; on its loop. False when it is too late. */
    boolean take(Channel channel, LoopLane on, RouteDial dial) {
        if (stopped) {
            var _ = channel.close();
            return false;
        }
        ClientListener.tune(channel);
        RouteConnection route = new RouteConnection(this, on, channel, options(), dial);
        connections.add(route);
        var _ = route.ended.thenRun(() -> {
            connections.remove(route);
            counters.add(route);
        });
        channel.pipeline().addLast("route", new RouteInput(route));
        route.session.start();
        return true;
    }

    // Who is there, on the mesh's thread.

    /** A route has introduced itself: it is opened or refused. */
    void register(RouteConnection route) {
        lane.loop.execute(() -> judge(route));
    }

    private void judge(RouteConnection route) {
        NodeDescription said = route.remote().node();
        if (stopped) {
            answer(route, ClosedReason.SERVER_SHUTDOWN, null);
        } else if (said.serverId().equals(engine.identity().id())) {
            answer(route, ClosedReason.DUPLICATE_ROUTE, ErrorText.DUPLICATE_ROUTE);
        } else if (said.name().equals(engine.identity().name())) {
            refuseName(route);
        } else {
            RemoteNode other = named(said.name());
            if (other != null && !other.id.equals(said.serverId())) {
                replaceOrRefuse(other, route);
            } else {
                admit(route);
            }
        }
    }

    private static void answer(RouteConnection route, ClosedReason reason, String error) {
        route.onLoop(() -> route.session.refuse(reason, error));
    }

    private void refuseName(RouteConnection route) {
        String name = route.remote().node().name();
        LOG.error("{} - rid:{} - Remote server has a duplicate name: \"{}\"", route.host(), route.id, name);
        answer(route, ClosedReason.DUPLICATE_SERVER_NAME, "Remote server has a duplicate name: \"" + name + "\"");
    }

    /**
     * Two processes of one name: the same node after a restart whose former connections have not been found dead yet, or
     * a mistake. Nobody but a restarted node can listen where the former one did.
     */
    private void replaceOrRefuse(RemoteNode known, RouteConnection route) {
        RouteInfo said = route.remote();
        boolean samePlace = said.port() == known.info.port() && said.host().equals(known.info.host());
        if (samePlace && !ClientUrls.isAny(said.host())) {
            CompletableFuture<?>[] gone = known.open().stream()
                    .map(connection -> {
                        connection.close(ClosedReason.STALE_CONNECTION, null);
                        return connection.ended;
                    })
                    .toArray(CompletableFuture[]::new);
            var _ = CompletableFuture.allOf(gone).thenRun(() -> lane.loop.execute(() -> judge(route)));
            return;
        }
        known.probe();
        refuseName(route);
    }

    private void admit(RouteConnection route) {
        RouteInfo said = route.remote();
        RemoteNode node = byId.computeIfAbsent(said.node().serverId(), id -> new RemoteNode(said, route.slots()));
        if (!node.slots.equals(route.slots())) {
            // Its options changed while routes were open; the rest follows as they close.
            answer(route, ClosedReason.DUPLICATE_ROUTE, ErrorText.DUPLICATE_ROUTE);
            return;
        }
        RouteConnection there = node.at(route.slot());
        if (there == null || there.isClosing()) {
            open(node, route);
            return;
        }
        boolean sameSide = there.dialler().equals(route.dialler());
        if (!sameSide && there.dialler().compareTo(route.dialler()) < 0) {
            // Both dialled at once: the one dialled by the lower id stays, on both sides.
            answer(route, ClosedReason.DUPLICATE_ROUTE, ErrorText.DUPLICATE_ROUTE);
            return;
        }
        there.close(ClosedReason.DUPLICATE_ROUTE, ErrorText.DUPLICATE_ROUTE);
        // Interest must never stand twice, or messages would go twice.
        var _ = there.ended.thenRun(() -> lane.loop.execute(() -> judge(route)));
    }

    private void open(RemoteNode node, RouteConnection route) {
        boolean first = route.slot() == 0;
        metOthers = true;
        node.set(route.slot(), route);
        node.info = route.remote();
        activate();
        route.onLoop(route.session::open);
        if (first) {
            node.address = addressOf(route);
            gossip(node);
            learnt(node);
            urlsChanged();
        }
        if (node.isComplete() && !node.announced) {
            announce(node);
        }
    }

    /** So that this side dials too when the route is lost. */
    private void learnt(RemoteNode node) {
        if (node.address != null) {
            dials.learnt(node.id, node.name, node.address);
        }
    }

    private void announce(RemoteNode node) {
        node.announced = true;
        toldRefused.remove(node.name);
        LOG.info("Node {} is connected", node.name);
        refreshNodes();
        tell(one -> one.nodeUp(node.info.node()));
    }

    /** A route that had been put to {@link #register} has ended; from any thread. */
    void closed(RouteConnection route) {
        lane.loop.execute(() -> forget(route));
    }

    private void forget(RouteConnection route) {
        RemoteNode node = byId.get(route.remote().node().serverId());
        if (node == null || route.slot() >= node.slots.count() || node.at(route.slot()) != route) {
            return;
        }
        node.set(route.slot(), null);
        activate();
        if (node.isEmpty()) {
            byId.remove(node.id);
            activate();
            refreshNodes();
            urlsChanged();
            if (node.announced) {
                LOG.info("Node {} is gone", node.name);
                tell(one -> one.nodeDown(node.name, false));
            }
        }
        dials.lost(node);
    }

    /** Nobody listens any more where this node did. */
    void refused(String name) {
        if (named(name) == null && toldRefused.add(name)) {
            tell(one -> one.nodeDown(name, true));
        }
    }

    private RemoteNode named(String name) {
        for (RemoteNode node : byId.values()) {
            if (node.name.equals(name)) {
                return node;
            }
        }
        return null;
    }

    RemoteNode node(String id) {
        return id == null ? null : byId.get(id);
    }

    /** Whether a dialled node has the connection already that was dialled for; from any thread. */
    boolean isDuplicate(RouteInfo said, RouteDial dial) {
        for (RemoteNode node : active) {
            if (node.id.equals(said.node().serverId())) {
                RouteConnection there = dial.slot() < node.slots.count() ? node.at(dial.slot()) : null;
                return there != null && !there.isClosing();
            }
        }
        return false;
    }

    private void activate() {
        active = byId.values().stream().filter(node -> !node.isEmpty()).toArray(RemoteNode[]::new);
    }

    private void refreshNodes() {
        Map<String, NodeDescription> there = new LinkedHashMap<>();
        for (RemoteNode node : byId.values()) {
            if (node.announced) {
                there.put(node.name, node.info.node());
            }
        }
        nodes = Map.copyOf(there);
    }

    /** Which addresses lead back here, or to one node, may have become known. */
    void targetsChanged() {
        Set<String> others = new HashSet<>();
        for (Dials.Target target : dials.targets()) {
            if (target.configured && !target.self) {
                others.add(target.nodeName == null ? target.address.hostPort() : target.nodeName);
            }
        }
        expected = others.size() + 1;
    }

    /** Whether an address is that of this node's own listener, as far as can be seen without dialling it. */
    boolean isOwn(RouteAddress target) {
        InetSocketAddress bound = address;
        if (bound == null || bound.getPort() != target.port()) {
            return false;
        }
        String host = options().host();
        return host.equals(target.host())
                || (ClientUrls.isAny(host) && ClientUrls.ownAddresses().contains(target.host()));
    }

    // What nodes tell each other.

    private RouteAddress addressOf(RouteConnection route) {
        RouteInfo said = route.remote();
        if (said.port() <= 0) {
            return null;
        }
        String host = ClientUrls.isAny(said.host()) ? route.host() : said.host();
        return new RouteAddress(host, said.port(), null, null);
    }

    /** Tells a new node of all others, and all others of it. */
    private void gossip(RemoteNode fresh) {
        for (RemoteNode other : byId.values()) {
            if (other != fresh) {
                tell(other, fresh);
                tell(fresh, other);
            }
        }
    }

    private void gossipAll() {
        byId.values().forEach(this::gossip);
    }

    private static void tell(RemoteNode to, RemoteNode about) {
        RouteConnection route = to.at(0);
        if (route != null && about.address != null) {
            byte[] line = about.info.asGossip(about.address).line();
            route.onLoop(() -> route.session.sendWhenOpen(line));
        }
    }

    /** Tells every node what this one says of itself now. */
    private void tellAll() {
        byte[] line = info.line();
        for (RemoteNode node : byId.values()) {
            RouteConnection route = node.at(0);
            if (route != null) {
                route.onLoop(() -> route.session.sendWhenOpen(line));
            }
        }
    }

    /** INFO came on an open route: of the other side, or of a third node. From any thread. */
    void informed(RouteConnection route, RouteInfo said) {
        lane.loop.execute(() -> {
            RemoteNode node = byId.get(route.remote().node().serverId());
            if (node == null) {
                return;
            }
            if (said.node().serverId().equals(node.id)) {
                boolean changed = !said.node().equals(node.info.node());
                node.info = said;
                urlsChanged();
                if (changed && node.announced) {
                    refreshNodes();
                    tell(one -> one.nodeUp(said.node()));
                }
            } else if (!said.gossip().isEmpty()
                    && !said.node().serverId().equals(engine.identity().id())) {
                heardOf(said);
            }
        });
    }

    private void heardOf(RouteInfo said) {
        if (byId.containsKey(said.node().serverId())) {
            return;
        }
        try {
            RouteAddress there = RouteAddress.parse(said.gossip());
            if (!isOwn(there)) {
                dials.learnt(said.node().serverId(), said.node().name(), there);
            }
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "another node tells of {} with an address that cannot be read: {}",
                    said.node().name(),
                    e);
        }
    }

    private void urlsChanged() {
        List<List<String>> clients = new ArrayList<>();
        List<List<String>> webSockets = new ArrayList<>();
        if (!options().noAdvertise()) {
            for (RemoteNode node : byId.values()) {
                clients.add(node.info.clientUrls());
                webSockets.add(node.info.webSocketUrls());
            }
        }
        boolean silent = lameDuck || options().noAdvertise();
        List<String> allClients = ClientUrls.all(silent ? List.of() : ownClientUrls(), clients);
        List<String> allWebSockets = ClientUrls.all(silent ? List.of() : ownWebSocketUrls(), webSockets);
        if (!allClients.equals(clientUrls) || !allWebSockets.equals(webSocketUrls)) {
            clientUrls = allClients;
            webSocketUrls = allWebSockets;
            engine.tellClients();
        }
    }

    private List<String> ownClientUrls() {
        return ClientUrls.own(engine.options(), engine.clientAddress());
    }

    private List<String> ownWebSocketUrls() {
        return ClientUrls.ownWebSocket(engine.options(), engine.webSocketAddress());
    }

    /** Whether clients are to be told of addresses: not by a node that has always been alone. */
    boolean hasMetOthers() {
        return metOthers;
    }

    List<String> clientUrls() {
        return clientUrls;
    }

    List<String> webSocketUrls() {
        return webSocketUrls;
    }

    // Interest, from any thread.

    void interestChanged(Interest interest) {
        for (RemoteNode node : active) {
            RouteSlots slots = node.slots;
            RouteConnection route = node.at(slots.count() == 1 ? 0 : slots.of(interest.account()));
            if (route != null) {
                route.feed.mark(interest);
            }
        }
    }

    /** An account came to be here; other nodes may have wanted something of it before it was forgotten. */
    void accountCreated(LocalAccount account) {
        for (RemoteNode node : active) {
            RouteConnection route = node.at(node.slots.of(account.name()));
            if (route != null) {
                route.onLoop(() -> route.interest.accountCreated(account));
            }
        }
    }

    // The view.

    @Override
    public NodeDescription self() {
        return engine.describe();
    }

    @Override
    public Map<String, NodeDescription> nodes() {
        return nodes;
    }

    @Override
    public int expectedNodes() {
        return expected;
    }

    @Override
    public void addListener(Listener added) {
        lane.loop.execute(() -> {
            listeners.add(added);
            nodes.values().forEach(added::nodeUp);
        });
    }

    @Override
    public void doubt(String name) {
        lane.loop.execute(() -> {
            RemoteNode node = named(name);
            if (node != null) {
                node.probe();
            }
        });
    }

    private void tell(Consumer<Listener> event) {
        for (Listener one : listeners) {
            try {
                event.accept(one);
            } catch (RuntimeException e) {
                LOG.error("a listener of the cluster failed", e);
            }
        }
    }

    RouteTotals totals() {
        int routes = 0;
        TrafficStats traffic = counters.traffic();
        RemoteNode[] there = active;
        for (RemoteNode node : there) {
            for (RouteConnection route : node.open()) {
                routes++;
                traffic = traffic.plus(new TrafficStats(
                        route.session.inMessages(), route.session.inBytes(), route.outMessages(), route.outBytes(), 0));
            }
        }
        return new RouteTotals(routes, there.length, traffic, counters.stale.sum());
    }

    List<RouteSnapshot> snapshots(boolean withInterest) {
        Set<String> configured = new HashSet<>();
        for (RouteAddress one : options().routes()) {
            configured.add(one.hostPort());
        }
        List<RouteSnapshot> all = new ArrayList<>();
        for (RemoteNode node : active) {
            RouteAddress where = node.address;
            boolean named = where != null && configured.contains(where.hostPort());
            for (RouteConnection route : node.open()) {
                all.add(route.snapshot(named, withInterest));
            }
        }
        return all;
    }
}
