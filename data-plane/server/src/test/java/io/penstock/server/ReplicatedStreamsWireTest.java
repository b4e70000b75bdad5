package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three node processes in three zones, made by configuration files alone, and the real command-line client. One cluster for
 * all, since to form one takes longer than most of what is tried on it.
 */
@Tag("wire")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReplicatedStreamsWireTest {
    private static final String USER = ",\"user\":\"a\",\"pass\":\"a\"";

    /** Requests that wait for a process that stands still: too few to fill the buffer of its socket. */
    private static final int GETS = 100;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path directory;

    private static TestingNodes nodes;

    @BeforeAll
    static void form() throws IOException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        nodes = new TestingNodes(directory, 3, null, null);
        nodes.startAll();
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** A stream with three replicas, all of them there. */
    private static void create(String stream) {
        nodes.succeed(0, "stream", "add", stream, "--subjects=" + stream + ".>", "--replicas=3", "--defaults");
        nodes.awaitWhole(0, stream, 3);
    }

    @Test
    void losesNothingWhileTwoOfThreeAreAway() throws IOException, InterruptedException {
        create("L");
        nodes.awaitShown(0, List.of("\"name\": \"C1\"", "\"raft_group\": \"S-R3F-"), "stream", "info", "L", "--json");
        nodes.awaitAcknowledged("three take it", 0, "L.1", "one");
        nodes.kill(0);
        nodes.kill(1);
        Awaitility.await("no leader")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.leader(2, "L").isEmpty());
        nodes.assertRefused(Duration.ofSeconds(2), "L.1", 2);
        nodes.start(0);
        nodes.awaitAcknowledged("two go on", 2, "L.1", "two");
        JsonNode replicas = nodes.info(2, "L").path("cluster").path("replicas");
        assertThat(replicas.valueStream()
                        .filter(r -> r.path("name").asText().equals("n1"))
                        .allMatch(r -> r.path("offline").asBoolean()
                                || !r.path("current").asBoolean()))
                .as("n1 is away in " + replicas)
                .isTrue();
        nodes.start(1);
        nodes.awaitWhole(2, "L", 3);
        nodes.awaitShown(0, List.of("one"), "stream", "get", "L", "1");
    }

    @Test
    void aNodeWhoseStoreWasRenamedStepsDownAndSaysSoUntilItIsBack() throws IOException, InterruptedException {
        create("R");
        nodes.awaitAcknowledged("three take it", 0, "R.1", "one");
        int leader = Integer.parseInt(nodes.awaitLeader(0, "R").substring(1));
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
            String now = nodes.leader(other, "R");
            return !now.isEmpty() && !now.equals("n" + leader);
        });
        Awaitility.await("the others go on")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.acknowledged(other, "R.1", "two"));
        assertThat(nodes.node(leader).isAlive()).isTrue();
        assertThat(nodes.node(leader).get("healthz").statusCode()).isEqualTo(503);

        Files.move(away, store);
        nodes.kill(leader);
        nodes.start(leader);
        nodes.awaitWhole(other, "R", 3);
        Awaitility.await("it is well again")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.node(leader).get("healthz").statusCode() == 200);
        assertThat(nodes.user(leader, "stream", "get", "R", "1").text()).contains("one");
        assertThat(nodes.user(leader, "stream", "get", "R", "2").text()).contains("two");
    }

    /**
     * The process of a leader stands still while another is elected. What then waits in its sockets it finds before it can
     * have heard of that.
     */
    @Test
    void aLeaderThatStoodStillShowsNothingOldAndAcknowledgesNothingTheOthersDoNotHave() throws Exception {
        create("P");
        nodes.awaitAcknowledged("three take it", 0, "P.1", "old");
        int leader = Integer.parseInt(nodes.awaitLeader(0, "P").substring(1));
        int other = (leader + 1) % 3;
        List<String> lines = new ArrayList<>();
        try (TestingNode.Client client = nodes.node(leader).connect(USER)) {
            client.send("SUB values 1\r\nSUB acks 2\r\n");
            client.ping();
            int before = linksLost(other, leader);
            nodes.node(leader).signal("STOP");
            try {
                Awaitility.await("another leads").atMost(TestingNodes.PATIENCE).until(() -> {
                    String now = nodes.leader(other, "P");
                    return !now.isEmpty() && !now.equals("n" + leader);
                });
                nodes.awaitAcknowledged("two go on", other, "P.1", "new");
                // Then it hears of the other only when there is a link again.
                Awaitility.await("its links are lost")
                        .atMost(TestingNodes.PATIENCE)
                        .until(() -> linksLost(other, leader) > before);
                String last = "{\"last_by_subj\":\"P.1\"}";
                String get = "PUB $JS.API.STREAM.MSG.GET.P values " + last.length() + "\r\n" + last + "\r\n";
                client.send(get.repeat(GETS) + "PUB P.2 acks 4\r\nlate\r\n");
            } finally {
                nodes.node(leader).signal("CONT");
            }
            nodes.awaitWhole(other, "P", 3);
            // It follows now: what it had to say as a leader is said.
            client.send("PING\r\n");
            for (String line = client.await(""); !line.equals("PONG"); line = client.await("")) {
                lines.add(line);
            }
        }
        String old = Base64.getEncoder().encodeToString("old".getBytes(StandardCharsets.UTF_8));
        assertThat(lines).noneMatch(line -> line.contains("\"" + old + "\""));
        for (String line : lines) {
            long sequence =
                    line.startsWith("{\"") ? JSON.readTree(line).path("seq").asLong() : 0;
            if (sequence > 0) {
                nodes.awaitShown(other, List.of("late"), "stream", "get", "P", Long.toString(sequence));
            }
        }
        nodes.awaitShown(leader, List.of("new"), "stream", "get", "P", "--last-for=P.1");
    }

    private static int linksLost(int node, int to) {
        return nodes.node(node).log().split("link to n" + to + " is down", -1).length;
    }

    /** Acknowledgements without an answer are not in the log yet when the signal comes. The last: a node is away then. */
    @Test
    @Order(Integer.MAX_VALUE)
    void whoTakesOverFromATerminatedLeaderKnowsWhatWasAcknowledgedThere() throws Exception {
        create("T");
        nodes.publish(0, "T.1", 4);
        nodes.succeed(0, "consumer", "add", "T", "c", "--pull", "--ack=explicit", "--defaults");
        int leader = Integer.parseInt(nodes.awaitLeader(0, "T").substring(1));
        int other = (leader + 1) % 3;
        String group = nodes.info(other, "T").at("/cluster/raft_group").asText("none");
        try (TestingNode.Client client = nodes.node(leader).connect(USER)) {
            client.send("SUB four 1\r\nPUB $JS.API.CONSUMER.MSG.NEXT.T.c four 1\r\n4\r\n");
            StringBuilder acks = new StringBuilder();
            for (int i = 1; i <= 4; i++) {
                String[] words = client.await("HMSG T.1 1 ").split(" ");
                // The last one is not acknowledged.
                acks.append(i == 4 ? "" : "PUB " + words[3] + " 0\r\n\r\n");
            }
            client.send(acks.toString());
            client.ping();
            nodes.node(leader).terminate();
            assertThat(nodes.node(leader).awaitExit()).isZero();
        }
        String log = nodes.node(leader).log();
        assumeThat(log.substring(log.indexOf("Trapped")))
                .as("it led until then, and nobody had wanted another leader before")
                .contains(group + ": this node leads no more");
        JsonNode[] info = new JsonNode[1];
        Awaitility.await("the consumer").atMost(TestingNodes.PATIENCE).until(() -> {
            info[0] = nodes.json(other, "consumer", "info", "T", "c", "--json");
            return info[0].has("num_pending");
        });
        assertThat(info[0].path("num_pending").asInt()).as(info[0].toString()).isZero();
        assertThat(info[0].path("num_ack_pending").asInt())
                .as(info[0].toString())
                .isOne();
        assertThat(info[0].at("/ack_floor/stream_seq").asInt())
                .as(info[0].toString())
                .isEqualTo(3);
    }

    @Test
    void showsTheClusterToTheSystemAccount() {
        awaitSystem(List.of("n0", "n1", "n2", "RAFT Meta Group Information", "C1"), "server", "report", "jetstream");
        awaitSystem(List.of(), "server", "cluster", "step-down", "--force");
        awaitSystem(List.of("meta_cluster"), "server", "request", "jetstream", "--all");
        awaitSystem(List.of("\"meta_cluster\"", "\"replicas\""), "server", "request", "jetstream", "--leader");
        assertThat(nodes.system(
                                1,
                                "request",
                                "$SYS.REQ.SERVER.PING.JSZ",
                                "{\"leader_only\":true}",
                                "--replies=0",
                                "--reply-timeout=1s",
                                "--raw")
                        .text())
                .as("the others are silent")
                .doesNotContain("not leader");
        for (int i = 0; i < 3; i++) {
            awaitSystem(
                    List.of("\"jetstream\":{\"config\"", "\"quorum_needed\":2"),
                    "request",
                    "$SYS.REQ.SERVER.PING.STATSZ",
                    "{\"server_name\":\"n" + i + "\",\"exact_match\":true}",
                    "--raw");
        }
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
        nodes.succeed(0, "consumer", "add", "M", "C", "--pull", "--replicas=3", "--defaults");
        everyReplicaIsShown("M", "C");
        nodes.succeed(0, "stream", "cluster", "step-down", "M");
        nodes.succeed(0, "stream", "edit", "M", "--replicas=1", "--subjects=M.1", "--force");
        nodes.awaitWhole(0, "M", 1);
        nodes.awaitMessages(0, "M", 50);
        nodes.awaitShown(0, List.of("\"num_replicas\": 1"), "consumer", "info", "M", "C", "--json");
        assertThat(nodes.acknowledged(0, "M.2", "nobody's")).isFalse();
        nodes.succeed(0, "stream", "edit", "M", "--replicas=3", "--subjects=M.1,M.2", "--force");
        nodes.awaitWhole(0, "M", 3);
        nodes.awaitAcknowledged("what it had", 1, "M.1", "x");
        nodes.awaitAcknowledged("what is new", 2, "M.2", "y");
    }

    /** The tools that compare replicas find three in step, of the stream and of its consumer. */
    private void everyReplicaIsShown(String stream, String consumer) {
        Awaitility.await("three replicas in step")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.system(1, "server", "stream-check", "--stream=" + stream)
                                .text()
                                .split("IN SYNC", -1)
                                .length
                        == 4);
        String group = "." + stream + "." + consumer + " ";
        Awaitility.await("its consumer on three nodes")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.system(1, "server", "consumer-check", "--stream=" + stream)
                                .text()
                                .split(Pattern.quote(group), -1)
                                .length
                        == 4);
        Awaitility.await("its health on three nodes")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.system(
                                        1,
                                        "server",
                                        "request",
                                        "jetstream-health",
                                        "--account=A",
                                        "--stream=" + stream,
                                        "--consumer=" + consumer)
                                .text()
                                .split("\"status\":\"ok\"", -1)
                                .length
                        == 4);
    }
}
