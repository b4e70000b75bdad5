package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.storage.StoreFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * JetStream on a node: the engines of its placement groups, and the accounts whose streams lie in them. Everything runs
 * on one loop.
 *
 * <p>A node alone has one engine, {@link #SOLO}. A node of a cluster has that one for streams with one replica, and one
 * for each placement group it holds a replica of.
 */
public final class Host {
    /** The group of streams that only this node has. */
    public static final String SOLO = "solo";

    /** How often a group that is to be handed over puts into its log what came while it did so. */
    private static final int SETTLINGS = 3;

    private final GroupLoop loop;
    private final JetStreamOptions options;
    private final Random random;
    private final ApiHandler api;
    private final TreeMap<String, Engine> engines = new TreeMap<>();
    private final TreeMap<String, AccountRuntime> accounts = new TreeMap<>();
    private final LinkedHashSet<InternalClient> unflushed = new LinkedHashSet<>();
    private final Ledger ledger = new Ledger(null);
    private final BatchRoom batches;

    /** Changes of stream configurations: one at a time, each checked against the outcome of the one before. */
    private final ArrayDeque<Runnable> configurations = new ArrayDeque<>();

    private boolean configuring;
    private boolean turnScheduled;

    /** What the cluster's metadata says, null on a node alone. */
    private Assignments assignments;

    private ClusterApi clusterApi;
    private final RepairCounts repairCounts = new RepairCounts();
    private final Exporter exporter = new Exporter(this);
    private Peers peers = (node, request) ->
            CompletableFuture.failedFuture(new IllegalStateException("this node has no way to node " + node));
    private Elsewhere elsewhere = (account, tier) -> Resources.Usage.NONE;

    private final LeaderNews news = new LeaderNews(this);

    private final Unanswered unanswered = new Unanswered();

    /** Whether accounts may be served. */
    private boolean serving;

    private boolean stopped;

    /** Whoever answers the API's requests; given at construction so that this package knows nothing of the API. */
    public interface ApiHandler {
        /** Handles a request; on the loop. */
        void handle(ApiCall call);

        /**
         * Tells whoever asked for a stream, or for a change of it, how it went; on the loop, by the group's leader.
         *
         * @param stream the stream, null when it was refused
         * @param refused why, or null
         */
        default void assigned(
                AccountRuntime account, StreamAssignment assignment, StreamRuntime stream, ApiError refused) {}
    }

    public Host(GroupLoop loop, JetStreamOptions options, Random random, ApiHandler api) {
        this.loop = loop;
        this.options = options;
        this.random = random;
        this.api = api;
        this.batches =
                new BatchRoom(null, options.batches().total(), options.batches().maxTotalBytes());
    }

    /** Makes this node a member of a cluster; to be called before any engine is opened. */
    public void join(Assignments view, ClusterApi cluster) {
        assignments = view;
        clusterApi = cluster;
    }

    /** In a cluster, begins to answer accounts. A node alone does so when its log is ready. */
    public void serve() {
        serving = true;
        accounts.values().forEach(AccountRuntime::serve);
    }

    // --- engines --------------------------------------------------------------------------------------------------

    /** Takes in a group; {@link Engine#start} starts it. */
    public Engine open(String group, ReplicatedLog log, StoreFactory stores, Parts parts) {
        Engine engine = new Engine(this, group, log, stores, parts, !group.equals(SOLO));
        engines.put(group, engine);
        return engine;
    }

    /** Lets a group go: its streams are not led here any more. The caller closes the log and then the stores. */
    public void close(String group) {
        Engine engine = engines.remove(group);
        if (engine != null) {
            engine.dismiss();
            news.forget(group);
            flushClients();
        }
    }

    /** The engine of a group, or null when this node has no replica of it. */
    public Engine engine(String group) {
        return engines.get(group);
    }

    public Collection<Engine> engines() {
        return engines.values();
    }

    /** Stops serving: waiting requests are told, what is gathered goes into the logs. */
    public void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        news.stop();
        // First what consumers did: with them it is forgotten.
        engines.values().forEach(Engine::flush);
        accounts.values().forEach(AccountRuntime::stop);
        engines.values().forEach(Engine::stop);
        flushClients();
    }

    /**
     * Before leadership is handed over: groups led here hand nothing out any more until {@link #resume}, and once what
     * their consumers did is applied, this runs.
     */
    public void settle(Runnable then) {
        int[] left = {1};
        Runnable settled = () -> {
            if (--left[0] == 0) {
                then.run();
            }
        };
        for (Engine engine : engines.values()) {
            if (engine.replicated() && engine.leading()) {
                left[0]++;
                engine.settle(SETTLINGS, settled);
            }
        }
        settled.run();
    }

    /** What is led here still goes on, after {@link #settle}. */
    public void resume() {
        engines.values().forEach(Engine::resume);
    }

    /** The role of a group changed. */
    void roleChanged(Engine engine) {
        if (!clustered()) {
            if (engine.leading() && !serving) {
                serve();
            } else if (!engine.leading() && serving) {
                serving = false;
                accounts.values().forEach(AccountRuntime::unsubscribe);
            }
        }
        news.roleChanged(engine);
        flushClients();
    }

    /** Who is told of leaders. */
    LeaderNews news() {
        return news;
    }

    // --- what the metadata tells ------------------------------------------------------------------------------

    /** A stream was assigned to a group, or its assignment changed. May be told again. */
    public void streamAssigned(StreamAssignment assignment) {
        if (assignedEngine(assignment.group()) != null) {
            unanswered.add(assignment, loop.steady());
        }
        for (Engine engine : engines.values()) {
            engine.assigned(assignment);
        }
    }

    /** A stream was taken off the cluster. May be told again. */
    public void streamRemoved(String account, String stream, long generation) {
        for (Engine engine : engines.values()) {
            engine.unassigned(account, stream, generation);
        }
    }

    /** How often replicas had to be mended. Any thread. */
    public RepairCounts repairCounts() {
        return repairCounts;
    }

    /** How other nodes are asked; before {@link #serve}. */
    public void reach(Peers way) {
        peers = way;
    }

    /** Answers what another node asks through {@link Peers}. */
    public CompletionStage<byte[]> answer(byte[] request) {
        return exporter.answer(request);
    }

    CompletionStage<byte[]> ask(String node, byte[] request) {
        return node.equals(options.serverName()) ? answer(request) : peers.ask(node, request);
    }

    /** The engine of a group by its name in the metadata, or null when this node has no replica of it. */
    Engine assignedEngine(String group) {
        return group.equals(SOLO + ":" + options.serverName()) ? engines.get(SOLO) : engines.get(group);
    }

    public boolean clustered() {
        return assignments != null;
    }

    public Assignments assignments() {
        return assignments;
    }

    /** Who takes requests that concern the cluster; null on a node alone. */
    public ClusterApi clusterApi() {
        return clusterApi;
    }

    /** What accounts use in streams other nodes lead. */
    public interface Elsewhere {
        /** @param tier only streams with as many replicas, each once; 0 for all streams, each replica */
        Resources.Usage of(String account, int tier);
    }

    /** What accounts use on other nodes, to be counted towards their limits. */
    public void elsewhere(Elsewhere usage) {
        elsewhere = usage;
    }

    /** Requests that wait for a leader to answer them. */
    Unanswered unanswered() {
        return unanswered;
    }

    Resources.Usage elsewhere(String account, int tier) {
        return elsewhere.of(account, tier);
    }

    // --- accounts -------------------------------------------------------------------------------------------------

    /** The account of this name, made when it is not there yet. */
    public AccountRuntime account(String name) {
        return accounts.computeIfAbsent(name, n -> new AccountRuntime(this, n));
    }

    /** An account may use JetStream. */
    public void enable(String name, InternalClient client, JetStreamLimits limits) {
        account(name).enable(client, limits);
        soon();
    }

    /** An account may not use JetStream any more. */
    public void disable(String name) {
        AccountRuntime account = accounts.get(name);
        if (account != null) {
            account.disable();
        }
    }

    public Collection<AccountRuntime> accounts() {
        return accounts.values();
    }

    boolean serving() {
        return serving && !stopped;
    }

    boolean stopped() {
        return stopped;
    }

    // --- changes of configurations, on a node alone ---------------------------------------------------------------

    /** Runs a change of a stream's configuration once those before it are done; it must call {@link #configured}. */
    public void configure(Runnable change) {
        if (configuring) {
            configurations.add(change);
        } else {
            configuring = true;
            change.run();
        }
    }

    /** The change under way has its outcome. */
    public void configured() {
        Runnable next = configurations.poll();
        configuring = next != null;
        if (next != null) {
            loop.execute(next);
        }
    }

    // --- turns ----------------------------------------------------------------------------------------------------

    /** Lets the turn end soon: after what is already queued on the loop. */
    public void soon() {
        if (!turnScheduled) {
            turnScheduled = true;
            loop.execute(() -> {
                turnScheduled = false;
                engines.values().forEach(Engine::endTurn);
                flushClients();
            });
        }
    }

    /** Runs this when everything proposed before it, to any group led here, has its outcome. */
    public void afterPending(Runnable action) {
        List<Engine> all = new ArrayList<>(engines.values());
        Runnable next = action;
        for (Engine engine : all) {
            Runnable then = next;
            next = () -> engine.afterPending(then);
        }
        next.run();
    }

    /** The client has something to send at the end of the turn. */
    void touched(InternalClient client) {
        unflushed.add(client);
        soon();
    }

    void flushClients() {
        if (!unflushed.isEmpty()) {
            unflushed.forEach(InternalClient::flush);
            unflushed.clear();
        }
    }

    // --- what everybody needs -------------------------------------------------------------------------------------

    /** Bytes in use by all accounts, in streams led here. */
    Ledger ledger() {
        return ledger;
    }

    /** Open batches of all accounts, in streams led here. */
    BatchRoom batches() {
        return batches;
    }

    public GroupLoop loop() {
        return loop;
    }

    public JetStreamOptions options() {
        return options;
    }

    /** For names and samples; nothing that is in a log depends on it. */
    public Random random() {
        return random;
    }

    ApiHandler api() {
        return api;
    }

    /** Whether nothing waits for a log. */
    public boolean idle() {
        return engines.values().stream().allMatch(Engine::idle);
    }
}
