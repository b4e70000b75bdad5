package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills, power losses, lost messages, cut pairs, full disks, checkpoints and leader changes at random for a while, with
 * proposals all along. {@code -Dpenstock.chaos.seconds} says for how long, {@code -Dpenstock.chaos.seed} begins the
 * dice.
 */
@Tag("faults")
class RaftNodeChaosTest {
    private final long seed = Long.getLong("penstock.chaos.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Set<String> cut = ConcurrentHashMap.newKeySet();
    private volatile double loss;
    private RaftRig rig;
    private final List<TestingMachine> machines = new ArrayList<>();
    private final Map<String, Integer> faults = new HashMap<>();
    private long next = 1;

    private boolean lost(String from, String to) {
        return cut.contains(from + ">" + to) || Math.random() < loss;
    }

    @Test
    void losesNothingAcknowledgedAndDivergesNowhere() {
        rig = new RaftRig(links -> new LossyLinks(links, (from, to, payload) -> lost(from, to)));
        rig.nodes().forEach(node -> machines.add(rig.machine(node)));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("penstock.chaos.seconds", 30));
        try {
            while (System.nanoTime() < end) {
                fault();
                long until = System.nanoTime() + random.nextInt(1_500) * 1_000_000L;
                while (System.nanoTime() < until) {
                    proposeSome();
                    LockSupport.parkNanos(2_000_000);
                }
            }
            settle();
            check();
        } finally {
            System.out.println("seed " + seed + ", faults " + faults + ", proposed " + next + ", acknowledged "
                    + machines.stream()
                            .mapToInt(machine -> machine.acknowledged.size())
                            .sum());
            rig.close();
        }
    }

    private void proposeSome() {
        String leader = rig.leaderNow();
        if (leader != null) {
            long number = next++;
            rig.propose(leader, number);
        }
    }

    private void fault() {
        List<String> up = rig.up();
        String node = rig.nodes().get(random.nextInt(3));
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                if (up.size() == 3) {
                    count("kill");
                    rig.kill(node);
                }
            }
            case 2 -> {
                count("power loss of all");
                rig.powerLoss();
                rig.nodes().forEach(this::revive);
            }
            case 3, 4 -> rig.nodes().stream().filter(down -> !up.contains(down)).forEach(this::revive);
            case 5 -> {
                count("lossy");
                loss = random.nextDouble() * 0.3;
            }
            case 6 -> {
                count("cut");
                rig.nodes().forEach(other -> {
                    cut.add(node + ">" + other);
                    if (random.nextBoolean()) {
                        cut.add(other + ">" + node);
                    }
                });
            }
            case 7 -> {
                loss = 0;
                cut.clear();
            }
            case 8 ->
                up.forEach(each -> {
                    count("checkpoint");
                    rig.on(each, () -> rig.machine(each).checkpoint(rig.log(each)));
                });
            case 9 -> transfer();
            case 10 -> fill(node);
            default -> {}
        }
    }

    private void transfer() {
        String leader = rig.leaderNow();
        if (leader != null) {
            count("transfer");
            rig.on(leader, () -> rig.node(leader).group.transferLeadership("").exceptionally(failure -> null));
        }
    }

    private void fill(String node) {
        if (rig.node(node) != null) {
            count("full disk");
            rig.node(node).disk.capacity(0);
            LockSupport.parkNanos(random.nextInt(1_000) * 1_000_000L);
            rig.node(node).disk.capacity(Long.MAX_VALUE);
        }
    }

    private void revive(String node) {
        if (rig.log(node) == null) {
            rig.revive(node);
            machines.add(rig.machine(node));
        }
    }

    private void count(String fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    private void settle() {
        loss = 0;
        cut.clear();
        rig.nodes().forEach(this::revive);
        rig.commit(-1);
        rig.untilAllHave(-1);
    }

    private void check() {
        Map<Long, TestingMachine.Value> truth = new HashMap<>();
        List<TestingMachine.Value> values = rig.machine(rig.nodes().getFirst()).values();
        values.forEach(value -> truth.put(value.index(), value));
        for (TestingMachine machine : machines) {
            for (TestingMachine.Value value : machine.values()) {
                assertThat(truth.get(value.index())).as("seed " + seed).isEqualTo(value);
            }
        }
        assertThat(values.stream().map(value -> (Object) value.number()))
                .as("seed " + seed)
                .containsAll(machines.stream()
                        .flatMap(machine -> machine.acknowledged.stream())
                        .toList());
        assertThat(rig.halts).as("seed " + seed).isEmpty();
    }
}
