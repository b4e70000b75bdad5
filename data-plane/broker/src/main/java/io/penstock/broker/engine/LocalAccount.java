package io.penstock.broker.engine;

import io.penstock.broker.Account;
import io.penstock.broker.AccountLimits;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.InterestListener;
import io.penstock.broker.MessageTarget;
import io.penstock.broker.SubjectRewrite;
import io.penstock.broker.Subscription;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.route.WireName;
import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.SubjectTree;
import io.penstock.protocol.Subjects;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** One tenant's interest graph, connections and limits. */
final class LocalAccount implements Account {
    final SubjectTree<Sub> tree = new SubjectTree<>(Sub[]::new);

    private final BrokerEngine engine;
    private final String name;
    private final AccountLane[] lanes;
    private final InterestWatches watches = new InterestWatches(this);
    private final List<InterestListener> listeners = new CopyOnWriteArrayList<>();
    final LongAdder slowConsumers = new LongAdder();

    /** Under {@link #lock}: bound connections in order of binding. */
    private final Map<Long, ClientConnection> connections = new LinkedHashMap<>();

    /** Shadows by the subscription they stand for. */
    private final Map<Sub, List<Sub>> shadows = new ConcurrentHashMap<>();

    private final Object lock = new Object();

    private final LocalInterest interest = new LocalInterest();
    private final LongAdder remoteSubscriptions = new LongAdder();
    private final byte[] routePrefix;
    private final InternalOrigin routedOrigin;
    private volatile boolean gone;

    /** Under {@link #lock}: numbers of other nodes by name. */
    private final Map<String, Elsewhere> elsewhere = new HashMap<>();

    private volatile int remoteConnections;
    private volatile int remoteLeafNodes;
    private volatile int connectionCount;
    private volatile int clientSubscriptions;
    private volatile String publicName;
    private volatile boolean system;
    private volatile AccountLimits limits = AccountLimits.UNLIMITED;
    private volatile JetStreamLimits jetStream;
    private volatile SubjectMappings mappings = SubjectMappings.NONE;

    LocalAccount(BrokerEngine engine, String name) {
        this.engine = engine;
        this.name = name;
        this.publicName = name;
        this.lanes = new AccountLane[engine.lanes().count()];
        this.routePrefix = (WireName.encode(name) + " ").getBytes(StandardCharsets.US_ASCII);
        this.routedOrigin = new InternalOrigin(ConnectionKind.ROUTER, name);
    }

    /** What the lane keeps for this account; on the lane's thread. */
    AccountLane lane(Lane lane) {
        AccountLane state = lanes[lane.index];
        if (state == null) {
            state = new AccountLane();
            lanes[lane.index] = state;
        }
        return state;
    }

    Iterable<AccountLane> laneStates() {
        List<AccountLane> states = new ArrayList<>();
        for (AccountLane state : lanes) {
            if (state != null) {
                states.add(state);
            }
        }
        return states;
    }

    // Connections.

    /** Numbers of other nodes. */
    private record Elsewhere(int connections, int leafNodes) {}

    /** Binds a connection; false when the limit is reached. */
    boolean admit(ClientConnection connection) {
        synchronized (lock) {
            long most = limits.maxConnections();
            if (most >= 0 && connections.size() + remoteConnections >= most) {
                return false;
            }
            connections.put(connection.id(), connection);
            connectionCount = connections.size();
        }
        return true;
    }

    void release(ClientConnection connection) {
        synchronized (lock) {
            if (connections.remove(connection.id()) == null) {
                return;
            }
            connectionCount = connections.size();
        }
        engine.accountConnectionsChanged(this);
    }

    @Override
    public Collection<Connection> connections() {
        synchronized (lock) {
            return new ArrayList<>(connections.values());
        }
    }

    @Override
    public int connectionCount() {
        return connectionCount;
    }

    @Override
    public int remoteConnectionCount() {
        return remoteConnections;
    }

    @Override
    public int remoteLeafNodeCount() {
        return remoteLeafNodes;
    }

    @Override
    public void setRemoteConnections(String node, int count, int leafNodes) {
        synchronized (lock) {
            if (count == 0 && leafNodes == 0) {
                elsewhere.remove(node);
            } else {
                elsewhere.put(node, new Elsewhere(count, leafNodes));
            }
            int sum = 0;
            int leafs = 0;
            for (Elsewhere one : elsewhere.values()) {
                sum += one.connections();
                leafs += one.leafNodes();
            }
            remoteConnections = sum;
            remoteLeafNodes = leafs;
        }
        closeExcess();
    }

    /** Closes the newest connections above the limit. */
    private void closeExcess() {
        List<Connection> bound;
        int excess;
        synchronized (lock) {
            excess = excessHere();
            if (excess == 0) {
                return;
            }
            bound = new ArrayList<>(connections.values());
        }
        bound.sort(Comparator.comparingLong(Connection::id));
        for (Connection one : bound.subList(bound.size() - excess, bound.size())) {
            one.close(ClosedReason.MAX_ACCOUNT_CONNECTIONS_EXCEEDED, ErrorText.ACCOUNT_CONNECTIONS);
        }
    }

    /** This node's part of what is above the limit: nodes give way in the order of their names, the last first. */
    private int excessHere() {
        long most = limits.maxConnections();
        long excess = most < 0 ? 0 : connections.size() + remoteConnections - most;
        for (Map.Entry<String, Elsewhere> other : elsewhere.entrySet()) {
            if (excess > 0 && other.getKey().compareTo(engine.identity().name()) > 0) {
                excess -= other.getValue().connections();
            }
        }
        return Math.clamp(excess, 0, connections.size());
    }

    @Override
    public void updateLimits(AccountLimits changed) {
        limits = changed;
        List<Connection> bound = new ArrayList<>(connections());
        for (Connection connection : bound) {
            ClientConnection client = (ClientConnection) connection;
            client.onLoop(() -> client.session.refreshLimits(true));
        }
        closeExcess();
    }

    // The graph.

    void add(Sub sub) {
        if (!sub.isReported()) {
            // No account lock: shadows are added while that of another account is held.
            tree.add(sub.pattern, sub.queue, sub);
        } else {
            synchronized (lock) {
                tree.add(sub.pattern, sub.queue, sub);
                clientSubscriptions += sub.connection == null ? 0 : 1;
                for (InterestListener listener : listeners) {
                    listener.subscribed(sub);
                }
            }
        }
        afterChange(sub, true);
    }

    private void afterChange(Sub sub, boolean added) {
        if (sub.isRemote()) {
            remoteSubscriptions.add(added ? 1 : -1);
        } else if (sub.isPropagated() && engine.mesh() != null) {
            Interest told = new Interest(name, sub.pattern, sub.queue);
            if (added ? interest.add(told) : interest.remove(told)) {
                engine.mesh().interestChanged(told);
            }
        }
        watches.changed(sub.pattern);
    }

    /** What other nodes are told this one wants. */
    LocalInterest interest() {
        return interest;
    }

    /** Subscriptions of this node, without those of others. */
    int localSubscriptions() {
        return tree.size() - remoteSubscriptions.intValue();
    }

    /** The name as routes carry it, and a blank, as routed messages carry it. */
    byte[] routePrefix() {
        return routePrefix;
    }

    /** Who messages that come over routes are from. */
    InternalOrigin routedOrigin() {
        return routedOrigin;
    }

    /** Whether the registry has forgotten it. */
    boolean isGone() {
        return gone;
    }

    void forgotten() {
        gone = true;
        List<Interest> told = List.copyOf(interest.all());
        if (engine.mesh() != null) {
            told.forEach(engine.mesh()::interestChanged);
        }
    }

    void remove(Sub sub) {
        if (!sub.markRemoved()) {
            return;
        }
        if (!sub.isReported()) {
            tree.remove(sub.pattern, sub.queue, sub);
        } else {
            synchronized (lock) {
                tree.remove(sub.pattern, sub.queue, sub);
                clientSubscriptions -= sub.connection == null ? 0 : 1;
                for (InterestListener listener : listeners) {
                    listener.unsubscribed(sub);
                }
            }
        }
        afterChange(sub, false);
        List<Sub> orphans = shadows.remove(sub);
        if (orphans != null) {
            orphans.forEach(Sub::remove);
        }
    }

    @Override
    public Subscription subscribe(String pattern, String queue, MessageTarget target) {
        requireValid(pattern, queue);
        Sub sub = Sub.ofFunction(this, pattern, queue, target);
        add(sub);
        return sub;
    }

    @Override
    public Subscription subscribeLocal(String pattern, String queue, MessageTarget target) {
        requireValid(pattern, queue);
        Sub sub = Sub.ofFunction(this, pattern, queue, target);
        sub.local = true;
        add(sub);
        return sub;
    }

    /** As {@link #subscribe}, but imports serve it as they serve clients: for what JetStream takes in. */
    Subscription subscribeListed(String pattern, String queue, MessageTarget target) {
        requireValid(pattern, queue);
        Sub sub = Sub.ofFunction(this, pattern, queue, target);
        sub.listed = true;
        add(sub);
        return sub;
    }

    @Override
    public Subscription subscribeShadow(Subscription original, String pattern, SubjectRewrite rewrite) {
        requireValid(pattern, null);
        Sub of = (Sub) original;
        Sub shadow = Sub.shadow(this, pattern, of, rewrite);
        shadow.filter = of.filter;
        shadow.local = of.local;
        of.account.keepShadow(of, shadow);
        add(shadow);
        if (of.isRemoved()) {
            of.account.shadows.remove(of);
            shadow.remove();
        }
        return shadow;
    }

    private void keepShadow(Sub of, Sub shadow) {
        shadows.compute(of, (key, before) -> {
            List<Sub> all = before == null ? new ArrayList<>() : new ArrayList<>(before);
            all.removeIf(Sub::isRemoved);
            all.add(shadow);
            return all;
        });
    }

    private static void requireValid(String pattern, String queue) {
        if (!Subjects.isValidPattern(pattern)) {
            throw new IllegalArgumentException("not a valid subject pattern: \"" + pattern + "\"");
        }
        if (queue != null && queue.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException("not a valid queue group: \"" + queue + "\"");
        }
    }

    @Override
    public Collection<Subscription> subscriptions() {
        List<Subscription> all = new ArrayList<>();
        tree.forEach(sub -> {
            if (!sub.isRemote()) {
                all.add(sub);
            }
        });
        return all;
    }

    @Override
    public int subscriptionCount() {
        return clientSubscriptions;
    }

    @Override
    public boolean hasInterest(String subject) {
        byte[] bytes = subject.getBytes(StandardCharsets.ISO_8859_1);
        return tree.hasInterest(bytes, 0, bytes.length);
    }

    /** Whether a subscription names just this subject. */
    boolean hasSubscription(String subject) {
        SubjectTree.Match<Sub> match = tree.match(subject);
        return names(match.plain(), subject) || Arrays.stream(match.queues()).anyMatch(queue -> names(queue, subject));
    }

    private static boolean names(Sub[] subs, String subject) {
        return Arrays.stream(subs).anyMatch(sub -> sub.pattern.equals(subject));
    }

    InterestWatches watches() {
        return watches;
    }

    @Override
    public void addInterestListener(InterestListener listener) {
        synchronized (lock) {
            tree.forEach(sub -> {
                if (sub.isReported()) {
                    listener.subscribed(sub);
                }
            });
            listeners.add(listener);
        }
    }

    @Override
    public void removeInterestListener(InterestListener listener) {
        listeners.remove(listener);
    }

    @Override
    public InternalClient internalClient(ConnectionKind kind) {
        return new LocalClient(engine, this, new InternalOrigin(kind, name));
    }

    // Settings and counters.

    @Override
    public String name() {
        return name;
    }

    @Override
    public String publicName() {
        return publicName;
    }

    @Override
    public void setPublicName(String changed) {
        publicName = changed;
    }

    @Override
    public boolean isSystem() {
        return system;
    }

    void setSystem(boolean isSystem) {
        system = isSystem;
    }

    @Override
    public AccountLimits limits() {
        return limits;
    }

    @Override
    public JetStreamLimits jetStream() {
        return jetStream;
    }

    @Override
    public void updateJetStream(JetStreamLimits changed) {
        synchronized (lock) {
            boolean was = jetStream != null;
            jetStream = changed;
            if (changed != null) {
                engine.registry().enabled(this, changed);
            } else if (was) {
                engine.registry().disabled(this);
            }
        }
    }

    @Override
    public SubjectMappings mappings() {
        return mappings;
    }

    @Override
    public void updateMappings(SubjectMappings changed) {
        mappings = changed;
    }

    @Override
    public TrafficStats traffic() {
        TrafficStats sum = new TrafficStats(0, 0, 0, 0, slowConsumers.sum());
        for (AccountLane lane : laneStates()) {
            sum = sum.plus(new TrafficStats(lane.inMessages, lane.inBytes, lane.outMessages, lane.outBytes, 0));
        }
        return sum;
    }

    @Override
    public String toString() {
        return name;
    }
}
