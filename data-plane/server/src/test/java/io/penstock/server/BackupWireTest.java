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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups with the real command-line client, to and from a real nats-server, and what tenants and broken archives may do. */
@Tag("wire")
class BackupWireTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String AS_A = ",\"user\":\"a\",\"pass\":\"a\"";
    private static final String AS_B = ",\"user\":\"b\",\"pass\":\"b\"";

    @TempDir
    private Path directory;

    private TestingNode node;
    private int port;

    @BeforeEach
    void start() throws IOException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        Path file = directory.resolve("node.conf");
        Files.writeString(file, """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s" }
                accounts {
                  A { jetstream: enabled, users: [ { user: a, password: a } ] }
                  B { jetstream: enabled, users: [ { user: b, password: b } ] }
                }
                """.formatted(directory.resolve("store")));
        node = TestingNode.start(directory, "-c", file.toString());
        port = node.port("nats");
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
    }

    private static String cli(int port, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                TestingNodes.cli().toString(),
                "--no-context",
                "--timeout=20s",
                "--user=a",
                "--password=a",
                "--server=nats://127.0.0.1:" + port));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(String.join(" ", command) + "\n" + text)
                .isZero();
        return text;
    }

    private static JsonNode json(int port, String... arguments) throws IOException, InterruptedException {
        ObjectNode node = (ObjectNode) JSON.readTree(cli(port, arguments));
        node.remove(List.of("created", "ts", "cluster"));
        ((ObjectNode) node.path("config")).remove("metadata");
        for (String part : List.of("delivered", "ack_floor")) {
            if (node.get(part) instanceof ObjectNode sequences) {
                sequences.remove("last_active");
            }
        }
        return node;
    }

    /** A stream with gaps, headers, ids, and a consumer half-way. */
    private static void fill(int port) throws IOException, InterruptedException {
        cli(port, "stream", "add", "S", "--subjects=s.>", "--defaults");
        for (int i = 1; i <= 7; i++) {
            cli(port, "req", "s." + i % 3, "message " + i, "-H", "Nats-Msg-Id:id" + i, "-H", "A:b");
        }
        cli(port, "stream", "rmm", "S", "1", "--force");
        cli(port, "stream", "rmm", "S", "4", "--force");
        cli(port, "consumer", "add", "S", "C", "--pull", "--ack=explicit", "--deliver=all", "--defaults");
        cli(port, "consumer", "next", "S", "C", "--count=1", "--ack");
        cli(port, "consumer", "next", "S", "C", "--count=2", "--no-ack");
    }

    private Path backup(int from) throws IOException, InterruptedException {
        Path to = directory.resolve("backup-" + from);
        cli(from, "stream", "backup", "S", to.toString(), "--consumers", "--no-progress");
        return to;
    }

    private static void hasAll(int port, JsonNode stream, JsonNode consumer) throws IOException, InterruptedException {
        assertThat(json(port, "stream", "info", "S", "--json")).isEqualTo(stream);
        assertThat(json(port, "consumer", "info", "S", "C", "--json")).isEqualTo(consumer);
        assertThat(cli(port, "stream", "get", "S", "5")).contains("message 5", "Nats-Msg-Id: id5", "A: b");
        assertThat(cli(port, "req", "s.1", "again", "-H", "Nats-Msg-Id:id7", "--raw"))
                .contains("\"seq\":7", "\"duplicate\": true");
        assertThat(cli(port, "req", "s.1", "next", "--raw")).contains("\"seq\":8");
    }

    @Test
    void bringsAStreamBackAsItWas() throws Exception {
        fill(port);
        JsonNode stream = json(port, "stream", "info", "S", "--json");
        JsonNode consumer = json(port, "consumer", "info", "S", "C", "--json");
        assertThat(consumer.at("/ack_floor/stream_seq").asInt()).isEqualTo(2);
        Path backup = backup(port);
        cli(port, "stream", "rm", "S", "--force");
        cli(port, "stream", "restore", backup.toString(), "--no-progress");
        hasAll(port, stream, consumer);
        try (Stream<Path> left = Files.list(directory.resolve("store/jetstream/restore"))) {
            assertThat(left).isEmpty();
        }
        node.signal("KILL");
        node.awaitExit();
        node.launch();
        port = node.port("nats");
        assertThat(json(port, "consumer", "info", "S", "C", "--json")
                        .at("/ack_floor/stream_seq")
                        .asInt())
                .isEqualTo(2);
        assertThat(json(port, "stream", "info", "S", "--json")
                        .at("/state/messages")
                        .asInt())
                .isEqualTo(6);
    }

    @Test
    void comesFromTheReferenceServerAndGoesToIt() throws Exception {
        Path reference = TestingNodes.cli().resolveSibling("nats-server");
        assumeThat(reference).isExecutable();
        Path home = Files.createDirectories(directory.resolve("reference"));
        Path file = home.resolve("node.conf");
        Files.writeString(file, """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s" }
                accounts { A { jetstream: enabled, users: [ { user: a, password: a } ] } }
                """.formatted(home.resolve("store")));
        try (TestingNode theirs = TestingNode.start(reference, home, "-c", file.toString())) {
            int other = theirs.port("nats");
            fill(other);
            JsonNode stream = json(other, "stream", "info", "S", "--json");
            JsonNode consumer = json(other, "consumer", "info", "S", "C", "--json");
            cli(port, "stream", "restore", backup(other).toString(), "--no-progress");
            assertThat(json(port, "consumer", "info", "S", "C", "--json")).isEqualTo(consumer);
            Path back = backup(port);
            cli(other, "stream", "rm", "S", "--force");
            cli(other, "stream", "restore", back.toString(), "--no-progress");
            hasAll(port, stream, consumer);
            hasAll(other, stream, consumer);
        }
    }

    // --- what must not be -----------------------------------------------------------------------------------------

    private static final String CONFIG = "{\"config\":{\"name\":\"R\",\"subjects\":[\"r\"]},\"state\":{}}";

    private static String deliverSubject(Client client, String config) throws IOException {
        String answer = client.request("$JS.API.STREAM.RESTORE.R", config);
        return JSON.readTree(answer).path("deliver_subject").asText();
    }

    private JsonNode restore(Client client, byte[] archive) throws IOException {
        String subject = deliverSubject(client, CONFIG);
        assertThat(subject).startsWith("$JS.SNAPSHOT.RESTORE.R.");
        String answer = "";
        for (int at = 0; at < archive.length && answer.isEmpty(); at += 700) {
            byte[] piece = Arrays.copyOfRange(archive, at, Math.min(archive.length, at + 700));
            answer = client.request(subject, new String(piece, StandardCharsets.ISO_8859_1));
        }
        return JSON.readTree(answer.isEmpty() ? client.request(subject, "") : answer);
    }

    private byte[] archive() throws IOException, InterruptedException {
        fill(port);
        return Files.readAllBytes(backup(port).resolve("stream.arc.s2"));
    }

    @Test
    void leavesNothingOfABrokenArchive() throws Exception {
        byte[] sound = archive();
        JsonNode before = json(port, "stream", "info", "S", "--json");
        byte[] cut = Arrays.copyOf(sound, sound.length / 2);
        byte[] flipped = sound.clone();
        flipped[sound.length / 3] ^= 4;
        List<byte[]> broken = List.of(cut, flipped, new byte[0], "../../x".getBytes(StandardCharsets.UTF_8));
        try (Client client = node.connect(AS_A)) {
            for (byte[] each : broken) {
                JsonNode answer = restore(client, each);
                assertThat(answer.path("type").asText()).isEqualTo("io.nats.jetstream.api.v1.stream_create_response");
                assertThat(answer.at("/error/err_code").asInt())
                        .as(answer.toString())
                        .isEqualTo(10062);
                assertThat(client.request("$JS.API.STREAM.NAMES", "{}")).contains("\"streams\":[\"S\"]");
            }
            // Names of streams that are names of files.
            for (String name : List.of("../../x", "/etc/x", "..\\x")) {
                String body = CONFIG.replace("\"R\"", JSON.writeValueAsString(name));
                assertThat(JSON.readTree(client.request("$JS.API.STREAM.RESTORE.R", body))
                                .at("/error/err_code")
                                .asInt())
                        .isEqualTo(10056);
            }
            String taken = client.request(
                    "$JS.API.STREAM.RESTORE.S", "{\"config\":{\"name\":\"S\",\"subjects\":[\"s.>\"]},\"state\":{}}");
            assertThat(taken).contains("10130");
            assertThat(json(port, "stream", "info", "S", "--json")).isEqualTo(before);
            assertThat(restore(client, sound).path("did_create").isMissingNode())
                    .isTrue();
            assertThat(client.request("$JS.API.STREAM.INFO.R", "")).contains("\"messages\":5");
        }
        try (Stream<Path> left = Files.list(directory.resolve("store/jetstream/restore"))) {
            assertThat(left).isEmpty();
        }
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all.map(p -> p.getFileName().toString()).filter(n -> n.equals("x")))
                    .isEmpty();
        }
    }

    @Test
    void endsWhenTheOtherSideFallsSilent() throws Exception {
        fill(port);
        try (Client client = node.connect(AS_A)) {
            String request = "{\"deliver_subject\":\"drop.here\",\"chunk_size\":1024,\"window_size\":1024}";
            StringBuilder text = new StringBuilder();
            new java.util.Random(5).ints(4000, 'a', 'z').forEach(c -> text.append((char) c));
            assertThat(client.request("s.1", text.toString())).contains("\"seq\":8");
            client.send("SUB drop.here 5\r\nSUB $JS.EVENT.ADVISORY.STREAM.RESTORE_COMPLETE.R 6\r\n");
            client.ping();
            client.request("$JS.API.STREAM.SNAPSHOT.S", request);
            assertThat(client.await("NATS/1.0 408 No Flow Response")).isNotNull();
            String subject = deliverSubject(client, CONFIG);
            assertThat(client.await("MSG $JS.EVENT.ADVISORY.STREAM.RESTORE_COMPLETE.R"))
                    .isNotNull();
            assertThat(client.requestOrStatus(subject, "late")).isEqualTo("NATS/1.0 503");
            assertThat(client.request("$JS.API.STREAM.NAMES", "{}")).contains("\"streams\":[\"S\"]");
        }
    }

    @Test
    void keepsAnotherTenantFromReadingABackup() throws Exception {
        fill(port);
        try (Client a = node.connect(AS_A);
                Client b = node.connect(AS_B)) {
            b.send("SUB > 1\r\nSUB $JS.> 2\r\nSUB drop.here 3\r\n");
            b.ping();
            a.send("SUB drop.here 5\r\n");
            a.ping();
            assertThat(a.request("$JS.API.STREAM.SNAPSHOT.S", "{\"deliver_subject\":\"$JS.API.STREAM.DELETE.S\"}"))
                    .contains("10015");
            a.send("SUB _INBOX.s 6\r\nPUB $JS.API.STREAM.SNAPSHOT.S _INBOX.s 31\r\n"
                    + "{\"deliver_subject\":\"drop.here\"}\r\n");
            assertThat(a.await("MSG drop.here 5 $JS.SNAPSHOT.ACK.S.")).isNotNull();
            assertThat(a.await("NATS/1.0 204")).isNotNull();
            b.send("PUB marker 0\r\n\r\n");
            assertThat(b.await("MSG")).as("the first thing B hears").startsWith("MSG marker ");
        }
    }

    @Test
    void keepsAnotherTenantFromFeedingARestore() throws Exception {
        byte[] sound = archive();
        try (Client a = node.connect(AS_A);
                Client b = node.connect(AS_B)) {
            String subject = deliverSubject(a, CONFIG);
            String answer = b.requestOrStatus(subject, "not yours");
            assertThat(answer).isEqualTo("NATS/1.0 503");
            b.send("PUB " + subject + " x 7\r\ngarbage\r\nPUB " + subject + " x 0\r\n\r\n");
            b.ping();
            assertThat(a.request(subject, new String(sound, StandardCharsets.ISO_8859_1)))
                    .isEmpty();
            assertThat(a.request(subject, "")).contains("\"messages\":5");
            assertThat(b.request("$JS.API.STREAM.NAMES", "{}")).contains("\"total\":0");
        }
    }
}
