package io.penstock.jetstream.cluster;

import io.penstock.consensus.Replica;
import java.util.List;

/**
 * Leads a group from the replicas it has to those it should have, one step at a time: a new replica learns first, votes
 * once it is current, and only then does the one it stands in for leave. A pure function of what is seen; asked anew
 * after each step, by whoever leads then.
 */
final class ReplicaReconciler {
    /** The next thing for the leader to do. */
    sealed interface Step {
        /** All is as wanted, or the next step must wait for a replica. */
        record None() implements Step {}

        /** Take up a node that does not vote yet. */
        record Add(String node) implements Step {}

        /** Let a learner vote. */
        record Promote(String node) implements Step {}

        /** Let a node go. */
        record Remove(String node) implements Step {}

        /** Hand leadership to another: this node is to leave. */
        record HandOver(String node) implements Step {}

        /** Tell that a node that lost its disk is out of the group and may be taken up anew. */
        record Clear(String node) implements Step {}
    }

    private static final Step NONE = new Step.None();

    private ReplicaReconciler() {}

    /**
     * @param voters who should vote
     * @param learners who should have a replica that does not vote
     * @param rejoining those among them that lost their disk since the group last took them up
     * @param replicas what the leader, this node, sees
     * @param self this node
     */
    static Step next(
            List<String> voters, List<String> learners, List<String> rejoining, List<Replica> replicas, String self) {
        for (String node : rejoining) {
            if (!node.equals(self)) {
                return find(replicas, node) == null ? new Step.Clear(node) : new Step.Remove(node);
            }
        }
        Step step = missing(voters, learners, replicas);
        if (step == null) {
            step = promotion(voters, replicas);
        }
        if (step == null) {
            step = departure(voters, learners, replicas, self);
        }
        return step == null ? NONE : step;
    }

    private static Step missing(List<String> voters, List<String> learners, List<Replica> replicas) {
        for (List<String> wanted : List.of(voters, learners)) {
            for (String node : wanted) {
                if (find(replicas, node) == null) {
                    return new Step.Add(node);
                }
            }
        }
        return null;
    }

    private static Step promotion(List<String> voters, List<Replica> replicas) {
        for (String node : voters) {
            Replica replica = find(replicas, node);
            if (replica != null && !replica.voter() && replica.current() && !replica.offline()) {
                return new Step.Promote(node);
            }
        }
        return null;
    }

    private static Step departure(List<String> voters, List<String> learners, List<Replica> replicas, String self) {
        List<Replica> leaving = replicas.stream()
                .filter(r -> !voters.contains(r.node()) && !learners.contains(r.node()))
                .toList();
        if (leaving.isEmpty()) {
            return null;
        }
        for (Replica replica : leaving) {
            if (!replica.voter()) {
                return new Step.Remove(replica.node());
            }
        }
        // Whoever stays must be able to go on without those that leave.
        long ready = voters.stream()
                .map(node -> find(replicas, node))
                .filter(r -> r != null && r.voter() && !r.offline() && (r.current() || r.leader()))
                .count();
        if (ready * 2 <= voters.size()) {
            return null;
        }
        // A replica that works stays until those that are to replace it vote; one that is gone is not waited for.
        boolean replaced = voters.stream()
                .map(node -> find(replicas, node))
                .allMatch(r -> r != null && (r.voter() || r.offline()));
        for (Replica replica : leaving) {
            if (!replica.node().equals(self) && (replaced || replica.offline())) {
                return new Step.Remove(replica.node());
            }
        }
        if (!replaced || leaving.stream().noneMatch(r -> r.node().equals(self))) {
            return null;
        }
        for (String node : voters) {
            Replica replica = find(replicas, node);
            if (replica != null && replica.voter() && replica.current() && !replica.offline()) {
                return new Step.HandOver(node);
            }
        }
        return null;
    }

    private static Replica find(List<Replica> replicas, String node) {
        for (Replica replica : replicas) {
            if (replica.node().equals(node)) {
                return replica;
            }
        }
        return null;
    }
}
