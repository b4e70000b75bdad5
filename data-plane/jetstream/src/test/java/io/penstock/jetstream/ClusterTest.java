package io.penstock.jetstream;

import static io.penstock.jetstream.Answers.error;
import static io.penstock.jetstream.Answers.replicas;
import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Clusters that form, grow, lose nodes and move streams, in virtual time. */
class ClusterTest {
    @Test
    void formsWithAGroupForEachNodeToLead() {
        TestingMembers cluster = new TestingMembers(1, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.nodes.runUntil(
                () -> cluster.members.values().stream()
                        .allMatch(m -> m.host.engines().stream()
                                        .filter(e -> e.leading())
                                        .count()
                                == 1),
                240 * SECOND);
    }

    @Test
    void createsAStreamOverTheZonesAndShowsWhereItLies() {
        TestingMembers cluster = new TestingMembers(2, 3, 3, "az:");
        cluster.awaitGroups(3);
        JsonNode made = cluster.create("S", 3, "");
        assertThat(made.get("error")).isNull();
        assertThat(made.get("did_create").asBoolean()).isTrue();
        assertThat(replicas(made)).containsExactlyInAnyOrder("n1", "n2", "n3");
        assertThat(made.path("cluster").path("raft_group").asText()).startsWith("S-R3F-");
        assertThat(cluster.publish("S.1", "x", "1").path("seq").asLong()).isOne();
        assertThat(cluster.api("STREAM.INFO.S", "")
                        .path("state")
                        .path("messages")
                        .asLong())
                .isOne();
        assertThat(cluster.create("S", 3, "").path("did_create").asBoolean()).isTrue();
        assertThat(error(cluster.create("S", 3, "\"max_msgs\":5"))).isEqualTo(10058);
        assertThat(cluster.api("STREAM.NAMES", "").path("streams").toString()).isEqualTo("[\"S\"]");
        assertThat(cluster.api("STREAM.LIST", "").path("streams")).hasSize(1);
        assertThat(error(cluster.api("STREAM.INFO.T", ""))).isEqualTo(10059);
        assertThat(cluster.api("STREAM.DELETE.S", "").path("success").asBoolean())
                .isTrue();
        assertThat(cluster.api("STREAM.NAMES", "").path("streams")).isEmpty();
    }

    @Test
    void tellsWhyNoNodesWillDo() {
        TestingMembers cluster = new TestingMembers(3, 3, 3, "az:");
        cluster.awaitGroups(3);
        JsonNode tags = cluster.create("S", 3, "\"placement\":{\"tags\":[\"gpu\"]}");
        assertThat(tags.path("error").path("description").asText())
                .isEqualTo("no suitable peers for placement, tags not matched ['gpu']");
        assertThat(error(tags)).isEqualTo(10005);
        assertThat(error(cluster.create("S", 5, ""))).isEqualTo(10005);
    }

    @Test
    void answersNothingWithoutAMajorityAndGoesOnWithOne() {
        TestingMembers cluster = new TestingMembers(4, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        cluster.nodes.run(12 * SECOND);
        cluster.crash("n1", true);
        cluster.crash("n2", false);
        cluster.nodes.run(15 * SECOND);
        assertThat(cluster.publish("S.1", "x", "1")).isNull();
        assertThat(error(cluster.api("STREAM.NAMES", ""))).isEqualTo(10008);
        assertThat(error(cluster.api("STREAM.INFO.S", ""))).isEqualTo(10008);
        cluster.restart("n1");
        cluster.nodes.runUntil(() -> cluster.publish("S.1", "x", "1") != null, 60 * SECOND);
        JsonNode info = cluster.api("STREAM.INFO.S", "");
        boolean offline = false;
        for (JsonNode replica : info.path("cluster").path("replicas")) {
            offline |= replica.get("name").asText().equals("n2")
                    && replica.path("offline").asBoolean();
        }
        assertThat(offline).as("n2 is offline in " + info).isTrue();
        cluster.restart("n2");
        cluster.nodes.runUntil(
                () -> {
                    JsonNode now = cluster.api("STREAM.INFO.S", "");
                    return now != null
                            && now.path("cluster").path("replicas").size() == 2
                            && now.path("cluster")
                                    .path("replicas")
                                    .valueStream()
                                    .allMatch(r -> r.get("current").asBoolean());
                },
                60 * SECOND);
    }

    @Test
    void takesUpANodeThatLostItsDisk() {
        TestingMembers cluster = new TestingMembers(5, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        cluster.publish("S.1", "x", "1");
        cluster.crash("n2", true);
        cluster.wipe("n2");
        cluster.restart("n2");
        cluster.nodes.runUntil(
                () -> {
                    JsonNode info = cluster.api("STREAM.INFO.S", "");
                    return info != null
                            && replicas(info).contains("n2")
                            && info.path("cluster").path("replicas").size() == 2
                            && info.path("cluster")
                                    .path("replicas")
                                    .valueStream()
                                    .allMatch(r -> r.get("current").asBoolean());
                },
                120 * SECOND);
        cluster.nodes.runUntil(
                () -> cluster.members.get("n2").host.engines().stream()
                        .anyMatch(e -> e.streams().all().stream()
                                .anyMatch(s -> s.store().state().messages() == 1)),
                60 * SECOND);
    }

    @Test
    void growsAndReplacesANodeThatIsRemoved() {
        TestingMembers cluster = new TestingMembers(6, 3, 4, "");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        cluster.publish("S.1", "x", "1");
        cluster.restart("n4");
        cluster.awaitGroups(4);
        cluster.crash("n1", false);
        cluster.nodes.runUntil(() -> cluster.metaLeader() != null, 60 * SECOND);
        assertThat(error(cluster.system("SERVER.REMOVE", "{\"peer\":\"nobody\"}")))
                .isEqualTo(10044);
        JsonNode removed = cluster.system("SERVER.REMOVE", "{\"peer\":\"n1\"}");
        assertThat(removed.path("success").asBoolean()).as(removed.toString()).isTrue();
        cluster.nodes.runUntil(
                () -> {
                    JsonNode info = cluster.api("STREAM.INFO.S", "");
                    return info != null
                            && replicas(info).equals(Set.of("n2", "n3", "n4"))
                            && info.path("state").path("messages").asLong() == 1;
                },
                120 * SECOND);
        assertThat(cluster.publish("S.1", "y", "2").path("seq").asLong()).isEqualTo(2);
    }

    @Test
    void movesAStreamOffAPeer() {
        TestingMembers cluster = new TestingMembers(7, 4, 4, "");
        cluster.awaitGroups(4);
        JsonNode made = cluster.create("S", 3, "");
        cluster.publish("S.1", "x", "1");
        String leader = made.path("cluster").path("leader").asText();
        JsonNode answer = cluster.api("STREAM.PEER.REMOVE.S", "{\"peer\":\"" + leader + "\"}");
        assertThat(answer.path("success").asBoolean()).as(answer.toString()).isTrue();
        cluster.nodes.runUntil(
                () -> {
                    JsonNode info = cluster.api("STREAM.INFO.S", "");
                    return info != null && !replicas(info).contains(leader);
                },
                120 * SECOND);
        assertThat(cluster.api("STREAM.INFO.S", "")
                        .path("state")
                        .path("messages")
                        .asLong())
                .isOne();
    }

    @Test
    void handsLeadershipOfTheMetadataOver() {
        TestingMembers cluster = new TestingMembers(8, 3, 3, "az:");
        cluster.awaitGroups(3);
        String before = cluster.metaLeader().name;
        String next = before.equals("n1") ? "n2" : "n1";
        JsonNode answer = cluster.system("META.LEADER.STEPDOWN", "{\"placement\":{\"preferred\":\"" + next + "\"}}");
        assertThat(answer.path("success").asBoolean()).as(answer.toString()).isTrue();
        cluster.nodes.runUntil(
                () -> cluster.metaLeader() != null && cluster.metaLeader().name.equals(next), 30 * SECOND);
    }

    @Test
    void aStreamIsLedWhereItIsAskedFor() {
        TestingMembers cluster = new TestingMembers(9, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        // The group goes to who ranks first.
        cluster.nodes.run(10 * SECOND);
        String leader = cluster.api("STREAM.INFO.S", "").at("/cluster/leader").asText();
        for (String next : new String[] {"n1", "n2", "n3", "n1"}) {
            JsonNode answer =
                    cluster.api("STREAM.LEADER.STEPDOWN.S", "{\"placement\":{\"tags\":[\"NODE:" + next + "\"]}}");
            assertThat(answer.path("success").asBoolean())
                    .as("to %s: %s", next, answer)
                    .isEqualTo(!leader.equals(next));
            cluster.nodes.runUntil(
                    () -> {
                        JsonNode info = cluster.api("STREAM.INFO.S", "");
                        return info != null
                                && info.path("cluster").path("leader").asText().equals(next)
                                && info.path("cluster")
                                        .path("replicas")
                                        .valueStream()
                                        .allMatch(r -> r.path("current").asBoolean());
                    },
                    30 * SECOND);
            leader = next;
        }
        assertThat(error(cluster.api("STREAM.LEADER.STEPDOWN.S", "{\"placement\":{\"tags\":[\"gpu\"]}}")))
                .isEqualTo(10005);
        assertThat(error(cluster.api("STREAM.LEADER.STEPDOWN.S", "{\"placement\":{\"preferred\":\"n9\"}}")))
                .isEqualTo(10005);
    }
}
