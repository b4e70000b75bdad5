package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.api.Reports;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes and requests tell about replicas of streams and consumers. */
class ReplicaReportsTest {
    private TestingMembers cluster;

    @BeforeEach
    void form() {
        cluster = new TestingMembers(31, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
    }

    private JsonNode consumer(String name, int replicas) {
        return cluster.api(
                "CONSUMER.CREATE.S." + name,
                "{\"stream_name\":\"S\",\"config\":{\"name\":\"" + name + "\",\"durable_name\":\"" + name
                        + "\",\"ack_policy\":\"explicit\",\"num_replicas\":" + replicas + "}}");
    }

    private List<JetStreamStats.StreamStats> followed(String node) {
        return Reports.replicas(cluster.members.get(node).host, "A");
    }

    @Test
    void whoFollowsAStreamShowsItAsWellAsWhoLeadsIt() {
        consumer("c", 0);
        cluster.publish("S.x", "x", "1");
        String leader =
                cluster.api("STREAM.INFO.S", "").path("cluster").path("leader").asText();
        List<String> others = cluster.members.keySet().stream()
                .filter(node -> !node.equals(leader))
                .toList();

        cluster.nodes.runUntil(
                () -> others.stream()
                        .allMatch(node -> followed(node).size() == 1
                                && followed(node).getFirst().info().state().messages() == 1
                                && followed(node).getFirst().consumers().size() == 1),
                60 * SECOND);

        assertThat(followed(leader)).isEmpty();
        assertThat(others).hasSize(2).allSatisfy(node -> {
            JetStreamStats.StreamStats stream = followed(node).getFirst();
            assertThat(stream.info().config().name()).isEqualTo("S");
            assertThat(stream.info().cluster().leader()).isEqualTo(leader);
            assertThat(stream.consumers().getFirst().name()).isEqualTo("c");
            assertThat(Reports.replicas(cluster.members.get(node).host, "B")).isEmpty();
        });
    }

    @Test
    void aConsumerMayAskForAsManyReplicasAsItsStreamHas() {
        assertThat(consumer("c", 3).path("config").path("num_replicas").asInt()).isEqualTo(3);
        assertThat(consumer("d", 5).path("error").path("err_code").asInt()).isEqualTo(10126);
    }

    @Test
    void saysByWhichAccountReplicationGoes() {
        JsonNode lies = cluster.api("STREAM.INFO.S", "").path("cluster");
        assertThat(lies.path("system_account").asBoolean()).isTrue();
        assertThat(lies.path("traffic_account").asText()).isEqualTo("SYS");
    }

    @Test
    void whoIsToLeaveAStreamMustBeNamed() {
        consumer("c", 0);
        for (String request : List.of(
                "STREAM.PEER.REMOVE.S",
                "STREAM.PEER.EVACUATE.S",
                "CONSUMER.PEER.REMOVE.S.c",
                "CONSUMER.PEER.EVACUATE.S.c")) {
            assertThat(cluster.api(request, "{}").path("error").path("err_code").asInt())
                    .as(request)
                    .isEqualTo(10003);
        }
    }
}
