package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, each a process made by a configuration file alone, with real clients. */
@Tag("wire")
class ClusterWireTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path directory;

    private final List<TestingNode> nodes = new ArrayList<>();
    private final List<Integer> clientPorts = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        List<Integer> ports = TestingPorts.free(6);
        String routes = String.join(
                ", ",
                ports.subList(0, 3).stream()
                        .map(port -> "\"nats-route://127.0.0.1:" + port + "\"")
                        .toList());
        for (int i = 0; i < 3; i++) {
            Path home = Files.createDirectory(directory.resolve("n" + (i + 1)));
            Path file = home.resolve("server.conf");
            Files.writeString(file, """
                    server_name: n%d
                    server_tags: ["az:%d"]
                    listen: "127.0.0.1:%d"
                    http: "127.0.0.1:-1"
                    system_account: SYS
                    accounts {
                      SYS { users: [{user: sys, password: sys}] }
                      A { users: [{user: a, password: a}], limits { max_connections: 6 } }
                      B { users: [{user: b, password: b}] }
                    }
                    cluster {
                      name: C1
                      listen: "127.0.0.1:%d"
                      routes: [%s]
                      authorization { user: route, password: secret }
                    }
                    """.formatted(i + 1, i + 1, ports.get(3 + i), ports.get(i), routes));
            clientPorts.add(ports.get(3 + i));
            nodes.add(TestingNode.start(home, "-c", file.toString()));
        }
        for (TestingNode node : nodes) {
            node.ports();
        }
        awaitRoutes(nodes, 8);
    }

    private static void awaitRoutes(List<TestingNode> of, int count) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            for (TestingNode node : of) {
                if (node.json("routez").path("num_routes").asInt() != count) {
                    return false;
                }
            }
            return true;
        });
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Connection connection : connections) {
            connection.close();
        }
        nodes.forEach(TestingNode::close);
    }

    private Connection connect(int node, String user) throws IOException, InterruptedException {
        Connection connection = Nats.connect(new Options.Builder()
                .server("nats://127.0.0.1:" + clientPorts.get(node))
                .userInfo(user, user)
                .connectionTimeout(PATIENCE)
                .maxReconnects(-1)
                .reconnectWait(Duration.ofMillis(50))
                .reconnectJitter(Duration.ofMillis(10))
                .build());
        connections.add(connection);
        return connection;
    }

    /** Waits until a subscription on one node is known on another: its answers come. */
    private static void awaitAnswer(Connection client, String subject) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            try {
                return client.request(subject, null).get(10, TimeUnit.SECONDS) != null;
            } catch (ExecutionException | CancellationException | TimeoutException _) {
                return false;
            }
        });
    }

    @Test
    void messagesRequestsAndQueueGroupsCrossNodesAndAccountsStayApart() throws Exception {
        Connection one = connect(0, "a");
        Connection two = connect(1, "a");
        Connection three = connect(2, "a");
        Connection foreign = connect(1, "b");
        AtomicInteger leaked = new AtomicInteger();
        foreign.createDispatcher(message -> leaked.incrementAndGet()).subscribe(">");
        foreign.flush(PATIENCE);

        Map<String, AtomicInteger> byNode = new ConcurrentHashMap<>();
        for (Connection worker : List.of(two, three)) {
            String name = worker.getServerInfo().getServerName();
            Dispatcher dispatcher = worker.createDispatcher(message -> {
                byNode.computeIfAbsent(name, key -> new AtomicInteger()).incrementAndGet();
                worker.publish(message.getReplyTo(), name.getBytes(StandardCharsets.UTF_8));
            });
            dispatcher.subscribe("svc", "workers");
            worker.flush(PATIENCE);
        }
        awaitAnswer(one, "svc");
        // Both workers must be known before their shares can be even.
        Awaitility.await().atMost(PATIENCE).until(() -> {
            one.request("svc", null).get(60, TimeUnit.SECONDS);
            return byNode.size() == 2;
        });
        byNode.clear();
        for (int i = 0; i < 200; i++) {
            assertThat(one.request("svc", null).get(60, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(byNode.keySet()).containsExactlyInAnyOrder("n2", "n3");
        assertThat(byNode.get("n2").get() + byNode.get("n3").get()).isEqualTo(200);
        assertThat(byNode.get("n2").get()).isBetween(50, 150);

        assertThatThrownBy(() -> one.request("nobody", null).get(60, TimeUnit.SECONDS))
                .isInstanceOf(CancellationException.class);

        Subscription there = three.subscribe("news.*");
        three.flush(PATIENCE);
        Awaitility.await().atMost(PATIENCE).until(() -> {
            one.publish("news.x", "hello".getBytes(StandardCharsets.UTF_8));
            Message message = there.nextMessage(Duration.ofMillis(200));
            return message != null && new String(message.getData(), StandardCharsets.UTF_8).equals("hello");
        });
        assertThat(leaked.get()).isZero();
    }

    @Test
    void clientsFindAnotherNodeByWhatTheyWereToldAlone() throws Exception {
        Connection client = connect(0, "a");
        Awaitility.await().atMost(PATIENCE).until(() -> client.getServers().size() == 3);
        Subscription subscription = client.subscribe("steady");
        client.flush(PATIENCE);
        assertThat(client.getServerInfo().getServerName()).isEqualTo("n1");

        nodes.getFirst().signal("KILL");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> client.getStatus() == Connection.Status.CONNECTED
                        && !client.getServerInfo().getServerName().equals("n1"));
        Connection other = connect(client.getServerInfo().getServerName().equals("n2") ? 2 : 1, "a");
        Awaitility.await().atMost(PATIENCE).until(() -> {
            other.publish("steady", null);
            return subscription.nextMessage(Duration.ofMillis(200)) != null;
        });
        awaitRoutes(nodes.subList(1, 3), 4);
        // The dead node's address is taken back.
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> nodes.get(1).json("varz").path("connect_urls").size() == 2);
    }

    @Test
    void anAccountsConnectionLimitHoldsOverAllNodes() throws Exception {
        for (int i = 0; i < 6; i++) {
            connect(i % 3, "a").flush(PATIENCE);
        }
        Awaitility.await().atMost(PATIENCE).until(() -> isRefused(0) && isRefused(1) && isRefused(2));
        connections.removeFirst().close();
        // Room again.
        Awaitility.await().atMost(PATIENCE).until(() -> !isRefused(1));
        // Other accounts have their own numbers.
        connect(0, "b").flush(PATIENCE);
    }

    private boolean isRefused(int node) {
        try (TestingNode.Client extra = nodes.get(node).connect(",\"user\":\"a\",\"pass\":\"a\"")) {
            extra.send("PING\r\n");
            return extra.await("PONG") == null;
        } catch (IOException _) {
            return true;
        }
    }

    @Test
    void theToolShowsAllNodesToTheSystemUser() throws Exception {
        assumeThat(tool()).exists();
        connect(1, "b").flush(PATIENCE);
        awaitShown(
                List.of("\"name\": \"n1\"", "\"name\": \"n2\"", "\"name\": \"n3\"", "\"az:1\"", "\"az:2\"", "\"az:3\""),
                "server",
                "list",
                "3",
                "--json");
        awaitShown(List.of("n3"), "server", "info", "n3");
        awaitShown(List.of("n2", "B"), "server", "report", "connections");
        awaitShown(List.of("n1", "n2", "n3"), "server", "ping", "3");
    }

    /** The tool waits a moment for each node's answer: on a busy machine one may come too late, and is asked again. */
    private void awaitShown(List<String> texts, String... arguments) {
        Awaitility.await(String.join(" ", arguments))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(nats(arguments)).contains(texts));
    }

    private static Path tool() {
        return Path.of(System.getProperty("user.home"), "go", "bin", "nats");
    }

    private String nats(String... arguments) throws Exception {
        List<String> command = Stream.concat(
                        Stream.of(
                                tool().toString(),
                                "--no-context",
                                "-s",
                                "nats://sys:sys@127.0.0.1:" + clientPorts.getFirst()),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out;
    }

    @Test
    void routezHasTheUsualFields() throws Exception {
        JsonNode page = nodes.get(1).json("routez?subs=detail");
        assertThat(page.path("server_name").asText()).isEqualTo("n2");
        assertThat(page.path("routes")).hasSize(8);
        JsonNode route = page.path("routes").get(0);
        for (String field : List.of(
                "rid",
                "remote_id",
                "remote_name",
                "did_solicit",
                "is_configured",
                "ip",
                "port",
                "start",
                "last_activity",
                "uptime",
                "idle",
                "pending_size",
                "in_msgs",
                "out_msgs",
                "in_bytes",
                "out_bytes",
                "subscriptions",
                "compression")) {
            assertThat(route.has(field)).as(field).isTrue();
        }
        long system = IntStream.range(0, 8)
                .filter(i -> page.path("routes").get(i).path("account").asText().equals("SYS"))
                .count();
        assertThat(system).isEqualTo(2);
        JsonNode cluster = nodes.get(1).json("varz").path("cluster");
        assertThat(cluster.path("name").asText()).isEqualTo("C1");
        assertThat(cluster.path("urls")).hasSize(3);
        assertThat(nodes.get(1).json("varz").path("remotes").asInt()).isEqualTo(2);
    }
}
