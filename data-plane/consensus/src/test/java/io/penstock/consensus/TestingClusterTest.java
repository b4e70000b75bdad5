package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TestingClusterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String GROUP = "g";
    private static final List<String> ALL = List.of("a", "b", "c");

    private TestingCluster cluster;
    private final Map<String, TestingMachine.Saved> disks = new TreeMap<>();
    private final Map<String, TestingMachine> machines = new TreeMap<>();
    private final Map<String, RaftGroup> groups = new TreeMap<>();
    private final Set<Object> acknowledged = new HashSet<>();
    private final List<TestingMachine> past = new ArrayList<>();

    private void open(String node, List<String> voters) {
        TestingMachine machine = new TestingMachine(disks.computeIfAbsent(node, key -> new TestingMachine.Saved()));
        RaftGroup group = cluster.engine(node).open(GROUP, cluster.loop(node), voters, machine);
        machines.put(node, machine);
        past.add(machine);
        groups.put(node, group);
        cluster.loop(node).execute(() -> group.start(machine, 0));
    }

    private void begin(long seed) {
        cluster = new TestingCluster(seed, "a", "b", "c", "d");
        ALL.forEach(node -> open(node, ALL));
    }

    private void propose(String node, long number) {
        RaftGroup group = groups.get(node);
        cluster.loop(node)
                .execute(() -> group.propose(cluster.now(), TestingMachine.entry(number), Long.BYTES, number));
    }

    private String awaitLeader() {
        cluster.runUntil(
                () -> cluster.leader(GROUP) != null
                        && groups.get(cluster.leader(GROUP)).role() == ReplicatedLog.Role.LEADER,
                30 * SECOND);
        return cluster.leader(GROUP);
    }

    @Test
    void commitsOnAllReplicas() {
        begin(1);
        propose(awaitLeader(), 7);
        cluster.runUntil(
                () -> ALL.stream().allMatch(n -> machines.get(n).numbers().equals(List.of(7L))), 5 * SECOND);
    }

    @Test
    void wipedReplicaComesBackAsLearnerAndIsPromoted() {
        begin(2);
        String leader = awaitLeader();
        propose(leader, 1);
        String victim = leader.equals("a") ? "b" : "a";
        cluster.crash(victim);
        cluster.wipe(victim);
        disks.remove(victim);
        cluster.restart(victim);
        open(victim, List.of());
        String now = awaitLeader();
        RaftGroup group = groups.get(now);
        cluster.loop(now)
                .execute(() -> group.removeReplica(victim)
                        .thenCompose(nothing -> group.addLearner(victim))
                        .thenCompose(nothing -> group.promote(victim))
                        .exceptionally(e -> {
                            throw new AssertionError(e);
                        }));
        cluster.runUntil(() -> machines.get(victim).numbers().equals(List.of(1L)), 10 * SECOND);
        cluster.runUntil(
                () -> groups.get(victim).role() == ReplicatedLog.Role.FOLLOWER
                        && group.replicas().stream().allMatch(Replica::voter),
                10 * SECOND);
    }

    @Test
    void losesNothingAcknowledgedAndDivergesNowhere() {
        int seeds = Integer.getInteger("penstock.seeds", 300);
        for (int seed = 0; seed < seeds; seed++) {
            runWithFaults(seed);
        }
    }

    private void runWithFaults(long seed) {
        groups.clear();
        machines.clear();
        disks.clear();
        past.clear();
        acknowledged.clear();
        begin(seed);
        Random random = new Random(seed * 31);
        int[] persists = {0};
        cluster.onPersist((node, what) -> ++persists[0] % 400 == 399);
        for (long number = 1; number <= 120; number++) {
            groups.keySet().forEach(node -> {
                if (cluster.up(node) && groups.get(node).role() == ReplicatedLog.Role.LEADER) {
                    propose(node, persists[0] * 1_000L + groups.get(node).lastIndex());
                }
            });
            cluster.run(random.nextInt(100) * 1_000_000L);
            fault(random);
        }
        cluster.onPersist((node, what) -> false);
        cluster.heal();
        ALL.stream().filter(node -> !cluster.up(node)).forEach(this::revive);
        String leader = awaitLeader();
        propose(leader, -1);
        cluster.runUntil(
                () -> ALL.stream().allMatch(node -> machines.get(node).numbers().contains(-1L)), 60 * SECOND);
        check(seed);
    }

    private void fault(Random random) {
        String node = ALL.get(random.nextInt(3));
        switch (random.nextInt(14)) {
            case 0 -> cluster.crash(node);
            case 1 -> cluster.isolate(node);
            case 2, 3 -> cluster.heal();
            case 4 -> cluster.disturb(GROUP);
            case 5, 6, 7 ->
                ALL.stream().filter(other -> !cluster.up(other)).findFirst().ifPresent(this::revive);
            case 8, 9 -> {
                if (cluster.up(node)) {
                    TestingMachine machine = machines.get(node);
                    RaftGroup group = groups.get(node);
                    cluster.loop(node).execute(() -> machine.checkpoint(group));
                }
            }
            default -> {}
        }
    }

    private void revive(String node) {
        cluster.restart(node);
        open(node, ALL);
    }

    private void check(long seed) {
        List<TestingMachine.Value> longest = machines.get("a").values();
        Map<Long, TestingMachine.Value> byIndex = new HashMap<>();
        longest.forEach(value -> byIndex.put(value.index(), value));
        for (TestingMachine machine : past) {
            for (TestingMachine.Value value : machine.values()) {
                assertThat(byIndex.get(value.index())).as("seed " + seed).isEqualTo(value);
            }
            acknowledged.addAll(machine.acknowledged);
        }
        assertThat(longest.stream().map(value -> (Object) value.number()))
                .as("seed " + seed)
                .containsAll(acknowledged);
        assertThat(longest).extracting(TestingMachine.Value::timestampNanos).isSorted();
    }
}
