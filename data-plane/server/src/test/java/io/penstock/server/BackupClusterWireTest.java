package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of replicated streams on three nodes, with the real command-line client. */
@Tag("wire")
class BackupClusterWireTest {
    private static final ObjectMapper JSON = new ObjectMapper();

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

    private JsonNode consumer(int node, String name) {
        TestingNodes.Output info = nodes.user(node, "consumer", "info", "S", name, "--json");
        try {
            return info.code() == 0 ? JSON.readTree(info.text()) : JSON.createObjectNode();
        } catch (IOException e) {
            return JSON.createObjectNode();
        }
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
        nodes.succeed(1, "consumer", "next", "S", "C", "--count=4", "--ack");
        nodes.succeed(1, "consumer", "next", "S", "C", "--count=2", "--no-ack");
        nodes.succeed(1, "stream", "rmm", "S", "3", "--force");
        String before = progress(consumer(0, "C"));
        assertThat(before).isEqualTo("delivered 6/6, floor 4/4, pending 2, left 3");

        // Asked of a node that does not lead the stream.
        int other = nodes.leader(0, "S").equals("n2") ? 1 : 2;
        Path backup = directory.resolve("backup");
        nodes.succeed(other, "stream", "backup", "S", backup.toString(), "--consumers", "--no-progress");
        nodes.succeed(other, "stream", "rm", "S", "--force");
        TestingNodes.Output restored = nodes.user(other, "stream", "restore", backup.toString(), "--no-progress");
        assertThat(restored.code()).as(restored.text()).isZero();
        nodes.awaitWhole(other, "S", 3);
        assertThat(nodes.info(other, "S").at("/state/messages").asInt()).isEqualTo(8);
        assertThat(nodes.info(other, "S").at("/config/num_replicas").asInt()).isEqualTo(3);
        assertThat(progress(consumer(other, "C"))).isEqualTo(before);

        String leader = nodes.leader(other, "S");
        int lost = Integer.parseInt(leader.substring(1));
        int left = (lost + 1) % 3;
        nodes.kill(lost);
        Awaitility.await("the next leader knows it too")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> progress(consumer(left, "C")).equals(before));
        assertThat(nodes.user(left, "stream", "get", "S", "5").text()).contains("message 5", "id5");
    }

    @Test
    void restoresUnderOtherReplicasAndLeavesNothingOfABrokenArchive() throws Exception {
        nodes.awaitWhole(0, "S", 3);
        for (int i = 1; i <= 3; i++) {
            nodes.succeed(0, "request", "S.x", "message " + i);
        }
        Path backup = directory.resolve("backup");
        nodes.succeed(0, "stream", "backup", "S", backup.toString(), "--consumers", "--no-progress");
        nodes.succeed(0, "stream", "rm", "S", "--force");
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
        assertThat(nodes.info(2, "S").at("/state/messages").asInt()).isEqualTo(3);
        nodes.succeed(0, "request", "S.x", "next");
        assertThat(nodes.info(2, "S").at("/state/last_seq").asInt()).isEqualTo(4);
    }
}
