package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.TestingNode.Client;
import io.penstock.server.TestingNode.Outcome;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process: what harnesses and operators do with it. */
@Tag("wire")
class ProcessTest {
    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        Path file = directory.resolve("server.conf");
        Files.writeString(file, text);
        return file;
    }

    @Test
    void startsInTheShapeOfAHarnessWithEverythingOnRandomPorts() throws Exception {
        Path file = file("""
                host: 127.0.0.1
                port: -1
                http: "127.0.0.1:-1"
                leafnodes { listen: "127.0.0.1:-1" }
                server_tags: ["unique"]
                websocket { port: -1, no_tls: true }
                jetstream { max_file_store: 1MB, max_memory_store: 1MB, store_dir: "%s" }
                """.formatted(directory.resolve("store")));
        try (TestingNode node = TestingNode.start(directory, "-c", file.toString())) {
            JsonNode ports = node.ports();

            assertThat(ports.get("nats").get(0).asText()).startsWith("nats://127.0.0.1:");
            assertThat(ports.get("monitoring").get(0).asText()).startsWith("http://127.0.0.1:");
            assertThat(ports.get("websocket")).isNotEmpty();
            try (Client client = node.connect("")) {
                assertThat(client.info()).contains("\"jetstream\":true");
                client.ping();
            }
            node.signal("TERM");
            assertThat(node.awaitExit()).isZero();
            assertThat(node.portsFile()).doesNotExist();
        }
    }

    @Test
    void startsInTheShapeOfAHarnessWithAFileAndFlags() throws Exception {
        Path file = file("port: -1\njetstream {\n    store_dir=" + directory.resolve("store") + "\n}\n");
        Path pid = directory.resolve("server.pid");
        Path log = directory.resolve("server.log");
        try (TestingNode node = TestingNode.start(
                directory, "--config", file.toString(), "-js", "-P", pid.toString(), "-l", log.toString())) {
            int port = node.port("nats");

            assertThat(pid).hasContent(Long.toString(node.pid()));
            assertThat(Files.readString(log))
                    .contains("[INF] Listening for client connections on 0.0.0.0:" + port)
                    .contains("[INF]   Store Directory: \"" + directory.resolve("store/jetstream") + "\"")
                    .contains("[INF] Server is ready");
            node.signal("INT");
            assertThat(node.awaitExit()).isZero();
        }
    }

    @Test
    void keepsAcknowledgedMessagesWhenKilled() throws Exception {
        String store = directory.resolve("store").toString();
        try (TestingNode node = TestingNode.start(directory, "-p", "-1", "-js", "-sd", store)) {
            try (Client client = node.connect("")) {
                client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"s\"],\"storage\":\"file\"}");
                for (int i = 1; i <= 10; i++) {
                    assertThat(client.request("s", "m" + i)).contains("\"seq\":" + i);
                }
            }
            node.signal("KILL");
            node.awaitExit();
            node.launch();
            try (Client client = node.connect("")) {
                assertThat(client.request("$JS.API.STREAM.INFO.S", "")).contains("\"messages\":10");
            }
        }
    }

    /** Acknowledgements without an answer are not in the log yet when the signal comes. */
    @Test
    void deliversNothingAgainThatWasAcknowledgedBeforeItIsTerminated() throws Exception {
        String store = directory.resolve("store").toString();
        try (TestingNode node = TestingNode.start(directory, "-p", "-1", "-js", "-sd", store)) {
            try (Client client = node.connect("")) {
                client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"s\"],\"storage\":\"file\"}");
                client.request(
                        "$JS.API.CONSUMER.CREATE.S.c",
                        "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\",\"ack_policy\":\"explicit\"}}");
                for (int i = 1; i <= 4; i++) {
                    client.request("s", "m" + i);
                }
                client.send("SUB four 4\r\nPUB $JS.API.CONSUMER.MSG.NEXT.S.c four 1\r\n4\r\n");
                StringBuilder acks = new StringBuilder();
                for (int i = 1; i <= 4; i++) {
                    // The last one is not acknowledged.
                    String reply = client.await("MSG s 4 ").split(" ")[3];
                    acks.append(i == 4 ? "" : "PUB " + reply + " 0\r\n\r\n");
                }
                client.send(acks.toString());
                client.ping();
                node.terminate();
                assertThat(node.awaitExit()).isZero();
            }
            node.launch();
            try (Client client = node.connect("")) {
                assertThat(client.request("$JS.API.CONSUMER.INFO.S.c", ""))
                        .contains("\"num_ack_pending\":1")
                        .contains("\"num_pending\":0")
                        .contains("\"ack_floor\":{\"consumer_seq\":3,\"stream_seq\":3");
            }
        }
    }

    @Test
    void reloadsUsersAndLoggingAndRefusesWhatItCannot() throws Exception {
        String fixed = "port: -1\n";
        Path file = file(fixed + "authorization { users: [ {user: a, password: a}, {user: b, password: b} ] }\n");
        try (TestingNode node = TestingNode.start(directory, "-c", file.toString());
                Client kept = node.connect(",\"user\":\"a\",\"pass\":\"a\"");
                Client gone = node.connect(",\"user\":\"b\",\"pass\":\"b\"")) {
            kept.ping();
            gone.ping();

            Files.writeString(file, fixed + "debug: true\nauthorization { users: [ {user: a, password: a} ] }\n");
            node.signal("HUP");
            node.awaitLog("Reloaded server configuration");
            assertThat(node.log()).contains("Reloaded: debug = true").contains("Reloaded: accounts");
            assertThat(gone.await("PONG")).as("the removed user is closed").isNull();
            kept.ping();

            Files.writeString(file, fixed + "max_pending: 1MB\nmax_payload: 5\n");
            node.signal("HUP");
            node.awaitLog("config reload not supported for MaxPending: old=67108864, new=1048576");
            assertThat(node.isAlive()).isTrue();
            try (Client late = node.connect(",\"user\":\"a\",\"pass\":\"a\"")) {
                assertThat(late.info()).as("nothing of a refused reload holds").contains("\"max_payload\":1048576");
            }
        }
    }

    @Test
    void opensTheLogAnew() throws Exception {
        Path log = directory.resolve("server.log");
        try (TestingNode node = TestingNode.start(directory, "-p", "-1", "-l", log.toString())) {
            node.ports();
            Files.move(log, directory.resolve("moved.log"));

            node.signal("USR1");

            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> Files.exists(log) && Files.readString(log).contains("re-opened"));
        }
    }

    @Test
    void endsAtOnceInLameDuckModeWithoutClients() throws Exception {
        try (TestingNode node = TestingNode.start(directory, "-p", "-1")) {
            node.ports();

            node.signal("USR2");

            assertThat(node.awaitExit()).isZero();
            assertThat(node.log()).contains("Entering lame duck mode, stop accepting new clients");
        }
    }

    @Test
    void tellsClientsToGoElsewhereInLameDuckMode() throws Exception {
        Path file = file("port: -1\nlame_duck_duration: \"30s\"\nlame_duck_grace_period: \"1s\"\n");
        try (TestingNode node = TestingNode.start(directory, "-c", file.toString());
                Client client = node.connect("")) {
            client.ping();

            node.signal("USR2");

            String info;
            do {
                info = client.await("INFO");
            } while (info != null && !info.contains("\"ldm\":true"));
            assertThat(info).isNotNull();
            node.signal("INT");
            assertThat(node.awaitExit()).isZero();
        }
    }

    @Test
    void sendsSignalsToAnotherServer() throws Exception {
        try (TestingNode node = TestingNode.start(directory, "-p", "-1")) {
            node.ports();

            assertThat(TestingNode.run(directory, "-sl", "quit=" + node.pid()).code())
                    .isZero();

            assertThat(node.awaitExit()).isZero();
        }
        assertThat(TestingNode.run(directory, "--signal", "nonsense=1"))
                .isEqualTo(new Outcome(1, "", "nats-server: unknown signal \"nonsense\"\n"));
    }

    @Test
    void saysWhatIsWrongAndEndsWithACode() throws Exception {
        Path file = file("foo_bar: 1\n");

        Outcome bad = TestingNode.run(directory, "-c", file.toString());
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.errors()).isEqualTo("nats-server: " + file + ":1:0: unknown field \"foo_bar\"\n");

        Files.writeString(file, "port: -1\n");
        Outcome good = TestingNode.run(directory, "-t", "-c", file.toString());
        assertThat(good.code()).isZero();
        assertThat(good.errors()).startsWith("nats-server: configuration file " + file + " is valid (sha256:");

        assertThat(TestingNode.run(directory, "-v")).isEqualTo(new Outcome(0, "nats-server: v2.15.3\n", ""));
        assertThat(TestingNode.run(directory, "-nonsense").code()).isEqualTo(2);
    }

    @Test
    void saysWhichPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Outcome outcome = TestingNode.run(directory, "-p", Integer.toString(taken.getLocalPort()));

            assertThat(outcome.code()).isEqualTo(1);
            assertThat(outcome.errors()).contains("[FTL] Error listening on port: 0.0.0.0:" + taken.getLocalPort());
        }
    }
}
