package io.penstock.consensus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lease of a {@link TestingReplica} that leads, and what it promised as a follower, by the rule of the engine: who
 * acknowledges a leader elects no other for a while, but for one the leader itself hears of at once.
 */
final class TestingLease {
    /** How long an acknowledgement binds whoever gave it. */
    private static final long ELECTION = 400_000_000L;

    private static final long MARGIN = ELECTION / 10;

    private final TestingReplica owner;

    /** When what a replica acknowledged was sent. */
    private final Map<String, Long> acknowledged = new HashMap<>();

    /** Whom the promise binds to; null for a leader this life of the replica does not remember. */
    private TestingReplica promisedTo;

    private long promisedUntil;

    TestingLease(TestingReplica owner) {
        this.owner = owner;
    }

    // --- as leader ------------------------------------------------------------------------------------------------

    void clear() {
        acknowledged.clear();
    }

    void acknowledged(String replica, long sentAt) {
        acknowledged.merge(replica, sentAt, Math::max);
    }

    boolean holds(long now) {
        List<String> there = new ArrayList<>(List.of(owner.node.name));
        acknowledged.forEach((name, sentAt) -> {
            if (now - sentAt < ELECTION - MARGIN) {
                there.add(name);
            }
        });
        return owner.members().majority(there);
    }

    // --- as follower ----------------------------------------------------------------------------------------------

    /** A new life: the one before may have promised anything. */
    void started(long now) {
        promisedUntil = owner.term() == 0 ? now : now + ELECTION;
    }

    void heard(TestingReplica leader, long now) {
        promisedTo = leader;
        promisedUntil = now + ELECTION;
    }

    /** Whether the promise allows a vote for this candidate, which deposes at once whoever it reaches. */
    boolean mayVote(TestingCluster cluster, TestingReplica candidate) {
        if (cluster.now() >= promisedUntil) {
            return true;
        }
        if (promisedTo != null) {
            return free(cluster, candidate, promisedTo);
        }
        return cluster.nodes().stream()
                .map(name -> cluster.node(name).replicas.get(owner.name()))
                .allMatch(other -> other == null || free(cluster, candidate, other));
    }

    private static boolean free(TestingCluster cluster, TestingReplica candidate, TestingReplica leader) {
        return leader == candidate || !leader.leads() || cluster.reachable(candidate.node.name, leader.node.name);
    }
}
