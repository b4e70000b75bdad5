package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes in three zones, made by configuration files alone, and the real command-line client. */
@Tag("wire")
class ReplicatedStreamsWireTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private final TestingNode[] nodes = new TestingNode[3];
    private final int[] clients = new int[3];

    /** What a command printed, and how it ended. */
    private record Output(int code, String text) {}

    @BeforeEach
    void form() throws IOException {
        assumeThat(cli()).as("the nats command is installed").isNotNull();
        List<Integer> ports = freePorts(6);
        StringBuilder routes = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            clients[i] = ports.get(i);
            routes.append(i == 0 ? "" : ", ")
                    .append("\"nats-route://127.0.0.1:")
                    .append(ports.get(3 + i))
                    .append('"');
        }
        for (int i = 0; i < 3; i++) {
            Path own = Files.createDirectories(directory.resolve("n" + i));
            Files.writeString(own.resolve("node.conf"), """
                    server_name: n%d
                    server_tags: ["az:%s"]
                    listen: "127.0.0.1:%d"
                    jetstream { store_dir: "%s", unique_tag: "az:", max_file: 1G }
                    accounts {
                      $SYS { users: [ { user: sys, password: sys } ] }
                      A { jetstream: enabled, users: [ { user: a, password: a } ] }
                    }
                    no_auth_user: a
                    cluster { name: C1, listen: "127.0.0.1:%d", routes: [%s] }
                    """.formatted(
                            i, "abc".charAt(i), clients[i], own, ports.get(3 + i), routes));
        }
        for (int i = 0; i < 3; i++) {
            start(i);
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> stream("add", "S", "--subjects=S.>", "--replicas=3", "--defaults")
                                .code()
                        == 0);
    }

    @AfterEach
    void stop() {
        for (TestingNode node : nodes) {
            if (node != null) {
                node.close();
            }
        }
    }

    private void start(int node) throws IOException {
        Path own = directory.resolve("n" + node);
        nodes[node] = TestingNode.start(own, "-c", own.resolve("node.conf").toString());
    }

    private static Path cli() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(":")), Stream.of(System.getProperty("user.home") + "/go/bin"))
                .map(each -> Path.of(each, "nats"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    private Output nats(String user, int node, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(cli().toString(), "--timeout=3s", "--server=nats://" + user + "127.0.0.1:" + clients[node]));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Output(process.exitValue(), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A command about streams, asked of the first node that runs. */
    private Output stream(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stream"));
        command.addAll(List.of(arguments));
        return nats("", alive(), command.toArray(String[]::new));
    }

    private int alive() {
        for (int i = 0; i < 3; i++) {
            if (nodes[i] != null && nodes[i].isAlive()) {
                return i;
            }
        }
        throw new IllegalStateException("no node runs");
    }

    private JsonNode cluster(String stream) {
        Output info = stream("info", stream, "--json");
        try {
            return info.code() == 0 ? JSON.readTree(info.text()).path("cluster") : JSON.createObjectNode();
        } catch (IOException e) {
            return JSON.createObjectNode();
        }
    }

    private boolean whole(String stream) {
        JsonNode replicas = cluster(stream).path("replicas");
        return replicas.size() == 2
                && replicas.valueStream().allMatch(r -> r.path("current").asBoolean());
    }

    private boolean acknowledged(String payload) {
        Output answer = nats("", alive(), "request", "S.1", payload, "--raw");
        return answer.text().contains("\"seq\"");
    }

    @Test
    void losesNothingWhileTwoOfThreeAreAway() throws IOException, InterruptedException {
        Awaitility.await().atMost(PATIENCE).until(() -> whole("S"));
        JsonNode cluster = cluster("S");
        assertThat(cluster.path("name").asText()).isEqualTo("C1");
        assertThat(cluster.path("raft_group").asText()).startsWith("S-R3F-");
        assertThat(acknowledged("one")).isTrue();
        nodes[0].signal("KILL");
        nodes[1].signal("KILL");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> cluster("S").path("leader").asText("").isEmpty());
        assertThat(acknowledged("never")).isFalse();
        start(0);
        Awaitility.await().atMost(PATIENCE).until(() -> acknowledged("two"));
        JsonNode replicas = cluster("S").path("replicas");
        assertThat(replicas.valueStream()
                        .filter(r -> r.path("name").asText().equals("n1"))
                        .allMatch(r -> r.path("offline").asBoolean()
                                || !r.path("current").asBoolean()))
                .as("n1 is away in " + replicas)
                .isTrue();
        start(1);
        Awaitility.await().atMost(PATIENCE).until(() -> whole("S"));
        assertThat(stream("get", "S", "1").text()).contains("one");
    }

    @Test
    void showsTheClusterToTheSystemAccount() {
        Output report = nats("sys:sys@", 1, "server", "report", "jetstream");
        assertThat(report.text()).contains("n0", "n1", "n2", "RAFT Meta Group Information", "C1");
        assertThat(nats("sys:sys@", 1, "server", "cluster", "step-down", "--force")
                        .code())
                .isZero();
        Output again = nats("sys:sys@", 1, "server", "request", "jetstream", "--all");
        assertThat(again.text()).contains("meta_cluster");
    }

    @Test
    void scalesAStreamUpAndDownWithItsMessages() {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> stream("add", "M", "--subjects=M.>", "--replicas=1", "--defaults")
                                .code()
                        == 0);
        assertThat(nats("", 0, "publish", "M.1", "x", "--count=50", "--jetstream")
                        .code())
                .isZero();
        assertThat(stream("edit", "M", "--replicas=3", "--force").code()).isZero();
        Awaitility.await().atMost(PATIENCE).until(() -> whole("M"));
        assertThat(stream("state", "M").text()).contains("50");
        assertThat(stream("cluster", "step-down", "M").code()).isZero();
        assertThat(stream("edit", "M", "--replicas=1", "--force").code()).isZero();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> cluster("M").path("replicas").isEmpty()
                        && !cluster("M").path("leader").asText("").isEmpty());
        assertThat(stream("state", "M").text()).contains("50");
    }
}
