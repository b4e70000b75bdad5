package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Nodes {@code n0}, {@code n1}, … of one cluster, each a process made by a configuration file alone, each in a zone of its
 * own, and the real command-line client.
 */
final class TestingNodes implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** How long one answer is waited for where nothing is to be repeated. */
    private static final Duration ANSWER = Duration.ofSeconds(45);

    /** The same where a leader may be missing, and the next attempt finds one. */
    private static final Duration ATTEMPT = Duration.ofSeconds(5);

    /** The first such attempt of one that changes nothing the second time; a machine that is slower gets more. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofSeconds(16);

    private static final Pattern SEQUENCE = Pattern.compile("\"seq\": ?(\\d+)");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final List<Integer> clients;
    private final List<Integer> routes;
    private final TestingNode[] nodes;
    private final TestingIdentities identities;
    private final TestingPem tls;

    /** How long the next attempt may take: twice as long after one that had no answer. */
    private Duration patience = SHORT;

    /** What a command printed, and how it ended. */
    record Output(int code, String text) {}

    /**
     * @param identities null for accounts in the file: {@code a} for everybody, {@code sys} with its name for a password
     * @param tls null for none
     */
    TestingNodes(Path directory, int count, TestingIdentities identities, TestingPem tls) {
        this.directory = directory;
        this.identities = identities;
        this.tls = tls;
        List<Integer> ports = TestingPorts.free(2 * count);
        clients = ports.subList(0, count);
        routes = ports.subList(count, 2 * count);
        nodes = new TestingNode[count];
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

    /** Starts all; returns when clients can come to each of them. */
    void startAll() throws IOException {
        for (int i = 0; i < nodes.length; i++) {
            start(i);
        }
        for (TestingNode node : nodes) {
            node.ports();
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

    /** Runs a command once, with all the time an answer may take. */
    Output user(int node, String... arguments) {
        return run("a", ANSWER, node, arguments);
    }

    /** As {@link #user}, for one that is repeated until it ends well. */
    Output system(int node, String... arguments) {
        return run("sys", ATTEMPT, node, arguments);
    }

    private Output attempt(int node, String... arguments) {
        long begin = System.nanoTime();
        Output output = run("a", patience, node, arguments);
        if (output.code() == 0) {
            patience = SHORT;
        } else if (System.nanoTime() - begin >= patience.toNanos() && patience.compareTo(LONG) < 0) {
            patience = patience.multipliedBy(2);
        }
        return output;
    }

    private Output run(String user, Duration timeout, int node, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(cli().toString(), "--no-context", "--timeout=" + timeout.toSeconds() + "s"));
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

    /** Repeats a command until it ends well. An answer may come too late: doing it twice must be as good as once. */
    void succeed(int node, String... arguments) {
        Awaitility.await(String.join(" ", arguments)).atMost(PATIENCE).untilAsserted(() -> {
            Output last = run("a", ATTEMPT, node, arguments);
            assertThat(last.code()).as(last.text()).isZero();
        });
    }

    /** Repeats a command that changes nothing until it shows all of these. */
    void awaitShown(int node, List<String> texts, String... arguments) {
        Awaitility.await(String.join(" ", arguments))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(attempt(node, arguments).text()).contains(texts));
    }

    /** The system account's answer to a request of the API. */
    JsonNode ask(int node, String subject, String body) throws IOException {
        Output output = system(node, "request", "$JS.API." + subject, body, "--raw");
        return output.text().startsWith("{") ? JSON.readTree(output.text()) : JSON.createObjectNode();
    }

    /** What is known of a stream now: nothing when there is no answer in time. */
    JsonNode info(int node, String stream) {
        return json(node, "stream", "info", stream, "--json");
    }

    /** What a command shows now: nothing when there is no answer in time. */
    JsonNode json(int node, String... arguments) {
        Output output = attempt(node, arguments);
        try {
            return output.code() == 0 ? JSON.readTree(output.text()) : JSON.createObjectNode();
        } catch (IOException e) {
            return JSON.createObjectNode();
        }
    }

    /** Waits until a stream has so many messages, as everybody sees them. */
    void awaitMessages(int node, String stream, long messages) {
        Awaitility.await("messages of " + stream)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                info(node, stream).at("/state/messages").asLong(-1))
                        .isEqualTo(messages));
    }

    /** Waits for an answer that says how many messages a stream has. */
    long messages(int node, String stream) {
        long[] found = {-1};
        Awaitility.await("the state of " + stream).atMost(PATIENCE).until(() -> {
            found[0] = info(node, stream).at("/state/messages").asLong(-1);
            return found[0] >= 0;
        });
        return found[0];
    }

    /** The name of a stream's leader, once it has one. */
    String awaitLeader(int node, String stream) {
        return awaitShownAt(node, stream, "/cluster/leader");
    }

    /** A text in what is known of a stream, once it is there. */
    String awaitShownAt(int node, String stream, String pointer) {
        String[] found = new String[1];
        Awaitility.await(pointer + " of " + stream).atMost(PATIENCE).until(() -> {
            found[0] = info(node, stream).at(pointer).asText("");
            return !found[0].isEmpty();
        });
        return found[0];
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

    /**
     * Whether a publication is acknowledged. One that is not may have been stored all the same: it carries an identifier,
     * so that it is there once however often it is repeated.
     */
    boolean acknowledged(int node, String subject, String payload) {
        return sequence(node, subject, payload) > 0;
    }

    /** As {@link #acknowledged}: the sequence a publication has, 0 while it is not acknowledged. */
    long sequence(int node, String subject, String payload) {
        String answer = attempt(
                        node, "request", subject, payload, "--raw", "--header=Nats-Msg-Id:" + subject + " " + payload)
                .text();
        // A refusal has a sequence too: 0.
        Matcher sequence = SEQUENCE.matcher(answer);
        return sequence.find() && !answer.contains("\"error\"") ? Long.parseLong(sequence.group(1)) : 0;
    }

    /** Publishes again and again for so long; nobody may acknowledge it. */
    void assertRefused(Duration time, String subject, int... asked) {
        Awaitility.await("no acknowledgement").during(time).atMost(PATIENCE).until(() -> {
            for (int node : asked) {
                patience = SHORT;
                assertThat(acknowledged(node, subject, "never"))
                        .as("acknowledged at n%d", node)
                        .isFalse();
            }
            return true;
        });
        patience = SHORT;
    }

    void awaitAcknowledged(String what, int node, String subject, String payload) {
        Awaitility.await(what).atMost(PATIENCE).until(() -> acknowledged(node, subject, payload));
    }

    /** Publishes so many messages, each of them once however often the command has to be repeated. */
    void publish(int node, String subject, int count) {
        succeed(
                node,
                "publish",
                subject,
                "x",
                "--count=" + count,
                "--jetstream",
                "--header=Nats-Msg-Id:" + subject + " {{Count}}");
    }
}
