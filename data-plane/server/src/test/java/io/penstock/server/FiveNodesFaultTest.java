package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.testkit.faults.PowerLossDisk;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Five node processes, of which two stand still while a third loses its disk's power, and then the other two. */
@Tag("faults")
class FiveNodesFaultTest {
    private static final String USER = ",\"user\":\"a\",\"pass\":\"a\"";
    private static final int MESSAGES = 12;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The one whose disk loses its power. */
    private static final int UNLUCKY = 2;

    @TempDir
    private Path directory;

    private final Map<Long, String> acknowledged = new TreeMap<>();
    private TestingNodes nodes;
    private PowerLossDisk disk;

    @AfterEach
    void stop() {
        if (nodes != null) {
            nodes.close();
        }
        if (disk != null) {
            disk.close();
        }
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void whatOneReplicaAloneHasOfTheMajorityOutlivesItsPowerLoss() throws Exception {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        nodes = new TestingNodes(directory, 5, null, null);
        Path home = Files.createDirectories(nodes.home(UNLUCKY));
        disk = new PowerLossDisk(home);
        Files.createSymbolicLink(home.resolve("store"), disk.folder());
        nodes.startAll();
        nodes.succeed(0, "stream", "add", "S", "--subjects=S.>", "--replicas=5", "--defaults");
        nodes.awaitWhole(0, "S", 5);
        publish("all", 0);

        freeze(0, 1);
        publish("without n0 and n1", 3);
        losePower();
        // Before the others go on: of those who do, one alone is sure to have what was acknowledged last.
        freeze(3, 4);
        thaw(0, 1);
        nodes.start(UNLUCKY);
        nodes.node(UNLUCKY).ports();
        publish("without n3 and n4", 0);
        thaw(3, 4);
        nodes.awaitWhole(UNLUCKY, "S", 5);
        publish("all again", UNLUCKY);
        nodes.awaitWhole(UNLUCKY, "S", 5);

        assertThat(acknowledged).hasSize(4 * MESSAGES);
        Map<Long, String> first = valuesAt(0);
        assertThat(first).containsAllEntriesOf(acknowledged);
        for (int node = 1; node < 5; node++) {
            assertThat(valuesAt(node)).as("messages at n%d", node).isEqualTo(first);
        }
    }

    private void losePower() throws InterruptedException {
        long pid = nodes.node(UNLUCKY).pid();
        disk.cut(pid);
        nodes.node(UNLUCKY).awaitExit();
        disk.restore(pid);
    }

    private void freeze(int... frozen) throws IOException, InterruptedException {
        for (int node : frozen) {
            nodes.node(node).signal("STOP");
        }
    }

    private void thaw(int... frozen) throws IOException, InterruptedException {
        for (int node : frozen) {
            nodes.node(node).signal("CONT");
        }
    }

    /** Each is there once, however often it has to be tried. */
    private void publish(String when, int node) {
        for (int i = 0; i < MESSAGES; i++) {
            String payload = when + " " + i;
            AtomicLong sequence = new AtomicLong();
            Awaitility.await(payload).atMost(TestingNodes.PATIENCE).until(() -> {
                sequence.set(nodes.sequence(node, "S.x", payload));
                return sequence.get() > 0;
            });
            assertThat(acknowledged.put(sequence.get(), payload))
                    .as("another message acknowledged as %s", sequence)
                    .isNull();
        }
    }

    /** What a node's replica has: only a leader is asked for a message by its sequence, so it is made one. */
    private Map<Long, String> valuesAt(int node) {
        Map<Long, String> values = new TreeMap<>();
        String wanted = "{\"placement\":{\"preferred\":\"n" + node + "\"}}";
        Awaitility.await("n" + node + " leads and answers")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> {
                    if (!leads(node)) {
                        nodes.json(node, "request", "$JS.API.STREAM.LEADER.STEPDOWN.S", wanted, "--raw");
                    }
                    return leads(node) && read(node, values) && leads(node);
                });
        return values;
    }

    private boolean leads(int node) {
        return nodes.leader(node, "S").equals("n" + node);
    }

    /** Whether there was an answer for every sequence the stream has. */
    private boolean read(int node, Map<Long, String> values) throws IOException {
        values.clear();
        long last = nodes.info(node, "S").at("/state/last_seq").asLong();
        try (TestingNode.Client client = nodes.node(node).connect(USER)) {
            for (long sequence = 1; sequence <= last; sequence++) {
                JsonNode message = JSON.readTree(
                                client.requestOrStatus("$JS.API.STREAM.MSG.GET.S", "{\"seq\":" + sequence + "}"))
                        .path("message");
                if (message.path("seq").asLong() != sequence) {
                    return false;
                }
                byte[] payload = Base64.getDecoder().decode(message.path("data").asText());
                values.put(sequence, new String(payload, StandardCharsets.UTF_8));
            }
        } catch (JsonProcessingException | SocketTimeoutException e) {
            // The leader has changed: a status instead of an answer, or nothing for a request that was under way.
            return false;
        }
        return last > 0;
    }
}
