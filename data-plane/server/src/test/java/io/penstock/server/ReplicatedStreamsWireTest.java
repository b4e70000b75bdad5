package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        nodes.awaitShown(0, List.of("\"name\": \"C1\"", "\"raft_group\": \"S-R3F-"), "stream", "info", "S", "--json");
        nodes.awaitAcknowledged("three take it", 0, "S.1", "one");
        nodes.kill(0);
        nodes.kill(1);
        Awaitility.await("no leader")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.leader(2, "S").isEmpty());
        assertThat(nodes.acknowledged(2, "S.1", "never")).isFalse();
        nodes.start(0);
        nodes.awaitAcknowledged("two go on", 2, "S.1", "two");
        JsonNode replicas = nodes.info(2, "S").path("cluster").path("replicas");
        assertThat(replicas.valueStream()
                        .filter(r -> r.path("name").asText().equals("n1"))
                        .allMatch(r -> r.path("offline").asBoolean()
                                || !r.path("current").asBoolean()))
                .as("n1 is away in " + replicas)
                .isTrue();
        nodes.start(1);
        nodes.awaitWhole(2, "S", 3);
        nodes.awaitShown(0, List.of("one"), "stream", "get", "S", "1");
    }

    @Test
    void aNodeWhoseStoreWasRenamedStepsDownAndSaysSoUntilItIsBack() throws IOException, InterruptedException {
        nodes.awaitWhole(0, "S", 3);
        assertThat(nodes.acknowledged(0, "S.1", "one")).isTrue();
        int leader = nodes.leader(0, "S").charAt(1) - '0';
        int other = (leader + 1) % 3;
        Path store = nodes.home(leader).resolve("store");
        Path away = nodes.home(leader).resolve("away");
        Files.move(store, away);
        Awaitility.await("it says so")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.node(leader).get("healthz").statusCode() == 503);
        assertThat(nodes.node(leader).get("healthz").body())
                .contains(store.resolve("jetstream").toString());
        Awaitility.await("another leads").atMost(TestingNodes.PATIENCE).until(() -> {
            String now = nodes.leader(other, "S");
            return !now.isEmpty() && !now.equals("n" + leader);
        });
        Awaitility.await("the others go on")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.acknowledged(other, "S.1", "two"));
        assertThat(nodes.node(leader).isAlive()).isTrue();
        assertThat(nodes.node(leader).get("healthz").statusCode()).isEqualTo(503);

        Files.move(away, store);
        nodes.kill(leader);
        nodes.start(leader);
        nodes.awaitWhole(other, "S", 3);
        Awaitility.await("it is well again")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.node(leader).get("healthz").statusCode() == 200);
        assertThat(nodes.user(leader, "stream", "get", "S", "1").text()).contains("one");
        assertThat(nodes.user(leader, "stream", "get", "S", "2").text()).contains("two");
    }

    @Test
    void showsTheClusterToTheSystemAccount() {
        awaitSystem(List.of("n0", "n1", "n2", "RAFT Meta Group Information", "C1"), "server", "report", "jetstream");
        awaitSystem(List.of(), "server", "cluster", "step-down", "--force");
        awaitSystem(List.of("meta_cluster"), "server", "request", "jetstream", "--all");
    }

    /** Repeats a command of operators until it ends well and shows all of these. */
    private void awaitSystem(List<String> texts, String... arguments) {
        Awaitility.await(String.join(" ", arguments))
                .atMost(TestingNodes.PATIENCE)
                .untilAsserted(() -> {
                    TestingNodes.Output output = nodes.system(1, arguments);
                    assertThat(output.code()).as(output.text()).isZero();
                    for (String text : texts) {
                        assertThat(output.text()).contains(text);
                    }
                });
    }

    @Test
    void scalesAStreamUpAndDownWithItsMessages() {
        nodes.succeed(0, "stream", "add", "M", "--subjects=M.>", "--replicas=1", "--defaults");
        nodes.publish(0, "M.1", 50);
        nodes.succeed(0, "stream", "edit", "M", "--replicas=3", "--force");
        nodes.awaitWhole(0, "M", 3);
        nodes.awaitMessages(0, "M", 50);
        nodes.succeed(0, "stream", "cluster", "step-down", "M");
        nodes.succeed(0, "stream", "edit", "M", "--replicas=1", "--subjects=M.1", "--force");
        nodes.awaitWhole(0, "M", 1);
        nodes.awaitMessages(0, "M", 50);
        assertThat(nodes.acknowledged(0, "M.2", "nobody's")).isFalse();
        nodes.succeed(0, "stream", "edit", "M", "--replicas=3", "--subjects=M.1,M.2", "--force");
        nodes.awaitWhole(0, "M", 3);
        nodes.awaitAcknowledged("what it had", 1, "M.1", "x");
        nodes.awaitAcknowledged("what is new", 2, "M.2", "y");
    }
}
