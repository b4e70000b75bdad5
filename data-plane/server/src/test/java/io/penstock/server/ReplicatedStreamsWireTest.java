package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes in three zones, made by configuration files alone, and the real command-line client. */
@Tag("wire")
class ReplicatedStreamsWireTest {
    @TempDir
    private Path directory;

    private TestingNodes nodes;

    @BeforeEach
    void form() throws IOException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        nodes = new TestingNodes(directory, 3, null, null);
        nodes.startAll();
        nodes.node(0).ports();
        nodes.succeed(0, "stream", "add", "S", "--subjects=S.>", "--replicas=3", "--defaults");
    }

    @AfterEach
    void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    @Test
    void losesNothingWhileTwoOfThreeAreAway() throws IOException, InterruptedException {
        nodes.awaitWhole(0, "S", 3);
        JsonNode cluster = nodes.info(0, "S").path("cluster");
        assertThat(cluster.path("name").asText()).isEqualTo("C1");
        assertThat(cluster.path("raft_group").asText()).startsWith("S-R3F-");
        assertThat(nodes.acknowledged(0, "S.1", "one")).isTrue();
        nodes.kill(0);
        nodes.kill(1);
        Awaitility.await("no leader")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.leader(2, "S").isEmpty());
        assertThat(nodes.acknowledged(2, "S.1", "never")).isFalse();
        nodes.start(0);
        Awaitility.await("two go on").atMost(TestingNodes.PATIENCE).until(() -> nodes.acknowledged(2, "S.1", "two"));
        JsonNode replicas = nodes.info(2, "S").path("cluster").path("replicas");
        assertThat(replicas.valueStream()
                        .filter(r -> r.path("name").asText().equals("n1"))
                        .allMatch(r -> r.path("offline").asBoolean()
                                || !r.path("current").asBoolean()))
                .as("n1 is away in " + replicas)
                .isTrue();
        nodes.start(1);
        nodes.awaitWhole(2, "S", 3);
        assertThat(nodes.user(0, "stream", "get", "S", "1").text()).contains("one");
    }

    @Test
    void showsTheClusterToTheSystemAccount() {
        TestingNodes.Output report = nodes.system(1, "server", "report", "jetstream");
        assertThat(report.text()).contains("n0", "n1", "n2", "RAFT Meta Group Information", "C1");
        assertThat(nodes.system(1, "server", "cluster", "step-down", "--force").code())
                .isZero();
        TestingNodes.Output again = nodes.system(1, "server", "request", "jetstream", "--all");
        assertThat(again.text()).contains("meta_cluster");
    }

    @Test
    void scalesAStreamUpAndDownWithItsMessages() {
        nodes.succeed(0, "stream", "add", "M", "--subjects=M.>", "--replicas=1", "--defaults");
        assertThat(nodes.user(0, "publish", "M.1", "x", "--count=50", "--jetstream")
                        .code())
                .isZero();
        assertThat(nodes.user(0, "stream", "edit", "M", "--replicas=3", "--force")
                        .code())
                .isZero();
        nodes.awaitWhole(0, "M", 3);
        assertThat(nodes.user(0, "stream", "state", "M").text()).contains("50");
        assertThat(nodes.user(0, "stream", "cluster", "step-down", "M").code()).isZero();
        nodes.succeed(0, "stream", "edit", "M", "--replicas=1", "--subjects=M.1", "--force");
        nodes.awaitWhole(0, "M", 1);
        assertThat(nodes.user(0, "stream", "state", "M").text()).contains("50");
        assertThat(nodes.acknowledged(0, "M.2", "nobody's")).isFalse();
        nodes.succeed(0, "stream", "edit", "M", "--replicas=3", "--subjects=M.1,M.2", "--force");
        nodes.awaitWhole(0, "M", 3);
        assertThat(nodes.acknowledged(1, "M.1", "x")).isTrue();
        assertThat(nodes.acknowledged(2, "M.2", "y")).isTrue();
    }
}
