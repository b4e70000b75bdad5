package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.RpcRequestClosure;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election when there is reason to, without waiting for the engine, whose timers run on whether or not a
 * leader was heard: they notice one that is gone up to two time-outs later. They remain behind this.
 *
 * <p>But for a process that is surely gone the others are asked first whether they would vote: who still hears the leader
 * says no, so a leader is not deposed because one of many links is broken.
 */
final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    /** How long the next in rank waits for the one before it to ask. */
    private static final long RANK_MILLIS = 300;

    /** As {@link #RANK_MILLIS}, for the one before it to be elected: disks may be slow, and two elections take longer. */
    private static final long GONE_RANK_MILLIS = 600;

    /** As {@link #RANK_MILLIS}, between those who can win where the first in rank cannot. */
    private static final long DENIED_RANK_MILLIS = 50;

    /** How long a group may be without a leader that is known before somebody asks. */
    private static final long LEADERLESS_MILLIS = 100;

    /** A leader is missing when it was silent for the election time-out and this part of it more. */
    private static final int MARGIN = 4;

    /** How long an election under way is left alone, at least; up to as much more by the dice. */
    private static final long ELECTION_MILLIS = 600;

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final RaftNode node;
    private final RaftLog group;
    private final GroupLife life;

    /** When the leader was last heard, as {@link System#nanoTime} tells; written by the links' thread. */
    private volatile long heard = System.nanoTime();

    /** Until when somebody else's attempt, or one's own, is left alone; any thread. */
    private volatile long quietUntil = System.nanoTime();

    /** When next to ask, 0 while there is no reason; owned by the watch of the node. */
    private long askAt;

    private long lookedAt = System.nanoTime();

    /** The last question whether this replica would vote: whose, for which term, when. */
    private volatile Question asked = new Question("", 0, System.nanoTime());

    private record Question(String candidate, long term, long at) {}

    Candidacy(RaftNode node, RaftLog group, GroupLife life) {
        this.node = node;
        this.group = group;
        this.life = life;
    }

    /** The leader gave a sign of life. */
    void heardLeader() {
        heard = System.nanoTime();
    }

    // --- reasons --------------------------------------------------------------------------------------------------

    /** The process of a node is gone: if it led, the first in rank of those still here stands for election at once. */
    void processGone(String gone) {
        if (!gone.equals(group.leader()) || !life.votes() || life.engine() == null) {
            return;
        }
        int rank = candidates(gone).indexOf(node.node());
        long term = life.savedTerm();
        if (rank >= 0) {
            life.later(rank * GONE_RANK_MILLIS, () -> {
                if (!node.links().up(gone)) {
                    stand(gone, term, "node " + gone + " is gone");
                }
            });
        }
    }

    /**
     * A candidate asked. Who is helped is given time, so that two do not stand in each other's way. Who was denied because
     * this replica has entries it lacks cannot win, and its next attempt is a time-out away: this one stands instead.
     */
    void asked(RequestVoteRequest vote, Message answer) {
        if (!(answer instanceof RequestVoteResponse response)) {
            return;
        }
        String candidate = PeerNames.node(PeerId.parsePeer(vote.getServerId()));
        if (response.getGranted()) {
            if (!vote.getPreVote()) {
                quietFor(electionMillis());
            } else if (ranksBefore(candidate)) {
                quietFor(RANK_MILLIS);
            }
        } else if (!vote.getPreVote()
                && response.getTerm() == vote.getTerm()
                && life.votedFor().isEmpty()) {
            int rank = candidates(candidate).indexOf(node.node());
            long term = vote.getTerm();
            if (rank >= 0) {
                life.later(
                        rank * DENIED_RANK_MILLIS,
                        () -> stand(group.leader(), term, candidate + " lacks entries and cannot lead"));
            }
        }
    }

    /**
     * Whether this vote would break what an acknowledgement promised the leader: that for an election time-out nobody else
     * is voted for. Who asked first, and stands because most agreed, is denied when the leader was heard since. Whoever
     * stands without having asked has its reason: the leader hands on, or is gone.
     */
    boolean breaksPromise(RequestVoteRequest vote) {
        long now = System.nanoTime();
        String candidate = PeerNames.node(PeerId.parsePeer(vote.getServerId()));
        if (vote.getPreVote()) {
            asked = new Question(candidate, vote.getTerm(), now);
            return false;
        }
        Question before = asked;
        String leader = group.leader();
        return before.candidate().equals(candidate)
                && before.term() == vote.getTerm()
                && now - before.at() < node.electionNanos()
                && now - heard < node.electionNanos()
                && !leader.isEmpty()
                && !leader.equals(candidate)
                && node.links().up(leader);
    }

    private boolean ranksBefore(String candidate) {
        List<String> order = candidates("");
        return order.indexOf(candidate) < order.indexOf(node.node());
    }

    private static long electionMillis() {
        return ELECTION_MILLIS + ThreadLocalRandom.current().nextLong(ELECTION_MILLIS);
    }

    private void quietFor(long millis) {
        quietUntil = System.nanoTime() + millis * 1_000_000;
    }

    /** Time passes: looks whether a leader is missing, and asks the others when it is this node's turn. */
    void look(long now) {
        boolean stalled = now - lookedAt > node.electionNanos() / MARGIN;
        lookedAt = now;
        if (stalled) {
            // This process was held up, not necessarily the leader: what it sent is still to be read.
            heard = Math.max(heard, now - node.electionNanos());
        }
        String leader = group.leader();
        boolean missing = leader.isEmpty() || now - heard > node.electionNanos() + node.electionNanos() / MARGIN;
        if (!missing || leader.equals(node.node()) || !life.votes() || life.engine() == null) {
            askAt = 0;
            return;
        }
        List<String> candidates = candidates(leader);
        int rank = candidates.indexOf(node.node());
        if (candidates.size() <= voters().size() / 2 || rank < 0) {
            askAt = 0;
        } else if (askAt == 0) {
            askAt = now + (rank * RANK_MILLIS + (leader.isEmpty() ? LEADERLESS_MILLIS : 0)) * 1_000_000;
        }
        if (askAt != 0 && now - askAt >= 0 && now - quietUntil >= 0) {
            askAt = now + electionMillis() * 1_000_000;
            ask(leader, candidates);
        }
    }

    /** Who may stand, the first in rank first: voters there is a link to, without the one that is missing. */
    private List<String> candidates(String missing) {
        Set<String> voters = voters();
        List<String> order = new ArrayList<>(group.ranked());
        voters.stream().filter(voter -> !order.contains(voter)).forEach(order::add);
        order.retainAll(voters);
        order.removeIf(other -> other.equals(missing)
                || (!other.equals(node.node()) && !node.links().up(other)));
        return order;
    }

    private Set<String> voters() {
        return life.members().voters();
    }

    // --- asking and standing --------------------------------------------------------------------------------------

    /** Asks the others whether they would vote for this replica in the next term; if most would, it stands. */
    private void ask(String missing, List<String> candidates) {
        long term = life.savedTerm();
        LogId last = life.lastId();
        if (last == null || !life.mayVote()) {
            return;
        }
        int needed = voters().size() / 2;
        AtomicInteger granted = new AtomicInteger();
        for (String other : candidates) {
            if (other.equals(node.node())) {
                continue;
            }
            byte[] question = Rpc.encode(RequestVoteRequest.newBuilder()
                    .setPreVote(true)
                    .setGroupId(RaftNode.engineName(group.name()))
                    .setServerId(PeerNames.peer(node.node()).toString())
                    .setPeerId(PeerNames.peer(other).toString())
                    .setTerm(term + 1)
                    .setLastLogIndex(last.getIndex())
                    .setLastLogTerm(last.getTerm())
                    .build());
            var _ = node.links().request(other, Rpc.CHANNEL, question, PATIENCE).whenComplete((answer, failure) -> {
                if (failure == null && isYes(answer) && granted.incrementAndGet() == needed) {
                    life.later(0, () -> standUnlessQuiet(missing, term));
                }
            });
        }
    }

    private static boolean isYes(byte[] answer) {
        try {
            return Rpc.decode(answer) instanceof RequestVoteResponse response && response.getGranted();
        } catch (InvalidProtocolBufferException e) {
            return false;
        }
    }

    private void standUnlessQuiet(String missing, long term) {
        if (System.nanoTime() - quietUntil >= 0) {
            stand(missing, term, missing.isEmpty() ? "nobody leads" : "nothing is heard of " + missing);
        }
    }

    /**
     * Stands for election, if nothing has changed since the reason came up.
     *
     * @param missing the leader that is gone, empty when there was none
     */
    private void stand(String missing, long term, String reason) {
        boolean settled = !group.leader().isEmpty() && !group.leader().equals(missing);
        if (settled || life.savedTerm() != term || !life.mayVote()) {
            return;
        }
        if (life.engine() instanceof NodeImpl present) {
            LOG.info("group {}: {}, standing for election", group.name(), reason);
            node.earlyElection();
            quietFor(electionMillis());
            String self = PeerNames.peer(node.node()).toString();
            var _ = present.handleTimeoutNowRequest(
                    TimeoutNowRequest.newBuilder()
                            .setGroupId(RaftNode.engineName(group.name()))
                            .setServerId(self)
                            .setPeerId(self)
                            .setTerm(term)
                            .build(),
                    new RpcRequestClosure(Replies.NOBODY));
        }
    }
}
