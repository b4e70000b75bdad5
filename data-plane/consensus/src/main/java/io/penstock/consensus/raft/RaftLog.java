package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.State;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.error.RaftError;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.NotProposedException;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.consensus.Snapshots;
import io.penstock.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group on the Raft engine: the port towards the state machine. */
final class RaftLog implements RaftGroup, Delivery.Taker, Proposal.Hearer {
    private static final Logger LOG = LoggerFactory.getLogger(RaftLog.class);
    private static final long NUDGE_NANOS = 200_000_000L;

    private final RaftNode node;
    private final String name;
    private final GroupLoop loop;
    private final Snapshots snapshots;
    private final GroupLife life;
    private final Delivery delivery;
    private final Transfer transfer = new Transfer();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    /** Owned by the loop, as all that is neither final nor volatile. */
    private StateMachine machine;

    private long lastTimestamp;

    /** Hears the index at which a checkpoint begins; null when none was asked for. */
    private LongConsumer checkpointWanted;

    /** Tells the engine of a checkpoint's end; null when none is under way. */
    private Closure checkpointing;

    private long checkpointIndex;

    /** Written by the loop. */
    private volatile Role role = Role.STOPPED;

    private volatile String leader = "";
    private volatile long term;
    private volatile long applied;
    private volatile long pendingBytes;
    private volatile boolean closing;
    private volatile List<String> ranked = List.of();

    /** Leadership on its way to another node. Owned by the loop. */
    private static final class Transfer {
        private CompletableFuture<Void> done;
        private final ArrayDeque<Proposal> held = new ArrayDeque<>();

        boolean active() {
            return done != null;
        }
    }

    RaftLog(RaftNode node, String name, GroupLoop loop, Snapshots snapshots) {
        this.node = node;
        this.name = name;
        this.loop = loop;
        this.snapshots = snapshots;
        this.delivery = new Delivery(loop, this);
        this.life = new GroupLife(node, this, delivery, loop);
    }

    GroupLife life() {
        return life;
    }

    Snapshots snapshots() {
        return snapshots;
    }

    List<String> ranked() {
        return ranked;
    }

    boolean closing() {
        return closing;
    }

    // --- state machine and proposals ------------------------------------------------------------------------------

    @Override
    public void start(StateMachine stateMachine, long appliedIndex) {
        machine = stateMachine;
        applied = Math.max(appliedIndex, life.marks().lastIndex());
        term = life.savedTerm();
        role = life.votes() ? Role.CANDIDATE : Role.LEARNER;
        machine.roleChanged(role, "", term);
        life.begin();
    }

    @Override
    public void propose(long timestampNanos, byte[] entry, int length, Object attachment) {
        propose(timestampNanos, entry, length, attachment, false);
    }

    @Override
    public void propose(long timestampNanos, byte[] entry, int length, Object attachment, boolean async) {
        if (length > MAX_ENTRY_BYTES) {
            throw new IllegalArgumentException("entry of " + length + " bytes; the most is " + MAX_ENTRY_BYTES);
        }
        lastTimestamp = Math.max(timestampNanos, lastTimestamp + 1);
        byte[] data = EntryCodec.data(entry, length, lastTimestamp, async);
        Proposal proposal = new Proposal(data, length, attachment, this);
        pendingBytes(length);
        if (role != Role.LEADER || closing) {
            refuse(proposal);
        } else if (transfer.active()) {
            transfer.held.add(proposal);
        } else {
            submit(proposal);
        }
    }

    private void submit(Proposal proposal) {
        Task task = new Task(ByteBuffer.wrap(proposal.data), proposal, term);
        Node engine = life.engine();
        try {
            if (engine == null) {
                refuse(proposal);
            } else {
                engine.apply(task);
            }
        } catch (IllegalStateException e) {
            LOG.debug("group {} takes no entries: {}", name, e.toString());
            refuse(proposal);
        }
    }

    /** Not from within: the caller is not prepared to hear of it before propose returns. */
    private void refuse(Proposal proposal) {
        failed(proposal, new NotProposedException("group " + name + " is not led from node " + node.node()));
    }

    @Override
    public void failed(Proposal proposal, Throwable cause) {
        delivery.event(() -> {
            if (!proposal.settled) {
                proposal.settled = true;
                pendingBytes(-proposal.length);
                machine.failed(proposal.attachment, cause);
            }
        });
    }

    @Override
    public void entry(Delivery.Committed entry) {
        Proposal proposal = entry.proposal();
        Object attachment = null;
        if (proposal != null && !proposal.settled) {
            proposal.settled = true;
            pendingBytes(-proposal.length);
            attachment = proposal.attachment;
        }
        if (entry.index() <= applied || role == Role.STOPPED) {
            return;
        }
        if (EntryCodec.saysNothing(entry.data(), entry.dataLength())) {
            applied = entry.index();
            return;
        }
        long time = EntryCodec.timestamp(entry.data(), entry.dataLength());
        lastTimestamp = Math.max(lastTimestamp, time);
        applied = entry.index();
        try {
            machine.apply(entry.index(), time, entry.data(), entry.dataLength() - EntryCodec.TRAILER, attachment);
        } catch (RuntimeException e) {
            LOG.error("entry {} of group {} cannot be applied; the group stops here", entry.index(), name, e);
            stop();
        }
    }

    @Override
    public void endOfRun() {
        if (idleLeader()) {
            life.committed();
        }
        if (role != Role.STOPPED) {
            machine.applied(applied);
        }
    }

    /** Leads, and nothing that would tell the followers what is committed is on its way to them. Any thread. */
    boolean idleLeader() {
        return role == Role.LEADER && pendingBytes == 0;
    }

    /** Only the loop writes it; others read. */
    private void pendingBytes(long change) {
        long now = pendingBytes + change;
        pendingBytes = now;
    }

    // --- what the engine tells, on the loop -----------------------------------------------------------------------

    void leads(long newTerm) {
        boolean handedBack = transfer.active() && role == Role.LEADER && newTerm == term;
        if (handedBack) {
            endTransfer("node " + node.node() + " leads again: the other did not take over in time", true);
            return;
        }
        life.leads(newTerm);
        become(Role.LEADER, node.node(), newTerm);
        if (transfer.active()) {
            endTransfer("node " + node.node() + " was elected again", false);
        }
    }

    void leadsNoMore(Status status) {
        // While leadership is handed over nobody is told before it has another leader, or the old one again.
        if (!(transfer.active() && status.getRaftError() == RaftError.ETRANSFERLEADERSHIP)) {
            become(life.votes() ? Role.CANDIDATE : Role.LEARNER, "", term);
        }
    }

    void follows(String newLeader, long newTerm) {
        become(life.votes() ? Role.FOLLOWER : Role.LEARNER, newLeader, newTerm);
    }

    void followsNoMore(long newTerm) {
        become(life.votes() ? Role.CANDIDATE : Role.LEARNER, "", newTerm);
    }

    private void become(Role next, String newLeader, long newTerm) {
        if (role == Role.STOPPED) {
            return;
        }
        role = next;
        leader = newLeader;
        term = newTerm;
        if (transfer.active() && next != Role.LEADER && !newLeader.isEmpty()) {
            endTransfer(null, false);
        }
        machine.roleChanged(next, newLeader, newTerm);
    }

    /** The members have changed; any thread. */
    void membersChanged() {
        life.lease().membersChanged(System.nanoTime());
        delivery.event(() -> {
            boolean votes = life.votes();
            if (role == Role.LEARNER && votes) {
                become(leader.isEmpty() ? Role.CANDIDATE : Role.FOLLOWER, leader, term);
            } else if ((role == Role.FOLLOWER || role == Role.CANDIDATE) && !votes) {
                become(Role.LEARNER, leader, term);
            }
        });
    }

    void engineFailed(String error) {
        if (closing) {
            LOG.debug("group {} fails while it is closed: {}", name, error);
            return;
        }
        node.groupFailed(name, error);
        delivery.event(() -> become(Role.CANDIDATE, "", term));
        life.restartLater();
    }

    // --- checkpoints and copies -----------------------------------------------------------------------------------

    @Override
    public void beginCheckpoint(LongConsumer begun) {
        Node engine = life.engine();
        if (engine == null || role == Role.STOPPED || checkpointWanted != null || checkpointing != null) {
            begun.accept(-1);
            return;
        }
        checkpointWanted = begun;
        // It takes a lock that is held while others write.
        control(() -> engine.snapshot(status -> delivery.event(() -> checkpointAnswered(begun, status))));
    }

    /** Runs it on a thread that may wait. */
    private void control(Runnable task) {
        try {
            node.control().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("group {} is asked for something while its node stops", name);
        }
    }

    void checkpointBegun(long index, Closure done) {
        LongConsumer begun = checkpointWanted;
        checkpointWanted = null;
        if (begun == null || role == Role.STOPPED) {
            done.run(new Status(RaftError.ECANCELED, "nobody asked"));
            return;
        }
        checkpointing = done;
        checkpointIndex = index;
        if (index > applied) {
            applied = index;
        }
        begun.accept(index);
    }

    private void checkpointAnswered(LongConsumer begun, Status status) {
        if (checkpointWanted == begun) {
            checkpointWanted = null;
            // The engine has nothing new to keep; the state machine may have.
            begun.accept(status.isOk() && role != Role.STOPPED ? applied : -1);
        }
    }

    @Override
    public void checkpointed(long index) {
        Closure done = checkpointing;
        checkpointing = null;
        if (done != null) {
            done.run(index >= checkpointIndex ? Status.OK() : new Status(RaftError.EINTERNAL, "the checkpoint failed"));
        }
    }

    @Override
    public void force() {
        life.log().force();
    }

    /** Puts a copy in force; on the engine's thread, which waits. */
    boolean install(MarkStorage.Reader reader) {
        Snapshots.Staged staged = reader.take();
        if (staged == null) {
            return true;
        }
        SnapshotMeta meta = reader.load();
        CompletableFuture<Void> done = new CompletableFuture<>();
        delivery.event(() -> {
            try {
                if (role == Role.STOPPED) {
                    throw new IOException("the group is closed");
                }
                staged.install(meta.getLastIncludedIndex());
                applied = meta.getLastIncludedIndex();
                done.complete(null);
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            while (!closing) {
                try {
                    done.get(100, TimeUnit.MILLISECONDS);
                    life.installed(meta);
                    LOG.info("group {}: installed a copy of the state at entry {}", name, meta.getLastIncludedIndex());
                    return true;
                } catch (TimeoutException e) {
                    LOG.trace("the loop installs a copy");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | IOException | StorageException e) {
            LOG.error("group {}: a copy of the state cannot be installed", name, e);
        }
        return false;
    }

    // --- leadership and members -----------------------------------------------------------------------------------

    @Override
    public CompletionStage<Void> transferLeadership(String target) {
        Node engine = life.engine();
        if (role != Role.LEADER || engine == null) {
            return failedStage("group " + name + " is not led from node " + node.node());
        }
        if (transfer.active()) {
            return failedStage("leadership of group " + name + " is on its way already");
        }
        String chosen = target.isEmpty() ? successor() : target;
        if (chosen.isEmpty()) {
            return failedStage("no other voter of group " + name + " is up to date");
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        transfer.done = done;
        control(() -> {
            Status status = engine.transferLeadershipTo(PeerNames.peer(chosen));
            if (!status.isOk() || chosen.equals(node.node())) {
                delivery.event(() -> {
                    if (transfer.done == done) {
                        endTransfer(status.isOk() ? null : status.toString(), true);
                    }
                });
            }
        });
        return done;
    }

    /** The disk takes nothing here: hands leadership on if there is anyone to take it. Any thread. */
    void yieldLeadership() {
        delivery.event(() -> {
            if (role == Role.LEADER && !transfer.active()) {
                // Asked again and again while the disk takes nothing.
                var _ = transferLeadership("").exceptionally(failure -> {
                    LOG.debug("group {} stays here, the disk full: {}", name, failure.getMessage());
                    return null;
                });
            }
        });
    }

    private String successor() {
        List<Replica> candidates = replicas().stream()
                .filter(replica -> replica.voter() && replica.current() && !replica.offline() && !replica.leader())
                .toList();
        List<String> order = ranked;
        return order.stream()
                .filter(rankedNode ->
                        candidates.stream().anyMatch(replica -> replica.node().equals(rankedNode)))
                .findFirst()
                .orElse(candidates.isEmpty() ? "" : candidates.getFirst().node());
    }

    /** @param submit whether what was held back meanwhile is proposed here after all */
    private void endTransfer(String failure, boolean submit) {
        CompletableFuture<Void> done = transfer.done;
        transfer.done = null;
        while (!transfer.held.isEmpty()) {
            Proposal held = transfer.held.remove();
            if (submit && role == Role.LEADER) {
                submit(held);
            } else {
                refuse(held);
            }
        }
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(new IllegalStateException(failure));
        }
    }

    @Override
    public CompletionStage<Void> addLearner(String learner) {
        return change((engine, done) -> engine.addLearners(List.of(PeerNames.peer(learner)), done));
    }

    /** In two steps: the engine would go on treating its answers as a learner's, which count for nothing. */
    @Override
    public CompletionStage<Void> promote(String learner) {
        return withdrawLearners(List.of(learner))
                .thenCompose(nothing -> change((engine, done) -> engine.addPeer(PeerNames.peer(learner), done)));
    }

    private CompletionStage<Void> withdrawLearners(List<String> nodes) {
        List<String> learners =
                nodes.stream().filter(life.members().learners()::contains).toList();
        return learners.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : change((engine, done) -> engine.removeLearners(PeerNames.peers(learners), done));
    }

    @Override
    public CompletionStage<Void> removeReplica(String replica) {
        return life.members().learners().contains(replica)
                ? withdrawLearners(List.of(replica))
                : change((engine, done) -> engine.removePeer(PeerNames.peer(replica), done));
    }

    @Override
    public CompletionStage<Void> changeVoters(List<String> voters) {
        return withdrawLearners(voters)
                .thenCompose(nothing -> change((engine, done) -> {
                    var configuration = new com.alipay.sofa.jraft.conf.Configuration(PeerNames.peers(voters));
                    life.members().learners().stream()
                            .filter(learner -> !voters.contains(learner))
                            .forEach(learner -> configuration.addLearner(PeerNames.peer(learner)));
                    engine.changePeers(configuration, done);
                }));
    }

    @FunctionalInterface
    private interface Change {
        void ask(Node engine, Closure done);
    }

    private CompletionStage<Void> change(Change change) {
        Node engine = life.engine();
        if (role != Role.LEADER || engine == null) {
            return failedStage("group " + name + " is not led from node " + node.node());
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        nudge(done);
        control(() -> {
            try {
                change.ask(engine, status -> delivery.event(() -> settle(done, status)));
            } catch (RuntimeException e) {
                delivery.event(() -> done.completeExceptionally(e));
            }
        });
        return done;
    }

    /** The engine counts a newcomer as caught up only when it answers to an entry: on a quiet group there is none. */
    private void nudge(CompletableFuture<Void> change) {
        loop.schedule(NUDGE_NANOS, () -> {
            Node engine = life.engine();
            if (change.isDone() || role != Role.LEADER || engine == null) {
                return;
            }
            try {
                engine.apply(new Task(ByteBuffer.wrap(EntryCodec.nothing()), null, term));
            } catch (RuntimeException e) {
                LOG.debug("group {} takes no entries: {}", name, e.toString());
            }
            nudge(change);
        });
    }

    private static void settle(CompletableFuture<Void> done, Status status) {
        if (status.isOk()) {
            done.complete(null);
        } else {
            done.completeExceptionally(new IllegalStateException(status.toString()));
        }
    }

    private static <T> CompletionStage<T> failedStage(String reason) {
        return CompletableFuture.failedFuture(new IllegalStateException(reason));
    }

    @Override
    public CompletionStage<Long> readIndex() {
        Node engine = life.engine();
        if (engine == null) {
            return failedStage("group " + name + " has not begun");
        }
        return Reads.index(engine, loop, delivery);
    }

    @Override
    public void preferLeaders(List<String> order) {
        ranked = List.copyOf(order);
    }

    // --- what is known --------------------------------------------------------------------------------------------

    @Override
    public List<Replica> replicas() {
        return new ReplicaView(node, this, life).replicas();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long lastIndex() {
        return Math.max(life.lastIndex(), life.marks().lastIndex());
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public boolean holdsLease() {
        return role == Role.LEADER && life.lease().holds(System.nanoTime());
    }

    @Override
    public String leader() {
        return leader;
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public long appliedIndex() {
        return applied;
    }

    boolean engineLeads() {
        Node engine = life.engine();
        return engine != null && engine.getNodeState() == State.STATE_LEADER;
    }

    // --- end ------------------------------------------------------------------------------------------------------

    /** Stops the group; what is pending fails. Waits for it at most 20 s, unless called on the loop. */
    @Override
    public void close() {
        closing = true;
        delivery.event(this::stop);
        if (!loop.inLoop()) {
            try {
                stopped.get(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("group {} did not stop within 20 s", name);
            }
        }
    }

    private void stop() {
        closing = true;
        if (machine != null && role != Role.STOPPED) {
            if (transfer.active()) {
                endTransfer("the group was closed", false);
            }
            role = Role.STOPPED;
            leader = "";
            machine.roleChanged(Role.STOPPED, "", term);
        }
        checkpointed(0);
        delivery.close();
        node.closed(this);
        life.end(() -> stopped.complete(null));
    }
}
