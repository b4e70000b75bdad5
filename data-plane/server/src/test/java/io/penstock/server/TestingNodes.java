package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Nodes {@code n0}, {@code n1}, … of one cluster, each a process made by a configuration file alone, each in a zone of its
 * own, and the real command-line client.
 */
final class TestingNodes implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final List<Integer> clients;
    private final List<Integer> routes;
    private final TestingNode[] nodes;
    private final TestingIdentities identities;
    private final TestingPem tls;

    /** What a command printed, and how it ended. */
    record Output(int code, String text) {}

    /**
     * @param identities null for accounts in the file: {@code a} for everybody, {@code sys} with its name for a password
     * @param tls null for none
     */
    TestingNodes(Path directory, int count, TestingIdentities identities, TestingPem tls) throws IOException {
        this.directory = directory;
        this.identities = identities;
        this.tls = tls;
        List<Integer> ports = freePorts(2 * count);
        clients = ports.subList(0, count);
        routes = ports.subList(count, 2 * count);
        nodes = new TestingNode[count];
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

    static Path cli() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(":")), Stream.of(System.getProperty("user.home") + "/go/bin"))
                .map(each -> Path.of(each, "nats"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    // --- processes ------------------------------------------------------------------------------------------------

    void startAll() throws IOException {
        for (int i = 0; i < nodes.length; i++) {
            start(i);
        }
    }

    void start(int node) throws IOException {
        start(node, true);
    }

    /** Starts a node in the cluster, or alone with the same store. */
    void start(int node, boolean clustered) throws IOException {
        Path home = Files.createDirectories(home(node));
        Path file = home.resolve("node.conf");
        String encryption = tls == null ? "" : tls.block();
        String accounts = identities == null ? """
                        accounts {
                          $SYS { users: [ { user: sys, password: sys } ] }
                          A { jetstream: enabled, users: [ { user: a, password: a } ] }
                        }
                        no_auth_user: a
                        """ : identities.configuration(home.resolve("jwt"));
        String list = String.join(
                ", ",
                routes.stream().map(r -> "\"nats-route://127.0.0.1:" + r + "\"").toList());
        String cluster = """
                cluster {
                  name: C1, listen: "127.0.0.1:%d", routes: [%s]
                  authorization { user: route, password: secret }
                  %s
                }
                """.formatted(routes.get(node), list, encryption);
        Files.writeString(file, """
                server_name: n%d
                server_tags: ["az:%s"]
                listen: "127.0.0.1:%d"
                http: "127.0.0.1:-1"
                jetstream { store_dir: "%s", unique_tag: "az:", max_file: 1G }
                %s
                %s
                %s
                """.formatted(
                        node,
                        "abcde".charAt(node),
                        clients.get(node),
                        home.resolve("store"),
                        encryption,
                        accounts,
                        clustered ? cluster : ""));
        nodes[node] = TestingNode.start(home, "-c", file.toString());
    }

    TestingNode node(int node) {
        return nodes[node];
    }

    Path home(int node) {
        return directory.resolve("n" + node);
    }

    void kill(int node) throws IOException, InterruptedException {
        nodes[node].signal("KILL");
        nodes[node].awaitExit();
    }

    /** Removes everything a node that is down has stored. */
    void wipe(int node) throws IOException {
        Files.walkFileTree(home(node).resolve("store"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void close() {
        for (TestingNode node : nodes) {
            if (node != null) {
                node.close();
            }
        }
    }

    // --- the client -----------------------------------------------------------------------------------------------

    Output user(int node, String... arguments) {
        return run("a", node, arguments);
    }

    Output system(int node, String... arguments) {
        return run("sys", node, arguments);
    }

    private Output run(String user, int node, String... arguments) {
        List<String> command = new ArrayList<>(List.of(cli().toString(), "--no-context", "--timeout=5s"));
        command.add("--server=nats://127.0.0.1:" + clients.get(node));
        if (identities != null) {
            command.add("--creds=" + identities.credentials(user));
        } else {
            command.addAll(List.of("--user=" + user, "--password=" + user));
        }
        if (tls != null) {
            command.add("--tlsca=" + tls.certificate());
        }
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

    /** Repeats a command until it ends well. */
    void succeed(int node, String... arguments) {
        Output[] last = new Output[1];
        Awaitility.await(String.join(" ", arguments)).atMost(PATIENCE).until(() -> {
            last[0] = user(node, arguments);
            return last[0].code() == 0;
        });
    }

    /** The system account's answer to a request of the API. */
    JsonNode ask(int node, String subject, String body) throws IOException {
        Output output = system(node, "request", "$JS.API." + subject, body, "--raw");
        return output.text().startsWith("{") ? JSON.readTree(output.text()) : JSON.createObjectNode();
    }

    JsonNode info(int node, String stream) {
        Output info = user(node, "stream", "info", stream, "--json");
        try {
            return info.code() == 0 ? JSON.readTree(info.text()) : JSON.createObjectNode();
        } catch (IOException e) {
            return JSON.createObjectNode();
        }
    }

    String leader(int node, String stream) {
        return info(node, stream).path("cluster").path("leader").asText("");
    }

    /** The nodes that have a replica. */
    Set<String> replicas(int node, String stream) {
        JsonNode cluster = info(node, stream).path("cluster");
        Set<String> names = new HashSet<>();
        names.add(cluster.path("leader").asText());
        cluster.path("replicas").forEach(r -> names.add(r.path("name").asText()));
        return names;
    }

    /** Waits until a stream has a leader and so many replicas, all of them current. */
    void awaitWhole(int node, String stream, int replicas) {
        JsonNode[] last = new JsonNode[1];
        Awaitility.await("replicas of " + stream).atMost(PATIENCE).until(() -> {
            last[0] = info(node, stream).path("cluster");
            JsonNode others = last[0].path("replicas");
            return !last[0].path("leader").asText("").isEmpty()
                    && others.size() == replicas - 1
                    && others.valueStream()
                            .allMatch(r -> r.path("current").asBoolean()
                                    && !r.path("offline").asBoolean());
        });
    }

    /** Whether a publication is acknowledged. */
    boolean acknowledged(int node, String subject, String payload) {
        return user(node, "request", subject, payload, "--raw").text().contains("\"seq\"");
    }
}
