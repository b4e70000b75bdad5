package io.penstock.jetstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.consensus.Replica;
import io.penstock.jetstream.cluster.ReplicaReconciler.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplicaReconcilerTest {
    private static Replica replica(String node, boolean voter, boolean leader, boolean current, boolean offline) {
        return new Replica(node, voter, leader, current, 0, 0, offline);
    }

    private static Step next(List<String> target, List<Replica> replicas) {
        return ReplicaReconciler.next(target, List.of(), List.of(), replicas, "a");
    }

    private static final List<Replica> WHOLE = List.of(
            replica("a", true, true, true, false),
            replica("b", true, false, true, false),
            replica("c", true, false, true, false));

    @Test
    void replacesByLearningVotingLeaving() {
        List<String> target = List.of("a", "b", "d");
        assertThat(next(target, WHOLE)).isEqualTo(new Step.Add("d"));
        List<Replica> learning = new ArrayList<>(WHOLE);
        learning.add(replica("d", false, false, false, false));
        assertThat(next(target, learning)).isInstanceOf(Step.None.class);
        learning.set(3, replica("d", false, false, true, false));
        assertThat(next(target, learning)).isEqualTo(new Step.Promote("d"));
        learning.set(3, replica("d", true, false, true, false));
        assertThat(next(target, learning)).isEqualTo(new Step.Remove("c"));
    }

    @Test
    void handsOverBeforeTheLeaderLeaves() {
        assertThat(next(List.of("b", "c"), WHOLE)).isEqualTo(new Step.HandOver("b"));
    }

    @Test
    void letsNobodyGoWhileThoseWhoStayAreNoMajority() {
        List<Replica> replicas = List.of(
                replica("a", true, true, true, false),
                replica("b", true, false, false, true),
                replica("c", true, false, true, false),
                replica("d", true, false, false, false));
        assertThat(next(List.of("a", "b", "d"), replicas)).isInstanceOf(Step.None.class);
    }

    @Test
    void removesWhoLostItsDiskBeforeTakingItUpAgain() {
        List<String> target = List.of("a", "b", "c");
        assertThat(ReplicaReconciler.next(target, List.of(), List.of("c"), WHOLE, "a"))
                .isEqualTo(new Step.Remove("c"));
        assertThat(ReplicaReconciler.next(target, List.of(), List.of("c"), WHOLE.subList(0, 2), "a"))
                .isEqualTo(new Step.Clear("c"));
        assertThat(ReplicaReconciler.next(target, List.of(), List.of(), WHOLE.subList(0, 2), "a"))
                .isEqualTo(new Step.Add("c"));
    }

    @Test
    void reachesEveryTargetAndKeepsAMajorityOfCurrentVoters() {
        for (int seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            Set<String> target = new HashSet<>();
            while (target.size() < 3) {
                target.add("n" + random.nextInt(6));
            }
            TreeMap<String, Boolean> voters = new TreeMap<>();
            while (voters.size() < 3) {
                voters.put("n" + random.nextInt(6), true);
            }
            String leader = voters.firstKey();
            for (int i = 0; i < 30; i++) {
                List<Replica> replicas = new ArrayList<>();
                for (var entry : voters.entrySet()) {
                    boolean leads = entry.getKey().equals(leader);
                    replicas.add(replica(entry.getKey(), entry.getValue(), leads, true, false));
                }
                Step step = ReplicaReconciler.next(
                        target.stream().sorted().toList(), List.of(), List.of(), replicas, leader);
                switch (step) {
                    case Step.Add add -> voters.put(add.node(), false);
                    case Step.Promote promote -> voters.put(promote.node(), true);
                    case Step.Remove remove -> {
                        assertThat(remove.node()).as("seed " + seed).isNotEqualTo(leader);
                        voters.remove(remove.node());
                    }
                    case Step.HandOver handOver -> leader = handOver.node();
                    case Step.Clear clear -> throw new AssertionError("nobody lost a disk");
                    case Step.None none -> {}
                }
                assertThat(voters.values().stream().filter(v -> v).count())
                        .as("voters, seed " + seed)
                        .isGreaterThanOrEqualTo(3);
            }
            assertThat(voters.keySet()).as("seed " + seed).isEqualTo(target);
        }
    }
}
