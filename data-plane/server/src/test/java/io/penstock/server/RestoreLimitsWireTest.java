package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.TestingNode.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What limits a restore meets, answered as a real nats-server answers: both are asked the same. */
@Tag("wire")
class RestoreLimitsWireTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MESSAGES = 60;
    private static final int PAYLOAD = 4_000;

    @TempDir
    private Path directory;

    private TestingNode ours;
    private TestingNode theirs;
    private byte[] archive;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        Path reference = TestingNodes.cli().resolveSibling("nats-server");
        assumeThat(reference).isExecutable();
        Path home = Files.createDirectories(directory.resolve("ours"));
        ours = TestingNode.start(home, "-c", configuration(home).toString());
        home = Files.createDirectories(directory.resolve("theirs"));
        theirs = TestingNode.start(reference, home, "-c", configuration(home).toString());
        archive = archive();
    }

    @AfterEach
    void stop() {
        for (TestingNode node : Arrays.asList(ours, theirs)) {
            if (node != null) {
                node.close();
            }
        }
    }

    private static Path configuration(Path home) throws IOException {
        return Files.writeString(home.resolve("node.conf"), """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s", max_file_store: 3M, max_memory_store: 1M }
                accounts {
                  FREE { jetstream: enabled, users: [ { user: free, password: p } ] }
                  SMALL { jetstream: { max_store: 100K }, users: [ { user: small, password: p } ] }
                  FEW { jetstream: { max_streams: 1 }, users: [ { user: few, password: p } ] }
                  SAID { jetstream: { max_store: 1M, max_bytes_required: true }, users: [ { user: said, password: p } ] }
                }
                """.formatted(home.resolve("store")));
    }

    private static Client connect(TestingNode node, String user) throws IOException {
        return node.connect(",\"user\":\"" + user + "\",\"pass\":\"p\"");
    }

    private byte[] archive() throws IOException, InterruptedException {
        Path to = directory.resolve("backup");
        try (Client client = connect(theirs, "free")) {
            client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"s.>\"]}");
            for (int i = 0; i < MESSAGES; i++) {
                client.request("s." + i % 4, "x".repeat(PAYLOAD));
            }
            Process process = new ProcessBuilder(
                            TestingNodes.cli().toString(),
                            "--no-context",
                            "--timeout=45s",
                            "--user=free",
                            "--password=p",
                            "--server=nats://127.0.0.1:" + theirs.port("nats"),
                            "stream",
                            "backup",
                            "S",
                            to.toString(),
                            "--no-progress")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            client.request("$JS.API.STREAM.DELETE.S", "");
        }
        return Files.readAllBytes(to.resolve("stream.arc.s2"));
    }

    /** Restores; the answer that ends it, without what differs from server to server. */
    private JsonNode restore(TestingNode node, String user, String name, String more) throws IOException {
        try (Client client = connect(node, user)) {
            String config = "{\"config\":{\"name\":\"" + name + "\",\"subjects\":[\"" + name + ".>\"]"
                    + (more.isEmpty() ? "" : "," + more) + "},\"state\":{}}";
            ObjectNode begun = (ObjectNode) JSON.readTree(client.request("$JS.API.STREAM.RESTORE." + name, config));
            if (begun.has("error")) {
                return begun;
            }
            String subject = begun.path("deliver_subject").asText();
            assertThat(client.request(subject, new String(archive, StandardCharsets.ISO_8859_1)))
                    .isEmpty();
            ObjectNode ended = (ObjectNode) JSON.readTree(client.request(subject, ""));
            JsonNode state = ended.path("state");
            ended.retain(List.of("type", "error"));
            for (String field : List.of("messages", "bytes", "first_seq", "last_seq")) {
                ended.set(field, state.get(field));
            }
            return ended;
        }
    }

    private void same(String user, String name, String more, int error) throws IOException {
        JsonNode expected = restore(theirs, user, name, more);
        JsonNode answer = restore(ours, user, name, more);
        assertThat(answer).as(user + " " + more).isEqualTo(expected);
        assertThat(answer.at("/error/err_code").asInt()).isEqualTo(error);
        for (TestingNode node : List.of(ours, theirs)) {
            try (Client client = connect(node, user)) {
                String there = client.request("$JS.API.STREAM.INFO." + name, "");
                assertThat(there.contains("\"err_code\":10059")).as(there).isEqualTo(error != 0);
                client.request("$JS.API.STREAM.DELETE." + name, "");
            }
        }
    }

    @Test
    void limitsOfTheAccountAndOfTheServerRefuse() throws Exception {
        same("small", "S", "", 10047);
        same("small", "S", "\"max_bytes\":200000", 10047);
        same("said", "S", "", 10113);
        same("said", "S", "\"max_bytes\":500000", 0);
        same("free", "S", "\"max_bytes\":4000000", 10047);
        same("free", "S", "\"storage\":\"memory\",\"max_bytes\":2000000", 10028);
        for (TestingNode node : List.of(ours, theirs)) {
            try (Client client = connect(node, "few")) {
                client.request("$JS.API.STREAM.CREATE.X", "{\"name\":\"X\",\"subjects\":[\"x\"]}");
            }
        }
        same("few", "S", "", 10027);
    }

    @Test
    void theServersRoomEndsWhereItDoes() throws Exception {
        Map<String, JsonNode> answers = new LinkedHashMap<>();
        int refused = 0;
        for (int i = 0; i < 14; i++) {
            String name = "S" + i;
            JsonNode expected = restore(theirs, "free", name, "");
            answers.put(name, restore(ours, "free", name, ""));
            assertThat(answers.get(name)).as(name).isEqualTo(expected);
            refused += expected.at("/error/err_code").asInt() == 10047 ? 1 : 0;
        }
        assertThat(refused).as(answers.toString()).isBetween(1, 13);
    }

    @Test
    void limitsOfTheStreamItselfApplyOnceItIsThere() throws Exception {
        same("free", "S", "\"max_msgs\":10", 0);
        same("free", "S", "\"max_bytes\":100000", 0);
        same("free", "S", "\"max_msgs_per_subject\":3", 0);
        same("free", "S", "\"max_msgs\":10,\"discard\":\"new\"", 0);
        same("free", "S", "\"max_bytes\":100000,\"discard\":\"new\"", 0);
        same("free", "S", "\"duplicate_window\":1000000000,\"max_age\":1000000", 10052);
    }

    @Test
    void aMessageTheStreamWouldNotTakeRefusesAll() throws Exception {
        JsonNode expected = restore(theirs, "free", "S", "\"max_msg_size\":100");
        JsonNode answer = restore(ours, "free", "S", "\"max_msg_size\":100");
        assertThat(answer.get("error")).isEqualTo(expected.get("error"));
        assertThat(answer.at("/error/err_code").asInt()).isEqualTo(10062);
        try (Client client = connect(ours, "free")) {
            assertThat(client.request("$JS.API.STREAM.NAMES", "{}")).contains("\"total\":0");
        }
    }

    @Test
    void aNameThatIsTakenIsNotRestored() throws Exception {
        for (TestingNode node : List.of(ours, theirs)) {
            try (Client client = connect(node, "free")) {
                client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"x\"]}");
            }
        }
        JsonNode answer = restore(ours, "free", "S", "");
        assertThat(answer).isEqualTo(restore(theirs, "free", "S", ""));
        assertThat(answer.at("/error/err_code").asInt()).isEqualTo(10130);
        try (Client client = connect(ours, "free")) {
            assertThat(client.request("$JS.API.STREAM.INFO.S", "")).contains("\"messages\":0");
        }
    }
}
