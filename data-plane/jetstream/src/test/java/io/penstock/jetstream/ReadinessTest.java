package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.cluster.ClusterReports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node says that it is ready when it is, so that whoever waits for it can go on at once. */
class ReadinessTest {
    private static boolean ready(TestingMembers cluster, String node) {
        ClusterReports reports = cluster.members.get(node).cluster.reports();
        return reports.problem() == null && reports.behind() == null;
    }

    private static boolean allReady(TestingMembers cluster) {
        return cluster.members.keySet().stream().allMatch(node -> ready(cluster, node));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aStreamCanBeMadeAsSoonAsEveryNodeOfANewClusterIsReady(long seed) {
        TestingMembers cluster = new TestingMembers(seed, 3, 3, "az:");
        cluster.members
                .keySet()
                .forEach(node -> assertThat(ready(cluster, node)).isFalse());

        cluster.nodes.runUntil(() -> allReady(cluster), 120 * SECOND);

        assertThat(cluster.led()).hasSizeGreaterThanOrEqualTo(3);
        JsonNode made = TestingNode.json(cluster.request(
                cluster.router,
                SECOND / 2,
                "$JS.API.STREAM.CREATE.S",
                "{\"name\":\"S\",\"subjects\":[\"s\"],\"num_replicas\":3}"));
        assertThat(made).isNotNull();
        assertThat(made.get("error")).isNull();
        assertThat(cluster.publish("s", "x", "1").path("seq").asInt()).isEqualTo(1);
    }

    @Test
    void aNodeThatIsCutOffIsNotReadyUntilItIsBack() {
        TestingMembers cluster = new TestingMembers(9, 3, 3, "az:");
        cluster.nodes.runUntil(() -> allReady(cluster), 120 * SECOND);

        cluster.isolate("n2");
        cluster.nodes.runUntil(
                () -> !ready(cluster, "n2") && ready(cluster, "n1") && ready(cluster, "n3"), 60 * SECOND);
        cluster.heal();
        cluster.nodes.runUntil(() -> allReady(cluster), 60 * SECOND);
    }

    @Test
    void twoOfThreeNodesAreReadyWithoutTheThird() {
        TestingMembers cluster = new TestingMembers(10, 3, 3, "az:");
        cluster.nodes.runUntil(() -> allReady(cluster), 120 * SECOND);

        cluster.crash("n3", true);
        cluster.nodes.run(20 * SECOND);
        cluster.nodes.runUntil(() -> ready(cluster, "n1") && ready(cluster, "n2"), 60 * SECOND);
    }
}
