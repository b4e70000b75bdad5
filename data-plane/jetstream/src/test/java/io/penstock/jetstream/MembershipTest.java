package io.penstock.jetstream;

import static io.penstock.jetstream.Answers.error;
import static io.penstock.jetstream.Answers.replicas;
import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes that are evacuated, removed and come back, and who answers meanwhile; in virtual time. */
class MembershipTest {
    @Test
    void spreadsTheFirstGroupsEvenly() {
        TestingMembers cluster = new TestingMembers(21, 5, 5, "");
        cluster.awaitGroups(5);
        Map<String, Integer> carried = new TreeMap<>();
        cluster.members.values().forEach(m -> m.host.engines().forEach(e -> carried.merge(m.name, 1, Integer::sum)));
        assertThat(carried).hasSize(5);
        assertThat(carried.values()).as("replicas of %s", carried).allMatch(count -> count == 3);
    }

    @Test
    void answersAStreamWhoseGroupIsMadeWithIt() {
        TestingMembers cluster = new TestingMembers(22, 5, 5, "");
        cluster.awaitGroups(5);
        JsonNode made = cluster.create("S", 5, "");
        assertThat(made).as("an answer").isNotNull();
        assertThat(made.path("did_create").asBoolean()).as(made.toString()).isTrue();
        assertThat(replicas(made)).hasSize(5);
        assertThat(cluster.publish("S.1", "x", "1").path("seq").asLong()).isOne();
    }

    @Test
    void aFiveFoldStreamGoesOnWithoutTwoNodes() {
        TestingMembers cluster = new TestingMembers(23, 5, 5, "");
        cluster.awaitGroups(5);
        cluster.create("S", 5, "");
        assertThat(cluster.publish("S.1", "x", "1").path("seq").asLong()).isOne();
        cluster.crash("n1", true);
        cluster.crash("n2", true);
        cluster.nodes.runUntil(() -> cluster.publish("S.1", "y", "2") != null, 60 * SECOND);
        cluster.crash("n3", true);
        cluster.nodes.run(5 * SECOND);
        assertThat(cluster.publish("S.1", "z", "3")).isNull();
        cluster.restart("n1");
        cluster.nodes.runUntil(() -> cluster.publish("S.1", "z", "3") != null, 60 * SECOND);
        JsonNode last = cluster.publish("S.1", "z", "3");
        assertThat(last.path("seq").asLong()).isEqualTo(3);
        assertThat(last.path("duplicate").asBoolean()).isTrue();
    }

    @Test
    void evacuatesANodeAndTakesItInAgainWhenItStartsAnew() {
        TestingMembers cluster = new TestingMembers(24, 4, 4, "");
        cluster.awaitGroups(4);
        JsonNode made = cluster.create("S", 3, "");
        cluster.publish("S.1", "x", "1");
        String node = made.path("cluster").path("leader").asText();
        for (int i = 0; i < 2; i++) {
            JsonNode answer = cluster.system("SERVER.EVACUATE", "{\"peer\":\"" + node + "\"}");
            assertThat(answer.path("type").asText()).endsWith(".meta_server_evacuate_response");
            assertThat(answer.path("success").asBoolean()).as(answer.toString()).isTrue();
        }
        cluster.nodes.runUntil(() -> cluster.members.get(node).host.engines().isEmpty(), 240 * SECOND);
        JsonNode info = cluster.api("STREAM.INFO.S", "");
        assertThat(replicas(info)).hasSize(3).doesNotContain(node);
        assertThat(info.path("state").path("messages").asLong()).isOne();

        cluster.crash(node, false);
        cluster.nodes.runUntil(() -> cluster.metaLeader() != null, 60 * SECOND);
        cluster.restart(node);
        // Three replicas on four nodes with one of them away need it.
        String other = cluster.members.keySet().stream()
                .filter(n -> !n.equals(node))
                .findFirst()
                .orElseThrow();
        cluster.nodes.run(10 * SECOND);
        cluster.nodes.runUntil(() -> cluster.metaLeader() != null, 60 * SECOND);
        cluster.system("SERVER.EVACUATE", "{\"peer\":\"" + other + "\"}");
        cluster.nodes.runUntil(() -> cluster.members.get(other).host.engines().isEmpty(), 240 * SECOND);
        assertThat(cluster.members.get(node).host.engines()).isNotEmpty();
    }

    @Test
    void aRemovedNodeThatRunsOnSpoilsNoAnswers() {
        TestingMembers cluster = new TestingMembers(25, 4, 4, "");
        cluster.awaitGroups(4);
        cluster.create("S", 3, "");
        assertThat(error(cluster.system("SERVER.REMOVE", "{\"peer\":\"nobody\"}")))
                .isEqualTo(10044);
        assertThat(cluster.system("SERVER.REMOVE", "{\"peer\":\"n4\"}")
                        .path("success")
                        .asBoolean())
                .isTrue();
        cluster.nodes.run(20 * SECOND);
        for (int i = 0; i < 20; i++) {
            cluster.nodes.run(SECOND);
            assertThat(cluster.api("STREAM.NAMES", "").path("streams").toString())
                    .isEqualTo("[\"S\"]");
        }
        assertThat(cluster.members.get("n4").cluster.reports().problem()).contains("was removed");
    }

    @Test
    void aNodeRemovedWhileItWasAwayHearsOfIt() {
        TestingMembers cluster = new TestingMembers(26, 4, 4, "");
        cluster.awaitGroups(4);
        cluster.create("S", 3, "");
        cluster.crash("n4", false);
        cluster.nodes.runUntil(() -> cluster.metaLeader() != null, 60 * SECOND);
        assertThat(cluster.system("SERVER.REMOVE", "{\"peer\":\"n4\"}")
                        .path("success")
                        .asBoolean())
                .isTrue();
        cluster.restart("n4");
        cluster.nodes.runUntil(
                () -> {
                    String problem = cluster.members.get("n4").cluster.reports().problem();
                    return problem != null && problem.contains("was removed");
                },
                60 * SECOND);
        assertThat(cluster.api("STREAM.NAMES", "").path("streams").toString()).isEqualTo("[\"S\"]");
    }

    @Test
    void refusesWhatIsNotDone() {
        TestingMembers cluster = new TestingMembers(27, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        cluster.api("CONSUMER.CREATE.S.c", "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\"}}");
        JsonNode evacuated = cluster.api("CONSUMER.PEER.EVACUATE.S.c", "{\"peer\":\"n1\"}");
        assertThat(error(evacuated)).isEqualTo(10075);
        assertThat(evacuated.path("type").asText()).endsWith(".consumer_evacuate_peer_response");
        assertThat(error(cluster.api("CONSUMER.PEER.REMOVE.S.c", "{\"peer\":\"n9\"}")))
                .isEqualTo(10040);
        assertThat(error(cluster.api("CONSUMER.PEER.REMOVE.S.d", "{\"peer\":\"n1\"}")))
                .isEqualTo(10014);
        JsonNode rescue = cluster.system("META.RESCUE", "{\"quorum_needed\":1}");
        assertThat(error(rescue)).isEqualTo(10224);
        assertThat(rescue.path("server").asText()).isIn(List.of("n1", "n2", "n3"));
        assertThat(error(cluster.system("SERVER.REMOVE", ""))).isEqualTo(10003);
        JsonNode move = cluster.api("STREAM.PEER.EVACUATE.S", "{\"peer\":\"n1\"}");
        assertThat(error(move)).isEqualTo(10075);
        assertThat(move.path("type").asText()).endsWith(".stream_evacuate_peer_response");
        assertThat(error(cluster.api("STREAM.CANCEL_MOVE.S", ""))).isEqualTo(10129);
    }

    @Test
    void aTenantReachesNoRequestOfOperators() {
        TestingMembers cluster = new TestingMembers(28, 4, 4, "");
        cluster.awaitGroups(4);
        cluster.create("S", 3, "");
        String leader = cluster.metaLeader().name;
        for (String[] request : new String[][] {
            {"META.LEADER.STEPDOWN", ""},
            {"META.RESCUE", "{\"quorum_needed\":1}"},
            {"SERVER.REMOVE", "{\"peer\":\"n1\"}"},
            {"SERVER.EVACUATE", "{\"peer\":\"n1\"}"},
            {"ACCOUNT.PURGE.A", ""},
            {"ACCOUNT.STREAM.MOVE.A.S", "{\"server\":\"n1\"}"},
            {"ACCOUNT.STREAM.CANCEL_MOVE.A.S", ""}
        }) {
            assertThat(cluster.api(request[0], request[1])).as(request[0]).isNull();
        }
        assertThat(cluster.metaLeader().name).isEqualTo(leader);
        assertThat(replicas(cluster.api("STREAM.INFO.S", ""))).hasSize(3);
        cluster.nodes.run(30 * SECOND);
        assertThat(cluster.members.values()).allMatch(m -> m.host.engines().size() == 3);
    }

    @Test
    void aListNamesWhatIsMissing() {
        TestingMembers cluster = new TestingMembers(29, 5, 5, "");
        cluster.awaitGroups(5);
        Set<String> three = replicas(cluster.create("S", 3, ""));
        cluster.create("T", 5, "");
        cluster.nodes.run(12 * SECOND);
        three.stream().sorted().limit(2).forEach(node -> cluster.crash(node, false));
        cluster.nodes.runUntil(() -> cluster.metaLeader() != null, 60 * SECOND);
        cluster.nodes.runUntil(() -> cluster.publish("T.1", "x", "1") != null, 60 * SECOND);
        // Who leads it and has lost the others just now lists it as long as its lease holds.
        cluster.nodes.runUntil(
                () -> {
                    JsonNode answer = cluster.api("STREAM.LIST", "");
                    return answer != null && answer.path("streams").size() == 1;
                },
                60 * SECOND);
        JsonNode list = cluster.api("STREAM.LIST", "");
        assertThat(list.path("total").asInt()).isEqualTo(2);
        assertThat(list.path("streams")).hasSize(1);
        assertThat(list.path("missing").toString()).isEqualTo("[\"S\"]");
        assertThat(cluster.api("STREAM.NAMES", "").path("streams").toString()).isEqualTo("[\"S\",\"T\"]");
    }

    @Test
    void refusesReplicaCountsThereAreNot() {
        TestingMembers cluster = new TestingMembers(30, 3, 3, "az:");
        cluster.awaitGroups(3);
        assertThat(error(cluster.create("S", -1, ""))).isEqualTo(10133);
        for (int count : new int[] {6, 99, Integer.MAX_VALUE}) {
            assertThat(error(cluster.create("S", count, "")))
                    .as("%d replicas", count)
                    .isEqualTo(10052);
        }
        assertThat(cluster.api("STREAM.NAMES", "").path("streams")).isEmpty();
    }
}
