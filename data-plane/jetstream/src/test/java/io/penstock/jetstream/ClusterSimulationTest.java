package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingMembers.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Streams come, change, move and go on a cluster of four whose nodes die, are cut off, lose their disks and lead in turn.
 * What clients were told must hold.
 */
class ClusterSimulationTest {
    private static final int STEPS = 40;

    @Test
    void keepsItsPromises() {
        Seeds.play("cluster", 1_000, seed -> new Run(seed).play());
    }

    private static final class Run {
        private final TestingMembers cluster;
        private final Random random;

        /** Streams clients were told of, with what was acknowledged: sequence to value. */
        private final Map<String, TreeMap<Long, String>> streams = new TreeMap<>();

        /** Names that may or may not be there. */
        private final Set<String> unsure = new TreeSet<>();

        private int names;
        private int values;
        private boolean dangerous;
        private String away;
        private String unsettled;

        Run(int seed) {
            cluster = new TestingMembers(seed, 4, 4, "");
            cluster.awaitGroups(4);
            random = cluster.nodes.random();
            cluster.nodes.onPersist((node, what) -> dangerous && away == null && random.nextInt(300) == 0);
        }

        void play() {
            for (int i = 0; i < STEPS; i++) {
                dangerous = true;
                try {
                    step();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("step " + i + ": " + e.getMessage(), e);
                }
                bury();
            }
            end();
        }

        private void bury() {
            for (String name : cluster.nodes.nodes()) {
                if (!cluster.nodes.up(name) && cluster.members.containsKey(name)) {
                    cluster.bury(name, random.nextBoolean());
                    away = name;
                }
            }
        }

        private void step() {
            switch (random.nextInt(20)) {
                case 0, 1, 2 -> create();
                case 3 -> delete();
                case 4, 5, 6, 7, 8 -> publish();
                case 9 -> move();
                case 10 -> crash();
                case 11 -> isolate();
                case 12, 13, 14 -> back();
                case 15 -> cluster.system("META.LEADER.STEPDOWN", "");
                case 16 -> stepDown();
                case 17 -> wipe();
                case 18 -> cluster.nodes.run(random.nextLong(5 * SECOND));
                default -> names();
            }
        }

        private void create() {
            String name = "S" + names++;
            JsonNode made = cluster.create(name, 3, "");
            if (made == null) {
                unsure.add(name);
            } else if (made.get("error") == null) {
                streams.put(name, new TreeMap<>());
            } else {
                assertThat(made.path("error").path("err_code").asInt())
                        .as(made.toString())
                        .isIn(10005, 10008);
                // Somebody who knew no leader may have been quicker than the leader.
                unsure.add(name);
            }
        }

        private String any() {
            List<String> all = List.copyOf(streams.keySet());
            return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        }

        private void delete() {
            String name = any();
            if (name == null) {
                return;
            }
            JsonNode answer = cluster.api("STREAM.DELETE." + name, "");
            streams.remove(name);
            if (answer == null || !answer.path("success").asBoolean()) {
                unsure.add(name);
            }
        }

        private void publish() {
            String name = any();
            if (name == null) {
                return;
            }
            String value = "v" + values++;
            JsonNode ack = cluster.publish(name + ".x", value, value);
            if (ack != null && ack.get("error") == null) {
                String before = streams.get(name).put(ack.get("seq").asLong(), value);
                assertThat(before).as("two values at one sequence of " + name).isNull();
            }
        }

        private void move() {
            String name = any();
            if (name != null) {
                cluster.api("STREAM.PEER.REMOVE." + name, "{\"peer\":\"n" + (1 + random.nextInt(4)) + "\"}");
            }
        }

        private void stepDown() {
            String name = any();
            if (name != null) {
                cluster.api("STREAM.LEADER.STEPDOWN." + name, "");
            }
        }

        private String member() {
            List<String> all = List.copyOf(cluster.members.keySet());
            return all.get(random.nextInt(all.size()));
        }

        private void crash() {
            if (away == null) {
                away = member();
                cluster.crash(away, random.nextBoolean());
            }
        }

        private void isolate() {
            if (away == null) {
                away = member();
                cluster.isolate(away);
            }
        }

        /** A disk may be lost only when all the others have everything. */
        private void wipe() {
            dangerous = false;
            bury();
            back();
            whole();
            String lost = member();
            cluster.crash(lost, true);
            cluster.wipe(lost);
            cluster.restart(lost);
            whole();
        }

        private void back() {
            cluster.heal();
            for (String name : cluster.nodes.nodes()) {
                if (!cluster.members.containsKey(name)) {
                    cluster.restart(name);
                }
            }
            away = null;
        }

        private void names() {
            JsonNode answer = cluster.api("STREAM.NAMES", "");
            if (answer != null && answer.get("error") == null) {
                Set<String> shown = new HashSet<>();
                answer.path("streams").forEach(n -> shown.add(n.asText()));
                assertThat(shown).containsAll(streams.keySet());
                shown.removeAll(streams.keySet());
                assertThat(unsure).containsAll(shown);
            }
        }

        /** Waits until every group has all its replicas, current, and the metadata is the same everywhere. */
        private void whole() {
            awaitWhole();
            // What nodes tell of themselves is up to a second old: look again.
            cluster.nodes.run(3 * SECOND);
            awaitWhole();
        }

        private void awaitWhole() {
            cluster.nodes.runUntil(
                    () -> {
                        Member leader = cluster.metaLeader();
                        return leader != null
                                && leader.cluster.reports().whole()
                                && cluster.members.values().stream()
                                        .allMatch(m -> m.cluster.reports().digest()
                                                == leader.cluster.reports().digest());
                    },
                    600 * SECOND);
        }

        private void end() {
            dangerous = false;
            bury();
            back();
            whole();
            try {
                cluster.nodes.runUntil(this::settled, 300 * SECOND);
            } catch (AssertionError e) {
                throw new AssertionError("unsettled: " + unsettled, e);
            }
            names();
            for (Map.Entry<String, TreeMap<Long, String>> stream : streams.entrySet()) {
                check(stream.getKey(), stream.getValue());
            }
        }

        /** Every stream is led, and nothing is on its way to another group. */
        private boolean settled() {
            for (String name : streams.keySet()) {
                JsonNode info = cluster.api("STREAM.INFO." + name, "");
                if (info == null
                        || info.get("error") != null
                        || info.path("cluster").path("replicas").size() != 2) {
                    unsettled = name + ": " + info;
                    return false;
                }
            }
            return true;
        }

        private void check(String name, Map<Long, String> acked) {
            // Leadership may be on its way to who ranks first.
            cluster.nodes.runUntil(
                    () -> cluster.members.values().stream().anyMatch(m -> m.host.account("A").stream(name) != null),
                    60 * SECOND);
            Map<Long, String> held = new HashMap<>();
            for (Member member : cluster.members.values()) {
                var stream = member.host.account("A").stream(name);
                if (stream != null) {
                    acked.keySet().forEach(sequence -> {
                        var message = stream.machine().store().load(sequence);
                        if (message != null) {
                            held.put(sequence, new String(message.payload(), java.nio.charset.StandardCharsets.UTF_8));
                        }
                    });
                }
            }
            assertThat(held).as("acknowledged in " + name).isEqualTo(acked);
        }
    }
}
