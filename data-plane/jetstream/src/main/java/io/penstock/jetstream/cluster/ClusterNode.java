package io.penstock.jetstream.cluster;

import io.penstock.broker.internal.InternalClient;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftEngine;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.ReplicatedLog.Role;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.ClusterMember;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.GroupAssignment;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in the cluster's metadata: finds its place in the cluster, hosts the groups it is to carry, tells the
 * engines of streams, keeps members and replicas in order and answers what concerns the cluster. Owned by the loop but
 * for what says otherwise.
 */
public final class ClusterNode implements ClusterMember {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    /** The channel on which streams are copied between groups. */
    private static final String STREAMS = "jetstream";

    private static final Duration STREAMS_PATIENCE = Duration.ofSeconds(5);
    private static final long TICK_NANOS = 250_000_000L;

    /** How long what consumers did may take into the logs before leadership is handed over all the same. */
    private static final long SETTLE_NANOS = 1_000_000_000L;

    /** Every so many ticks the others are told how this node is. */
    private static final int STATUS_TICKS = 4;

    /** Every so many ticks accounts that could not be had are asked for again. */
    private static final int ACCOUNT_TICKS = 40;

    private final Host host;
    private final GroupHosting groups;
    private final RaftEngine raft;
    private final PeerLinks links;
    private final ClusterSettings settings;
    private final GroupLoop loop;
    private final MetaStore store;
    private final Peers peers;
    private final MetaMachine machine;
    private final StatusBoard board;
    private final Standing standing;
    private final Formation formation;
    private final Duties duties;
    private final StreamApi api;
    private final Adoption adoption;
    private final SystemApi system;
    private final ClusterReports reports;
    private final String incarnation;

    /** Groups this node ever had a replica of: they are not begun a second time. */
    private final Set<String> hosted;

    /** Accounts asked for lately. */
    private final Set<String> broughtIn = new HashSet<>();

    private long ticks;
    private boolean stopped;

    /**
     * @param links to the other nodes
     * @param disk of the directory
     * @param directory where this node keeps what it knows of the cluster
     * @param writer runs what waits for the disk, one at a time
     * @throws StorageException when the directory cannot be used
     */
    public ClusterNode(
            Host host,
            GroupHosting groups,
            RaftEngine raft,
            PeerLinks links,
            ClusterSettings settings,
            Disk disk,
            Path directory,
            Executor writer) {
        this.host = host;
        this.groups = groups;
        this.raft = raft;
        this.links = links;
        this.settings = settings;
        this.loop = host.loop();
        this.store = new MetaStore(disk, directory);
        this.peers = new Peers(links, loop);
        this.machine = new MetaMachine(loop, store, writer, new Changes());
        MetaStore.Snapshot snapshot = recover();
        if (snapshot != null) {
            machine.load(snapshot);
        }
        this.incarnation = identity();
        this.hosted = store.hosted();
        this.board = new StatusBoard(host, groups, settings, incarnation, peers, machine::leader);
        this.standing = new Standing(settings, machine, board, peers, loop);
        this.formation = new Formation(settings, store, peers, loop, incarnation, found -> takePart());
        Nodes nodes = new Nodes(machine, board, peers, settings);
        StreamGroups placing = new StreamGroups(machine, nodes, host.random());
        this.duties = new Duties(settings, machine, formation, peers, board, standing, placing, groups, loop);
        this.api = new StreamApi(host, machine, groups, board, standing, peers, nodes, placing);
        this.adoption = new Adoption(settings, host, machine, api, peers);
        this.system = new SystemApi(host, machine, placing, settings, standing);
        host.reach((node, request) -> links.request(node, STREAMS, request, STREAMS_PATIENCE));
        this.reports = new ClusterReports(host, machine, groups, nodes, settings, standing);
    }

    /** The snapshot on disk; a damaged one makes this node begin anew and learn everything from the others. */
    private MetaStore.Snapshot recover() {
        try {
            store.hosted();
            store.founding();
            store.incarnation();
            return store.snapshot();
        } catch (StorageException e) {
            LOG.error(
                    "the metadata on this node cannot be used: {}. It is put aside, and fetched from the others",
                    e.getMessage());
            store.forget();
            if (raft.stored().contains(MetaMachine.GROUP)) {
                raft.remove(MetaMachine.GROUP);
            }
            return null;
        }
    }

    private String identity() {
        String known = store.incarnation();
        if (known != null) {
            return known;
        }
        if (raft.stored().contains(MetaMachine.GROUP)) {
            LOG.error("what this node knew of the cluster is gone: it is fetched from the others");
            raft.remove(MetaMachine.GROUP);
        }
        String drawn = String.format(
                "%016x%016x", host.random().nextLong(), host.random().nextLong());
        store.incarnation(drawn);
        return drawn;
    }

    @Override
    public void start() {
        peers.serve(peer -> soon());
        links.serve(
                STREAMS,
                request -> loop.execute(() -> {
                    var _ = host.answer(request.payload()).whenComplete((answer, failure) -> {
                        if (failure == null) {
                            request.reply(answer);
                        } else {
                            request.fail(String.valueOf(failure.getMessage()));
                        }
                    });
                }));
        if (formation.founding() != null) {
            takePart();
        }
        reassess();
        tick();
    }

    /** Opens the metadata's log. */
    private void takePart() {
        MetaStore.Founding founding = formation.founding();
        boolean founder = incarnation.equals(founding.voters().get(settings.name()));
        List<String> voters = founder ? List.copyOf(founding.voters().keySet()) : List.of();
        RaftGroup log = raft.open(MetaMachine.GROUP, loop, voters, machine);
        List<String> unknown = raft.stored().stream()
                .filter(g -> !g.equals(MetaMachine.GROUP) && machine.state().group(g) == null)
                .toList();
        if (!unknown.isEmpty()) {
            LOG.info("groups on disk that the metadata here does not name yet, left as they are: {}", unknown);
        }
        machine.start(log);
    }

    @Override
    public void stop() {
        stopped = true;
        machine.close();
        RaftGroup log = machine.log();
        if (log != null) {
            log.close();
        }
    }

    @Override
    public void checkpoint() {
        loop.execute(machine::hurry);
    }

    private void soon() {
        if (!stopped && !machine.started()) {
            formation.step();
        }
    }

    /** An account with streams in the cluster must be served here too: any of them may come to be led here. */
    private void bringIn(String account) {
        if (host.account(account).client() == null && broughtIn.add(account)) {
            settings.accounts().accept(account);
        }
    }

    private void tick() {
        if (stopped) {
            return;
        }
        try {
            board.tell(ticks % STATUS_TICKS == 0);
            if (ticks % ACCOUNT_TICKS == 0) {
                broughtIn.clear();
                new ArrayList<>(machine.state().accounts()).forEach(this::bringIn);
            }
            if (machine.started()) {
                duties.introduce(incarnation);
                duties.step();
                if (ticks % STATUS_TICKS == 0) {
                    duties.leave();
                    duties.confess();
                    adoption.step();
                }
            } else {
                formation.step();
            }
        } catch (RuntimeException e) {
            LOG.error("keeping the cluster in order failed, it is tried again", e);
        }
        ticks++;
        loop.schedule(TICK_NANOS, this::tick);
    }

    // --- hosting --------------------------------------------------------------------------------------------------

    /** Hosts every group this node is to carry, and lets the engines look at their streams. */
    private void reassess() {
        new ArrayList<>(machine.state().groups().values()).forEach(this::host);
        host.engines().forEach(Engine::reconcile);
    }

    private void host(GroupEntry group) {
        NodeEntry self = machine.state().node(settings.name());
        boolean known =
                self != null && self.incarnation().equals(incarnation) && self.state() != NodeEntry.State.REMOVED;
        if (!known || !group.target().contains(settings.name())) {
            return;
        }
        boolean founds = group.founders().contains(settings.name())
                && self.joined() < group.created()
                && !hosted.contains(group.name());
        if (hosted.add(group.name())) {
            store.hosted(hosted);
        }
        GroupAssignment assignment =
                new GroupAssignment(group.name(), founds ? group.founders() : List.of(), group.ranked());
        if (!groups.open(assignment)) {
            duties.forgot(group.name());
        }
    }

    /** Follows what the metadata's log brings. */
    private final class Changes implements MetaMachine.Observer {
        @Override
        public void node(NodeEntry before, NodeEntry node) {
            if (node.name().equals(settings.name())) {
                if (node.state() == NodeEntry.State.REMOVED
                        && node.incarnation().equals(incarnation)) {
                    standing.removed();
                }
                new ArrayList<>(machine.state().groups().values()).forEach(ClusterNode.this::host);
            }
        }

        @Override
        public void group(GroupEntry before, GroupEntry group) {
            duties.noticed(group);
            ClusterNode.this.host(group);
        }

        @Override
        public void stream(StreamAssignment stream) {
            bringIn(stream.account());
            host.streamAssigned(stream);
        }

        @Override
        public void removed(String account, String stream, long generation) {
            host.streamRemoved(account, stream, generation);
        }

        @Override
        public void role(Role role, String leader) {
            LOG.info("metadata: {}, led by {}", role, leader.isEmpty() ? "nobody" : leader);
            if (role == Role.LEADER) {
                system.leads(machine.log().replicas());
            }
        }

        @Override
        public void replaced() {
            reassess();
        }
    }

    // --- the engines' view ----------------------------------------------------------------------------------------

    @Override
    public StreamAssignment get(String account, String stream) {
        return machine.state().stream(account, stream);
    }

    @Override
    public Collection<StreamAssignment> inGroup(String group) {
        return machine.state().inGroup(group);
    }

    @Override
    public long appliedIndex() {
        return machine.state().origin() + machine.appliedIndex();
    }

    @Override
    public void catchUp(Consumer<Boolean> done) {
        RaftGroup log = machine.log();
        if (log == null) {
            done.accept(false);
            return;
        }
        var _ = log.readIndex().whenComplete((index, failure) -> loop.execute(() -> done.accept(failure == null)));
    }

    @Override
    public long origin() {
        return machine.state().origin() == 0 ? Long.MAX_VALUE : machine.state().origin();
    }

    @Override
    public List<String> replicas(String group) {
        return machine.state().replicas(group);
    }

    @Override
    public boolean expelled() {
        return standing.isRemoved();
    }

    @Override
    public List<String> tags(String node) {
        NodeEntry entry = machine.state().node(node);
        return entry == null ? List.of() : entry.tags();
    }

    @Override
    public void moved(String account, String stream, long generation, long version) {
        duties.moved(account, stream, generation, version);
    }

    // --- requests -------------------------------------------------------------------------------------------------

    @Override
    public RestoreTarget restore(ApiCall call, StreamConfig asked) {
        return api.restore(call, asked);
    }

    @Override
    public boolean handle(ApiCall call, String[] tokens) throws InvalidJsonException {
        return api.handle(call, tokens);
    }

    /** Answers requests of the system account from now on. Any thread. */
    public void serveSystem(InternalClient client) {
        loop.execute(() -> system.serve(client));
    }

    /** What monitoring shows of the cluster. On the loop. */
    public ClusterReports reports() {
        return reports;
    }

    /** Asks for a report. Any thread. */
    public <T> CompletableFuture<T> ask(Function<ClusterReports, T> question) {
        return onLoop(() -> CompletableFuture.completedFuture(question.apply(reports)));
    }

    @Override
    public CompletableFuture<Void> handOver() {
        return onLoop(() -> {
            CompletableFuture<Void> settled = new CompletableFuture<>();
            GroupLoop.Timer patience = loop.schedule(SETTLE_NANOS, () -> settled.complete(null));
            host.settle(() -> settled.complete(null));
            return settled.thenCompose(nothing -> {
                        patience.cancel();
                        return transferAll();
                    })
                    .whenComplete((done, failure) -> loop.execute(host::resume));
        });
    }

    private CompletableFuture<Void> transferAll() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (String name : groups.groups()) {
            handOver(groups.log(name), all);
        }
        handOver(machine.log(), all);
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> work) {
        CompletableFuture<CompletableFuture<T>> begun = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                begun.complete(work.get());
            } catch (RuntimeException e) {
                begun.completeExceptionally(e);
            }
        });
        return begun.thenCompose(done -> done);
    }

    private static void handOver(RaftGroup log, List<CompletableFuture<Void>> all) {
        boolean others = log != null
                && log.role() == Role.LEADER
                && log.replicas().stream().anyMatch(r -> r.voter() && !r.leader() && r.current() && !r.offline());
        if (others) {
            all.add(log.transferLeadership("").toCompletableFuture().exceptionally(failure -> null));
        }
    }
}
