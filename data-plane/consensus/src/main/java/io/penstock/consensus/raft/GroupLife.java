package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.core.ReplicatorType;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcResponseClosureAdapter;
import io.penstock.consensus.GroupLoop;
import io.penstock.storage.journal.JournalGroup;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one group: begun, failed and begun anew, ended; its log, vote and marks, which outlive it; who the
 * members are and whether this replica may vote. Any thread.
 */
final class GroupLife {
    private static final Logger LOG = LoggerFactory.getLogger(GroupLife.class);
    private static final long FIRST_RESTART_MILLIS = 500;
    private static final long LONGEST_RESTART_MILLIS = 60_000;

    private final RaftNode node;
    private final RaftLog group;
    private final Delivery delivery;
    private final JournalGroup log;
    private final VoteReserve reserve;
    private final MarkStorage marks;
    private final MemberLog members;
    private final Candidacy candidacy;
    private final Lease lease;
    private final CommitNotice notice;
    private volatile GroupTable.Row row;
    private volatile GroupOptions options;
    private volatile Node engine;
    private volatile DiskPatience disk;

    /** Guarded by this. */
    private boolean ended;

    private long restartMillis = FIRST_RESTART_MILLIS;

    GroupLife(RaftNode node, RaftLog group, Delivery delivery, GroupLoop loop) {
        this.node = node;
        this.group = group;
        this.delivery = delivery;
        this.row = node.table().find(group.name());
        this.log = node.journal().group(row.number());
        this.reserve = node.voteReserve(row);
        this.marks = new MarkStorage(
                node.markFile(row), node.node(), source -> group.snapshots().fetch(node.fetcher(source, group.name())));
        marks.load();
        Members initial = Members.of(PeerNames.peers(row.initialVoters()), null, null);
        this.members = new MemberLog(node.node(), initial, group::membersChanged);
        this.lease = new Lease(node.node(), members::present, node.electionNanos());
        this.candidacy = new Candidacy(node, group, this);
        this.notice = new CommitNotice(loop, group::idleLeader, this::tellCommitted);
        if (marks.last() != null) {
            members.put(marks.lastIndex(), Members.of(marks.last()));
        }
    }

    // --- what is known --------------------------------------------------------------------------------------------

    JournalGroup log() {
        return log;
    }

    MarkStorage marks() {
        return marks;
    }

    Members members() {
        return members.present();
    }

    /** Whether this replica counts among the voters. */
    boolean votes() {
        return members.present().voters().contains(node.node());
    }

    /** The engine in its present life, null when it has none. */
    Node engine() {
        return engine;
    }

    long savedTerm() {
        return JournalMetaStorage.term(log, reserve);
    }

    /** Whom this replica voted for in its present term, empty for nobody. */
    String votedFor() {
        return JournalMetaStorage.votedFor(log, reserve);
    }

    Lease lease() {
        return lease;
    }

    Candidacy candidacy() {
        return candidacy;
    }

    /** The last entry on disk, or what the state begins from; null when the log changes this very moment. */
    LogId lastId() {
        SnapshotMeta mark = marks.last();
        long term = log.lastTerm();
        long index = log.lastIndex();
        if (mark != null && mark.getLastIncludedIndex() >= index) {
            return new LogId(mark.getLastIncludedIndex(), mark.getLastIncludedTerm());
        }
        return term == log.lastTerm() ? new LogId(index, term) : null;
    }

    long committedIndex() {
        Node present = engine;
        return present == null ? 0 : present.getLastCommittedIndex();
    }

    /** The last index of the engine's log, on disk or on its way there. */
    long lastIndex() {
        Node present = engine;
        return present == null ? log.lastIndex() : present.getLastLogIndex();
    }

    Follower follower(String name) {
        GroupOptions present = options;
        LinkRpcClient client = present == null ? null : present.client();
        return client == null ? null : client.follower(name);
    }

    // --- beginning, failing, ending -------------------------------------------------------------------------------

    void begin() {
        later(0, this::beginNow);
    }

    void later(long millis, Runnable task) {
        try {
            var _ = node.control().schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("group {} is asked for something while its node stops", group.name());
        }
    }

    private synchronized void beginNow() {
        if (ended || engine != null) {
            return;
        }
        DiskPatience patience = new DiskPatience(node, group.name(), log);
        disk = patience;
        GroupOptions fresh =
                new GroupOptions(node.links(), lease, this::stuck, this::acknowledged, this::offers, this::learns);
        node.configure(fresh);
        fresh.setFsm(new GroupMachine(group, delivery));
        fresh.setInitialConf(new Configuration(PeerNames.peers(row.initialVoters())));
        fresh.setServiceFactory(new GroupServices(
                new JournalLogStorage(log, patience, members), new JournalMetaStorage(log, patience, reserve), marks));
        options = fresh;
        EnginePool.use(RaftNode.engineName(group.name()));
        NodeImpl made = new NodeImpl(RaftNode.engineName(group.name()), PeerNames.peer(node.node()));
        try {
            if (!made.init(fresh)) {
                throw new IllegalStateException("the engine does not begin, see the log above");
            }
            engine = made;
            restartMillis = FIRST_RESTART_MILLIS;
        } catch (RuntimeException e) {
            LOG.error("group {} cannot begin", group.name(), e);
            node.groupFailed(group.name(), e.toString());
            dispose(made);
            restartLater();
        }
    }

    /** Ends an engine that did not begin; what of it there is, is its own secret. */
    private void dispose(Node made) {
        try {
            made.shutdown();
        } catch (RuntimeException e) {
            LOG.debug("group {}: the engine that did not begin does not end either", group.name(), e);
        }
    }

    /** Ends the engine, which has failed, and begins anew after a while. */
    void restartLater() {
        long wait;
        synchronized (this) {
            wait = restartMillis;
            restartMillis = Math.min(LONGEST_RESTART_MILLIS, restartMillis * 2);
        }
        later(0, () -> {
            endEngine();
            later(wait, this::beginNow);
        });
    }

    private void endEngine() {
        Node failed;
        synchronized (this) {
            failed = engine;
            engine = null;
        }
        if (failed != null) {
            // Nobody may wait for room on a disk any more: the end waits for them.
            disk.close();
            failed.shutdown();
            join(failed);
        }
    }

    private void join(Node ending) {
        try {
            ending.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends for good. */
    void end(Runnable then) {
        synchronized (this) {
            ended = true;
        }
        Thread.ofVirtual().name("raft-end").start(() -> {
            endEngine();
            reserve.close();
            then.run();
        });
    }

    // --- votes ----------------------------------------------------------------------------------------------------

    /** A leader was heard: a waiting replica remembers how far it was. */
    void heardLeader(long committed) {
        candidacy.heardLeader();
        GroupTable.Row present = row;
        if (present.waiting() && present.waitsAbove() < 0 && committed > 0) {
            save(new GroupTable.Row(present.name(), present.number(), present.initialVoters(), true, committed));
        }
    }

    /**
     * Whether a vote may be cast, and what is acknowledged may count. A replica without a past was let go and taken in
     * anew once it is a learner by what was committed after a leader was first heard.
     */
    boolean mayVote() {
        GroupTable.Row present = row;
        if (!present.waiting()) {
            return true;
        }
        long above = present.waitsAbove();
        long learnerAt = Math.max(above, members.learnerAt());
        boolean anew = above >= 0 && committedIndex() >= learnerAt && (learnerAt > above || members.learnsAt(above));
        if (!anew) {
            return false;
        }
        save(new GroupTable.Row(
                present.name(), present.number(), present.initialVoters(), false, present.waitsAbove()));
        LOG.info("group {}: this replica was taken in anew at entry {} and votes from now on", group.name(), learnerAt);
        return true;
    }

    /** Whether a replica is a learner, which it is not before its removal as a voter is committed. */
    private boolean learns(String replica) {
        return members.present().learners().contains(replica);
    }

    private synchronized void save(GroupTable.Row next) {
        node.table().put(next);
        row = next;
    }

    RequestVoteResponse refusal() {
        return RequestVoteResponse.newBuilder()
                .setTerm(Math.max(1, savedTerm()))
                .setGranted(false)
                .build();
    }

    // --- copies and the way to followers --------------------------------------------------------------------------

    /** A copy is in force: what the mark says is true now. */
    void installed(SnapshotMeta meta) throws IOException {
        marks.save(meta);
        members.put(meta.getLastIncludedIndex(), Members.of(meta));
    }

    void leads(long term) {
        lease.leads(term, System.nanoTime());
        GroupOptions present = options;
        if (present != null && present.client() != null) {
            present.client().forgetFollowers();
        }
    }

    /** A node can be reached: what the engine gave up on for want of a link goes on. */
    void linkUp(String name) {
        ReplicatorGroup replicators = replicators();
        if (replicators != null && engine != null) {
            replicators.checkReplicator(PeerNames.peer(name), true);
        }
    }

    /**
     * Everything proposed here is committed. Followers hear of that with the next append, or with a sign of life up to a
     * second later; their readers want to see earlier what was acknowledged. On the group's loop.
     */
    void committed() {
        notice.committed();
    }

    private void tellCommitted() {
        long committed = committedIndex();
        Members present = members.present();
        present.voters().forEach(replica -> tellCommitted(replica, committed));
        present.learners().forEach(replica -> tellCommitted(replica, committed));
    }

    private void tellCommitted(String replica, long committed) {
        Follower follower = follower(replica);
        // One that is not there yet is told when it is.
        if (follower != null && follower.lastIndex() >= committed) {
            tellCommitted(replica);
        }
    }

    private void tellCommitted(String follower) {
        ReplicatorGroup replicators = replicators();
        if (replicators != null && node.links().up(follower)) {
            replicators.sendHeartbeat(PeerNames.peer(follower), new Heard());
        }
    }

    /** A follower has what it was sent. On the link's thread. */
    private void acknowledged(String follower) {
        if (notice.wanted()) {
            tellCommitted(follower);
        }
    }

    /** The client has noted the answer; the engine has no use for it. */
    private static final class Heard extends RpcResponseClosureAdapter<AppendEntriesResponse> {
        @Override
        public void run(Status status) {
            LOG.trace("a follower was told what is committed: {}", status);
        }
    }

    private ReplicatorGroup replicators() {
        GroupOptions present = options;
        LinkRpcClient client = present == null ? null : present.client();
        return client == null ? null : client.replicators();
    }

    private Takeover offers(String name, TimeoutNowRequest offer) {
        return new Takeover(node.links(), lease, name, offer, this::later, () -> {
            if (engine instanceof NodeImpl present) {
                HandBack.now(present, offer.getTerm(), PeerNames.peer(name));
            }
        });
    }

    /** The watchdog: appends to a follower go unanswered though it lives; the engine's way to it is made anew. */
    private void stuck(String name) {
        later(0, () -> {
            ReplicatorGroup replicators = replicators();
            if (replicators == null || !group.engineLeads()) {
                return;
            }
            LOG.error("group {}: appends to {} have no answers though it lives; beginning anew", group.name(), name);
            node.watchdogFired();
            PeerId peer = PeerNames.peer(name);
            replicators.stopReplicator(peer);
            boolean voter = members.present().voters().contains(name);
            if (group.engineLeads()) {
                replicators.addReplicator(peer, voter ? ReplicatorType.Follower : ReplicatorType.Learner);
            }
        });
    }
}
