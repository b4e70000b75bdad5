package io.penstock.jetstream;

import static io.penstock.jetstream.Answers.replicas;
import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replicas that are lost, damaged, late or replaced one after the other; in virtual time. */
class ReplicaLossTest {
    private static boolean whole(TestingMembers cluster, String stream, Set<String> nodes) {
        JsonNode info = cluster.api("STREAM.INFO." + stream, "");
        return info != null
                && replicas(info).equals(nodes)
                && info.path("cluster")
                        .path("replicas")
                        .valueStream()
                        .allMatch(r -> r.path("current").asBoolean()
                                && !r.path("offline").asBoolean());
    }

    /** Whether every group, not only that of one stream, has all its replicas. */
    private static boolean healthy(TestingMembers cluster) {
        TestingMembers.Member leader = cluster.metaLeader();
        return leader != null && leader.cluster.reports().whole();
    }

    /** What nodes hold of a stream. */
    private static List<StreamMachine> held(TestingMembers cluster, String stream, Set<String> nodes) {
        return cluster.members.values().stream()
                .filter(m -> nodes.contains(m.name))
                .flatMap(m -> m.host.engines().stream())
                .flatMap(e -> e.streams().all().stream())
                .filter(s -> s.config().name().equals(stream))
                .toList();
    }

    /** Waits until nodes hold the same. */
    private static void awaitEqual(TestingMembers cluster, String stream, Set<String> nodes) {
        cluster.nodes.runUntil(
                () -> {
                    List<StreamMachine> held = held(cluster, stream, nodes);
                    return held.size() == nodes.size()
                            && held.stream()
                                            .map(StreamMachine::stateHash)
                                            .distinct()
                                            .count()
                                    == 1;
                },
                120 * SECOND);
    }

    private static void publish(TestingMembers cluster, String stream, int from, int to) {
        for (int i = from; i <= to; i++) {
            String id = Integer.toString(i);
            cluster.nodes.runUntil(() -> cluster.publish(stream + ".1", "m" + id, id) != null, 120 * SECOND);
        }
    }

    @Test
    void everyNodeIsReplacedByANewOne() {
        TestingMembers cluster = new TestingMembers(31, 3, 6, "");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        cluster.api("CONSUMER.CREATE.S.c", "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\"}}");
        publish(cluster, "S", 1, 5);
        Set<String> now = new HashSet<>(Set.of("n1", "n2", "n3"));
        for (int i = 1; i <= 3; i++) {
            String old = "n" + i;
            String fresh = "n" + (i + 3);
            cluster.crash(old, true);
            cluster.nodes.runUntil(() -> cluster.metaLeader() != null, 60 * SECOND);
            assertThat(cluster.system("SERVER.REMOVE", "{\"peer\":\"" + old + "\"}")
                            .path("success")
                            .asBoolean())
                    .isTrue();
            cluster.restart(fresh);
            now.remove(old);
            now.add(fresh);
            cluster.nodes.runUntil(() -> whole(cluster, "S", now) && healthy(cluster), 240 * SECOND);
        }
        publish(cluster, "S", 6, 6);
        JsonNode info = cluster.api("STREAM.INFO.S", "");
        assertThat(info.path("state").path("messages").asLong()).isEqualTo(6);
        JsonNode consumer = cluster.api("CONSUMER.INFO.S.c", "");
        assertThat(consumer.path("num_pending").asLong()).isEqualTo(6);
        assertThat(replicas(consumer)).isEqualTo(now);
    }

    @Test
    void aRemovalAmongFaultsLosesNothing() {
        TestingMembers cluster = new TestingMembers(32, 5, 5, "");
        cluster.awaitGroups(5);
        cluster.create("S", 5, "");
        publish(cluster, "S", 1, 5);
        cluster.isolate("n1");
        publish(cluster, "S", 6, 10);
        cluster.crash("n2", true);
        publish(cluster, "S", 11, 12);
        cluster.crash("n3", true);
        // Two of five: neither the removal nor a message may get through.
        JsonNode refused = cluster.system("SERVER.REMOVE", "{\"peer\":\"n4\"}");
        assertThat(refused == null || !refused.path("success").asBoolean())
                .as("answer %s", refused)
                .isTrue();
        assertThat(cluster.publish("S.1", "never", "never")).isNull();
        cluster.restart("n2");
        cluster.restart("n3");
        cluster.heal();
        cluster.nodes.runUntil(
                () -> {
                    JsonNode answer = cluster.system("SERVER.REMOVE", "{\"peer\":\"n4\"}");
                    return answer != null
                            && (answer.path("success").asBoolean()
                                    || answer.path("error").path("err_code").asInt() == 10044);
                },
                120 * SECOND);
        publish(cluster, "S", 13, 13);
        cluster.nodes.runUntil(
                () -> {
                    JsonNode info = cluster.api("STREAM.INFO.S", "");
                    return info != null && replicas(info).equals(Set.of("n1", "n2", "n3", "n5"));
                },
                240 * SECOND);
        awaitEqual(cluster, "S", Set.of("n1", "n2", "n3", "n5"));
        // Every id is known: had a message been lost, it would be stored again.
        for (int i = 1; i <= 13; i++) {
            assertThat(cluster.publish("S.1", "m" + i, Integer.toString(i))
                            .path("duplicate")
                            .asBoolean())
                    .as("message %d", i)
                    .isTrue();
        }
    }

    @Test
    void damagedMetadataOnTwoOfFiveIsFetchedAnewAndDeletesNothing() {
        TestingMembers cluster = new TestingMembers(33, 5, 5, "");
        cluster.awaitGroups(5);
        cluster.create("S", 5, "");
        publish(cluster, "S", 1, 5);
        // Snapshots of the metadata are taken every 30 s.
        cluster.nodes.run(70 * SECOND);
        for (String name : List.of("n1", "n2")) {
            cluster.crash(name, false);
            TestingDisk disk = cluster.disks.get(name);
            Path snapshot = disk.files().stream()
                    .filter(f ->
                            f.startsWith("/meta") && f.getFileName().toString().startsWith("snapshot-"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = disk.bytes(snapshot).clone();
            if (name.equals("n1")) {
                bytes[bytes.length / 2] ^= 4;
            } else {
                bytes = new byte[0];
            }
            disk.overwrite(snapshot, bytes);
            cluster.restart(name);
        }
        cluster.nodes.runUntil(() -> whole(cluster, "S", Set.of("n1", "n2", "n3", "n4", "n5")), 240 * SECOND);
        awaitEqual(cluster, "S", cluster.members.keySet());
        for (String name : List.of("n1", "n2")) {
            cluster.nodes.runUntil(
                    () -> {
                        cluster.system("META.LEADER.STEPDOWN", "{\"placement\":{\"preferred\":\"" + name + "\"}}");
                        return cluster.metaLeader() != null
                                && cluster.metaLeader().name.equals(name);
                    },
                    120 * SECOND);
            assertThat(cluster.api("STREAM.INFO.S", "")
                            .path("state")
                            .path("messages")
                            .asLong())
                    .isEqualTo(5);
        }
    }

    @Test
    void aReplicaThatWasAwayTakesWhatTheOthersRefusedAndTook() {
        TestingMembers cluster = new TestingMembers(34, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "\"max_msgs\":5,\"discard\":\"new\"");
        publish(cluster, "S", 1, 2);
        cluster.crash("n2", true);
        publish(cluster, "S", 3, 5);
        assertThat(cluster.publish("S.1", "full", "full")
                        .path("error")
                        .path("err_code")
                        .asInt())
                .isEqualTo(10077);
        assertThat(cluster.api("STREAM.PURGE.S", "{\"keep\":1}").path("purged").asInt())
                .isEqualTo(4);
        publish(cluster, "S", 6, 7);
        cluster.restart("n2");
        cluster.nodes.runUntil(() -> whole(cluster, "S", Set.of("n1", "n2", "n3")), 120 * SECOND);
        awaitEqual(cluster, "S", cluster.members.keySet());
        assertThat(held(cluster, "S", cluster.members.keySet()))
                .allMatch(s -> s.store().state().messages() == 3);
    }

    @Test
    void replicasLetMessagesGoTogetherWhenTheirTimeIsOver() {
        TestingMembers cluster = new TestingMembers(35, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "\"max_age\":" + 60 * SECOND);
        publish(cluster, "S", 1, 5);
        cluster.nodes.run(50 * SECOND);
        cluster.crash("n2", true);
        cluster.wipe("n2");
        cluster.restart("n2");
        cluster.nodes.runUntil(() -> whole(cluster, "S", Set.of("n1", "n2", "n3")), 60 * SECOND);
        // Messages are as old as they are, also for the replica that has just got them.
        cluster.nodes.runUntil(
                () -> held(cluster, "S", cluster.members.keySet()).stream()
                        .allMatch(s -> s.store().state().messages() == 0),
                15 * SECOND);
        awaitEqual(cluster, "S", cluster.members.keySet());
    }

    @Test
    void aNodeThatLostAGroupsStreamsNeitherLeadsNorVotesUntilItHasThemAgain() throws IOException {
        TestingMembers cluster = new TestingMembers(36, 3, 3, "az:");
        cluster.awaitGroups(3);
        String leader =
                cluster.create("S", 3, "").path("cluster").path("leader").asText();
        publish(cluster, "S", 1, 20);
        String group = cluster.api("STREAM.INFO.S", "")
                .path("cluster")
                .path("raft_group")
                .asText();
        // From here on the log alone does not tell what is in the streams.
        cluster.checkpoint(leader, group);
        cluster.crash(leader, false);
        TestingDisk disk = cluster.disks.get(leader);
        disk.rename(Path.of("/groups/" + group), Path.of("/lost"));
        cluster.restart(leader);
        for (int i = 21; i <= 40; i++) {
            String id = Integer.toString(i);
            long expected = i;
            cluster.nodes.runUntil(
                    () -> {
                        JsonNode ack = cluster.publish("S.1", "m" + id, id);
                        if (ack != null) {
                            assertThat(ack.path("seq").asLong()).isEqualTo(expected);
                        }
                        return ack != null;
                    },
                    120 * SECOND);
        }
        cluster.nodes.runUntil(() -> whole(cluster, "S", Set.of("n1", "n2", "n3")), 120 * SECOND);
        awaitEqual(cluster, "S", cluster.members.keySet());
        assertThat(held(cluster, "S", cluster.members.keySet()))
                .allMatch(s -> s.store().state().messages() == 40);
    }

    @Test
    void aNodeThatLostWhatItKnewOfTheClusterLearnsItAnew() throws IOException {
        TestingMembers cluster = new TestingMembers(37, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        publish(cluster, "S", 1, 3);
        cluster.nodes.run(70 * SECOND);
        cluster.crash("n2", false);
        cluster.disks.get("n2").rename(Path.of("/meta"), Path.of("/lost"));
        cluster.restart("n2");
        cluster.nodes.runUntil(() -> whole(cluster, "S", Set.of("n1", "n2", "n3")) && healthy(cluster), 240 * SECOND);
        long digest = cluster.members.get("n1").cluster.reports().digest();
        cluster.nodes.runUntil(() -> cluster.members.get("n2").cluster.reports().digest() == digest, 60 * SECOND);
        publish(cluster, "S", 4, 4);
        awaitEqual(cluster, "S", cluster.members.keySet());
    }
}
