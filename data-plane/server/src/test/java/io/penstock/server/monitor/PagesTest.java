package io.penstock.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.Brokers;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.auth.AccessControl;
import io.penstock.broker.system.AccountReports;
import io.penstock.server.config.Configuration;
import io.penstock.server.config.Flags;
import io.penstock.server.config.ServerOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages over a broker in this process. */
class PagesTest {
    private static final String CONFIGURATION = """
            listen: "127.0.0.1:-1"
            server_tags: [az:a]
            accounts {
                A { users: [ {user: a, password: a} ] }
                B { users: [ {user: b, password: b} ] }
            }
            """;

    @TempDir
    private Path directory;

    private Broker broker;
    private AccessControl access;
    private Pages pages;

    /** A server without JetStream and HTTP. */
    private record TestingSource(Broker broker, AccountReports accounts, ServerOptions options, boolean isReady)
            implements Source {
        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public Instant configured() {
            return Instant.EPOCH;
        }

        @Override
        public JetStreamSource jetStream() {
            return null;
        }

        @Override
        public int httpPort() {
            return 0;
        }

        @Override
        public int httpsPort() {
            return 0;
        }

        @Override
        public Map<String, Long> requests() {
            return Map.of("/varz", 3L);
        }
    }

    @BeforeEach
    void start() throws Exception {
        Path file = directory.resolve("server.conf");
        Files.writeString(file, CONFIGURATION);
        ServerOptions options = Configuration.load(Flags.parse(List.of("-c", file.toString())), name -> null)
                .options();
        BrokerOptions own = options.broker().toBuilder().eventLoops(1).build();
        broker = Brokers.create(
                new ServerIdentity("NTEST", "test", ServerIdentity.PROTOCOL_VERSION, null, null, null, "1.2.3"), own);
        access = AccessControl.install(broker, options.auth(), InstantSource.system());
        broker.start().toCompletableFuture().get(20, TimeUnit.SECONDS);
        pages = new Pages(new TestingSource(broker, access.reports(), options, true));
    }

    @AfterEach
    void stop() {
        broker.close();
        access.close();
    }

    private JsonNode page(String name, Map<String, String> query) throws PageException {
        return pages.page(name).answer(new HttpQuery(query::get));
    }

    private Socket connect(String user, String lines) throws IOException {
        Socket socket = new Socket(
                broker.clientAddress().getAddress(), broker.clientAddress().getPort());
        String connect = "CONNECT {\"verbose\":false,\"name\":\"of " + user + "\",\"user\":\"" + user + "\",\"pass\":\""
                + user + "\"}\r\n" + lines + "PING\r\n";
        socket.getOutputStream().write(connect.getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder received = new StringBuilder();
        byte[] buffer = new byte[4096];
        while (received.indexOf("PONG") < 0) {
            int count = socket.getInputStream().read(buffer);
            assertThat(count).as(received::toString).isPositive();
            received.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
        }
        return socket;
    }

    @Test
    void showsTheServer() throws Exception {
        try (Socket client = connect("a", "PUB x 5\r\nhello\r\n")) {
            JsonNode varz = page("varz", Map.of());

            assertThat(client.isConnected()).isTrue();
            assertThat(varz.get("server_name").asText()).isEqualTo("test");
            assertThat(varz.get("version").asText()).isEqualTo(ServerIdentity.PROTOCOL_VERSION);
            assertThat(varz.get("penstock_version").asText()).isEqualTo("1.2.3");
            assertThat(varz.get("port").asInt())
                    .isEqualTo(broker.clientAddress().getPort());
            assertThat(varz.get("auth_required").asBoolean()).isTrue();
            assertThat(varz.get("connections").asInt()).isEqualTo(1);
            assertThat(varz.get("in_msgs").asLong()).isEqualTo(1);
            assertThat(varz.get("in_bytes").asLong()).isEqualTo(5);
            assertThat(varz.get("tags").get(0).asText()).isEqualTo("az:a");
            assertThat(varz.get("http_req_stats").get("/varz").asLong()).isEqualTo(3);
        }
    }

    @Test
    void listsConnectionsOfOneAccountOnly() throws Exception {
        try (Socket first = connect("a", "SUB foo 1\r\nSUB bar q 2\r\n");
                Socket second = connect("b", "")) {
            JsonNode all = page("connz", Map.of("sort", "subs"));
            JsonNode one = page("connz", Map.of("acc", "A", "auth", "1", "subs", "detail"));

            assertThat(first.isConnected() && second.isConnected()).isTrue();
            assertThat(all.get("total").asInt()).isEqualTo(2);
            assertThat(all.get("connections").get(0).get("name").asText()).isEqualTo("of a");
            assertThat(one.get("total").asInt()).isEqualTo(1);
            JsonNode connection = one.get("connections").get(0);
            assertThat(connection.get("authorized_user").asText()).isEqualTo("a");
            assertThat(connection.get("account").asText()).isEqualTo("A");
            assertThat(connection.get("subscriptions_list_detail")).hasSize(2);
        }
    }

    @Test
    void remembersClosedConnections() throws Exception {
        connect("a", "").close();

        Awaitility.await()
                .until(() ->
                        page("connz", Map.of("state", "closed")).get("total").asInt() == 1);
        JsonNode closed = page("connz", Map.of("state", "closed", "sort", "stop"))
                .get("connections")
                .get(0);
        assertThat(closed.get("reason").asText()).isEqualTo("Client Closed");
        assertThat(closed.has("stop")).isTrue();
    }

    @Test
    void findsSubscriptionsThatMatchASubject() throws Exception {
        try (Socket client = connect("a", "SUB foo.* 1\r\nSUB bar 2\r\n")) {
            JsonNode matching = page("subsz", Map.of("acc", "A", "test", "foo.x", "subs", "1"));

            assertThat(client.isConnected()).isTrue();
            assertThat(matching.get("total").asInt()).isEqualTo(1);
            assertThat(matching.get("subscriptions_list").get(0).get("subject").asText())
                    .isEqualTo("foo.*");
        }
        assertThatThrownBy(() -> page("subsz", Map.of("acc", "Z"))).hasMessage("Account Z does not exist");
        assertThatThrownBy(() -> page("subsz", Map.of("test", "a..b"))).hasMessageContaining("invalid test subject");
    }

    @Test
    void saysThatJetStreamIsOff() throws Exception {
        assertThat(page("jsz", Map.of()).get("disabled").asBoolean()).isTrue();
        assertThat(pages.health().answer(new HttpQuery(name -> null)).code()).isEqualTo(200);
    }

    @Test
    void isAliveButNotHealthyBeforeTheListenersAreOpen() throws Exception {
        Source starting = new TestingSource(broker, access.reports(), optionsOf(), false);

        Healthz.Health health = new Healthz(starting).answer(new HttpQuery(name -> null));

        assertThat(health.code()).isEqualTo(503);
        assertThat(health.body().get("status").asText()).isEqualTo("unavailable");
        Map<String, String> alive = Map.of("js-server-only", "true");
        assertThat(new Healthz(starting).answer(new HttpQuery(alive::get)).code())
                .as("but alive")
                .isEqualTo(200);
    }

    private static ServerOptions optionsOf() throws Exception {
        return Configuration.load(Flags.parse(List.of()), name -> null).options();
    }

    @Test
    void writesMetrics() throws Exception {
        try (Socket client = connect("a", "PUB x 5\r\nhello\r\n")) {
            String metrics = Metrics.of(new TestingSource(broker, access.reports(), optionsOf(), true));

            assertThat(client.isConnected()).isTrue();
            assertThat(metrics)
                    .contains("penstock_connections 1\n")
                    .contains("penstock_account_received_messages_total{account=\"A\"} 1\n")
                    .endsWith("# EOF\n");
        }
    }
}
