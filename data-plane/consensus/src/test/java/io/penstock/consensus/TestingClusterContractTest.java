package io.penstock.consensus;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

class TestingClusterContractTest extends RaftGroupContract {
    private static final List<String> NODES = List.of("a", "b", "c");

    private SimulatedRig simulated;

    @Override
    LogRig open() {
        simulated = new SimulatedRig();
        return simulated;
    }

    @Override
    String openFourth() {
        simulated.start("d", List.of());
        return "d";
    }

    @Override
    void cutOff(String node) {
        simulated.cluster.isolate(node);
    }

    @Override
    void heal() {
        simulated.cluster.heal();
    }

    @Override
    void wipe(String node) {
        simulated.cluster.wipe(node);
        simulated.disks.remove(node);
        simulated.wiped = node;
    }

    private static final class SimulatedRig implements LogRig {
        private final TestingCluster cluster = new TestingCluster(11, "a", "b", "c", "d");
        private final Map<String, TestingMachine.Saved> disks = new HashMap<>();
        private final Map<String, TestingMachine> machines = new HashMap<>();
        private final Map<String, RaftGroup> groups = new HashMap<>();
        private final Set<Long> repeated = new HashSet<>();
        private String wiped = "";

        SimulatedRig() {
            NODES.forEach(node -> start(node, NODES));
        }

        void start(String node, List<String> voters) {
            TestingMachine machine = new TestingMachine(disks.computeIfAbsent(node, key -> new TestingMachine.Saved()));
            RaftGroup group = cluster.engine(node).open("g", cluster.loop(node), voters, machine);
            machines.put(node, machine);
            groups.put(node, group);
            cluster.loop(node).execute(() -> group.start(machine, 0));
        }

        @Override
        public Set<Long> repeated() {
            return repeated;
        }

        @Override
        public List<String> nodes() {
            return NODES;
        }

        @Override
        public List<String> everybody() {
            return List.copyOf(groups.keySet());
        }

        @Override
        public ReplicatedLog log(String node) {
            return cluster.up(node) ? groups.get(node) : null;
        }

        @Override
        public TestingMachine machine(String node) {
            return machines.get(node);
        }

        @Override
        public void on(String node, Runnable task) {
            boolean[] done = {false};
            cluster.loop(node).execute(() -> {
                task.run();
                done[0] = true;
            });
            cluster.runUntil(() -> done[0], 1_000_000_000L);
        }

        @Override
        public void until(String what, BooleanSupplier condition) {
            cluster.runUntil(condition, 60_000_000_000L);
        }

        @Override
        public void kill(String node) {
            cluster.crash(node);
        }

        @Override
        public void powerLoss() {
            NODES.forEach(cluster::crash);
        }

        @Override
        public void revive(String node) {
            cluster.restart(node);
            start(node, node.equals(wiped) ? List.of() : NODES);
        }

        @Override
        public void close() {}
    }
}
