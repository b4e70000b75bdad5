package io.penstock.jetstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.consensus.ReplicatedLog.Role;
import io.penstock.consensus.TestingCluster;
import io.penstock.jetstream.Seeds;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.storage.disk.TestingDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The metadata's log and snapshots on three nodes that die at any moment something gets to their disk, are cut off and
 * lead in turn. Whatever was accepted stays, and all nodes end with the same state.
 */
class MetaSimulationTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int STEPS = 40;

    /** A node's present life. */
    private static final class Life implements MetaMachine.Observer {
        final MetaMachine machine;

        Life(TestingCluster cluster, String name, TestingDisk disk) {
            MetaStore store = new MetaStore(disk, Path.of("/meta"));
            machine = new MetaMachine(cluster.loop(name), store, Runnable::run, this);
            MetaStore.Snapshot snapshot = store.snapshot();
            if (snapshot != null) {
                machine.load(snapshot);
            }
            machine.start(cluster.engine(name)
                    .open(MetaMachine.GROUP, cluster.loop(name), List.copyOf(cluster.nodes()), machine));
        }

        @Override
        public void role(Role role, String leader) {}

        @Override
        public void replaced() {}

        @Override
        public void node(NodeEntry before, NodeEntry node) {}

        @Override
        public void group(GroupEntry before, GroupEntry group) {}

        @Override
        public void stream(StreamAssignment stream) {}

        @Override
        public void removed(String account, String stream, long generation) {}
    }

    private static final class Run {
        private final TestingCluster cluster;
        private final Random random;
        private final Map<String, TestingDisk> disks = new TreeMap<>();
        private final Map<String, Life> lives = new TreeMap<>();

        /** Streams that were accepted and not deleted since, by name. */
        private final Map<String, Long> kept = new TreeMap<>();

        /** Names whose fate is open: a change had no outcome. */
        private final List<String> open = new ArrayList<>();

        private boolean dangerous = true;
        private int names;

        Run(int seed) {
            cluster = new TestingCluster(seed, "n1", "n2", "n3");
            random = cluster.random();
            cluster.nodes().forEach(name -> disks.put(name, new TestingDisk()));
            cluster.nodes().forEach(this::begin);
            cluster.onPersist((node, what) -> dangerous && lives.size() == 3 && random.nextInt(40) == 0);
        }

        private void begin(String name) {
            lives.put(name, new Life(cluster, name, disks.get(name)));
        }

        private void bury() {
            for (String name : cluster.nodes()) {
                if (!cluster.up(name) && lives.remove(name) != null) {
                    TestingDisk disk = disks.get(name);
                    disks.put(name, random.nextBoolean() ? disk.powerLoss(random) : disk.processDeath());
                }
            }
        }

        private void restart() {
            cluster.heal();
            for (String name : cluster.nodes()) {
                if (!lives.containsKey(name)) {
                    cluster.restart(name);
                    begin(name);
                }
            }
        }

        private Life leader() {
            return lives.values().stream()
                    .filter(life -> life.machine.leading())
                    .findFirst()
                    .orElse(null);
        }

        void play() {
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(12)) {
                    case 0, 1, 2, 3 -> create();
                    case 4, 5 -> delete();
                    case 6 -> snapshot();
                    case 7 -> cluster.disturb(MetaMachine.GROUP);
                    case 8 -> cluster.isolate("n" + (1 + random.nextInt(3)));
                    case 9, 10 -> restart();
                    default -> cluster.run(random.nextLong(SECOND));
                }
                bury();
            }
            dangerous = false;
            bury();
            restart();
            cluster.runUntil(
                    () -> {
                        Life leader = leader();
                        return leader != null
                                && lives.values().stream()
                                        .allMatch(l -> l.machine.log().appliedIndex()
                                                == leader.machine.log().lastIndex());
                    },
                    60 * SECOND);
            check();
        }

        private void create() {
            String name = "S" + names++;
            byte[] config = ("{\"name\":\"" + name + "\",\"num_replicas\":3}").getBytes(StandardCharsets.UTF_8);
            propose(name, new MetaRecord.StreamSet("A", name, 0, config, "G", null), () -> kept.put(name, 0L));
        }

        private void delete() {
            Life leader = leader();
            if (leader == null || kept.isEmpty()) {
                return;
            }
            String name = List.copyOf(kept.keySet()).get(random.nextInt(kept.size()));
            StreamAssignment stream = leader.machine.state().stream("A", name);
            if (stream != null) {
                propose(name, new MetaRecord.StreamDeleted("A", name, stream.generation()), () -> kept.remove(name));
            }
        }

        private void propose(String name, MetaRecord record, Runnable accepted) {
            Life leader = leader();
            if (leader == null) {
                return;
            }
            open.add(name);
            cluster.loop(nameOf(leader))
                    .execute(() -> leader.machine.propose(List.of(record), fits -> {
                        open.remove(name);
                        if (fits) {
                            accepted.run();
                        }
                    }));
            cluster.run(random.nextLong(SECOND / 5));
        }

        private String nameOf(Life life) {
            return lives.entrySet().stream()
                    .filter(e -> e.getValue() == life)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
        }

        private void snapshot() {
            String name = "n" + (1 + random.nextInt(3));
            Life life = lives.get(name);
            if (life != null) {
                cluster.loop(name).execute(() -> life.machine.save(() -> {}));
                cluster.run(SECOND / 100);
            }
        }

        private void check() {
            MetaState state = leader().machine.state();
            kept.keySet().stream()
                    .filter(name -> !open.contains(name))
                    .forEach(
                            name -> assertThat(state.stream("A", name)).as(name).isNotNull());
            for (Life life : lives.values()) {
                assertThat(Arrays.equals(life.machine.state().encode(), state.encode()))
                        .as("the same state everywhere")
                        .isTrue();
            }
            assertThat(MetaState.decode(state.encode()).encode()).isEqualTo(state.encode());
        }
    }

    @Test
    void keepsWhatItAccepted() {
        Seeds.play("metadata", 1000, seed -> new Run(seed).play());
    }
}
