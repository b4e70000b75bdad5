package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of replicated streams on three nodes, with the real command-line client. */
@Tag("wire")
class BackupClusterWireTest {
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

    private JsonNode consumer(int node, String name) {
        return nodes.json(node, "consumer", "info", "S", name, "--json");
    }

    private static String progress(JsonNode consumer) {
        return "delivered " + consumer.at("/delivered/consumer_seq") + "/" + consumer.at("/delivered/stream_seq")
                + ", floor " + consumer.at("/ack_floor/consumer_seq") + "/" + consumer.at("/ack_floor/stream_seq")
                + ", pending " + consumer.path("num_ack_pending") + ", left " + consumer.path("num_pending");
    }

    @Test
    void bringsAReplicatedStreamBackWithItsConsumers() throws Exception {
        nodes.awaitWhole(0, "S", 3);
        for (int i = 1; i <= 9; i++) {
            nodes.succeed(0, "request", "S.x", "message " + i, "--header=Nats-Msg-Id:id" + i);
        }
        nodes.succeed(1, "consumer", "add", "S", "C", "--pull", "--ack=explicit", "--deliver=all", "--defaults");
        assertThat(nodes.user(1, "consumer", "next", "S", "C", "--count=4", "--ack"))
                .satisfies(output -> assertThat(output.code()).as(output.text()).isZero());
        assertThat(nodes.user(1, "consumer", "next", "S", "C", "--count=2", "--no-ack"))
                .satisfies(output -> assertThat(output.code()).as(output.text()).isZero());
        removesTheThird();
        String before = "delivered 6/6, floor 4/4, pending 2, left 3";
        awaitProgress(0, before);

        // Asked of a node that does not lead the stream.
        int other = nodes.awaitLeader(0, "S").equals("n2") ? 1 : 2;
        Path backup = directory.resolve("backup");
        backsUp(other, backup);
        removes(other);
        TestingNodes.Output restored = nodes.user(other, "stream", "restore", backup.toString(), "--no-progress");
        assertThat(restored.code()).as(restored.text()).isZero();
        nodes.awaitWhole(other, "S", 3);
        nodes.awaitMessages(other, "S", 8);
        nodes.awaitShown(other, List.of("\"num_replicas\": 3"), "stream", "info", "S", "--json");
        awaitProgress(other, before);

        String leader = nodes.awaitLeader(other, "S");
        int lost = Integer.parseInt(leader.substring(1));
        int left = (lost + 1) % 3;
        nodes.kill(lost);
        // The next leader knows it too.
        awaitProgress(left, before);
        nodes.awaitShown(left, List.of("message 5", "id5"), "stream", "get", "S", "5");
    }

    private void awaitProgress(int node, String expected) {
        Awaitility.await("the progress of C")
                .atMost(TestingNodes.PATIENCE)
                .untilAsserted(() -> assertThat(progress(consumer(node, "C"))).isEqualTo(expected));
    }

    /** The answer may be lost: that it is gone counts. */
    private void removesTheThird() {
        Awaitility.await("the third is gone").atMost(TestingNodes.PATIENCE).until(() -> {
            nodes.user(1, "stream", "rmm", "S", "3", "--force");
            return nodes.info(1, "S").at("/state/num_deleted").asInt() == 1;
        });
    }

    /** As with {@link #removesTheThird}. */
    private void removes(int node) {
        Awaitility.await("S is gone").atMost(TestingNodes.PATIENCE).until(() -> {
            nodes.user(node, "stream", "rm", "S", "--force");
            TestingNodes.Output list = nodes.user(node, "stream", "ls", "--names");
            return list.code() == 0 && !list.text().contains("S\n");
        });
    }

    /** One that ended half-way leaves a folder in the next one's way. */
    private void backsUp(int node, Path to) {
        TestingNodes.Output output =
                nodes.user(node, "stream", "backup", "S", to.toString(), "--consumers", "--no-progress");
        assertThat(output.code()).as(output.text()).isZero();
    }

    @Test
    void restoresUnderOtherReplicasAndLeavesNothingOfABrokenArchive() throws Exception {
        nodes.awaitWhole(0, "S", 3);
        for (int i = 1; i <= 3; i++) {
            nodes.succeed(0, "request", "S.x", "message " + i, "--header=Nats-Msg-Id:id" + i);
        }
        Path backup = directory.resolve("backup");
        backsUp(0, backup);
        removes(0);
        Path archive = backup.resolve("stream.arc.s2");
        byte[] sound = java.nio.file.Files.readAllBytes(archive);
        java.nio.file.Files.write(archive, java.util.Arrays.copyOf(sound, sound.length / 2));
        TestingNodes.Output refused = nodes.user(1, "stream", "restore", backup.toString(), "--no-progress");
        assertThat(refused.code()).isNotZero();
        assertThat(refused.text()).contains("10062");
        assertThat(nodes.user(0, "stream", "ls", "--names").text()).doesNotContain("S\n");
        java.nio.file.Files.write(archive, sound);
        TestingNodes.Output restored =
                nodes.user(1, "stream", "restore", backup.toString(), "--no-progress", "--replicas=1");
        assertThat(restored.code()).as(restored.text()).isZero();
        nodes.awaitWhole(0, "S", 1);
        nodes.awaitMessages(2, "S", 3);
        nodes.awaitAcknowledged("the next one", 0, "S.x", "next");
        nodes.awaitShown(2, List.of("\"last_seq\": 4"), "stream", "info", "S", "--json");
    }
}
