package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.TestingNode.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The monitoring pages have the fields of a real server's, kind by kind, after the same session. */
@Tag("wire")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringFieldsTest {
    @TempDir
    private static Path directory;

    private TestingNode ours;
    private TestingNode theirs;
    private Client ourClient;
    private Client theirClient;

    @BeforeAll
    void startBoth() throws Exception {
        ours = TestingNode.start(
                prepare("ours"), "-c", directory.resolve("ours/server.conf").toString());
        theirs = TestingNode.start(
                realServer(),
                prepare("theirs"),
                "-c",
                directory.resolve("theirs/server.conf").toString());
        ourClient = session(ours);
        theirClient = session(theirs);
    }

    @AfterAll
    void stopBoth() throws Exception {
        if (theirClient != null) {
            ourClient.close();
            theirClient.close();
        }
        if (ours != null) {
            ours.close();
        }
        if (theirs != null) {
            theirs.close();
        }
    }

    private Path prepare(String name) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(name));
        Files.writeString(folder.resolve("server.conf"), """
                listen: "127.0.0.1:-1"
                http: "127.0.0.1:-1"
                server_name: same
                server_tags: [az:a]
                server_metadata { k: v }
                jetstream { store_dir: "%s", max_mem: 64MB, max_file: 64MB, sync_interval: always }
                websocket { listen: "127.0.0.1:-1", no_tls: true }
                accounts {
                    A { users: [ {user: a, password: a} ], jetstream: enabled, mappings { m: n } }
                    $SYS { users: [ {user: s, password: s} ] }
                }
                no_auth_user: a
                """.formatted(folder.resolve("store")));
        return folder;
    }

    /** The same on both sides: a stream with a message and a consumer, a subscriber that stays, a client that goes. */
    private static Client session(TestingNode node) throws IOException {
        Client client = node.connect("");
        client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"s\"],\"storage\":\"file\"}");
        client.request("s", "hello");
        client.request(
                "$JS.API.CONSUMER.CREATE.S.C",
                "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"C\",\"name\":\"C\",\"ack_policy\":\"explicit\"}}");
        client.send("SUB foo.* q 9\r\nSUB s 10\r\n");
        client.ping();
        try (Client gone = node.connect("")) {
            gone.send("PUB foo.x 2\r\nhi\r\n");
            gone.ping();
        }
        return client;
    }

    private static Path realServer() {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                                .map(folder -> Path.of(folder, "nats-server")),
                        Stream.of(Path.of(System.getProperty("user.home"), "go", "bin", "nats-server")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> {
                    Assumptions.abort("no nats-server to compare with");
                    return null;
                });
    }

    /**
     * Pages, fields only we have, fields only they have. Our own version stands beside theirs; their feature flags are
     * about their code; the round trip is left out because it is measured only after two seconds.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "varz|penstock_version|feature_flags",
                "connz|-|-",
                "connz?auth=1&subs=1|-|-",
                "connz?subs=detail|-|-",
                "connz?state=closed|-|-",
                "subsz|-|-",
                "subsz?subs=1|-|-",
                "routez|-|-",
                "gatewayz|-|-",
                "leafz|-|-",
                "accstatz|-|-",
                "jsz|-|-",
                "jsz?accounts=1&streams=1&consumers=1&config=1|-|-",
                "jsz?raft=1|-|-",
                "healthz|-|-",
                "healthz?details=1|-|-"
            })
    void showsTheFieldsOfARealServer(String page, String onlyOurs, String onlyTheirs) throws Exception {
        Set<String> our = fields(ours.json(page));
        Set<String> their = fields(theirs.json(page));

        assertThat(without(our, onlyOurs)).as(page).isEqualTo(without(their, onlyTheirs));
    }

    @Test
    void refusesTheSameQuestionsTheSameWay() throws Exception {
        for (String page : new String[] {
            "connz?sort=foo",
            "connz?state=foo",
            "connz?limit=a",
            "connz?sort=stop",
            "connz?auth=x",
            "nonsense",
            "accountz?acc=Z",
            "healthz?stream=X",
            "healthz?account=A&stream=Z",
            "healthz?account=A&stream=Z&details=1"
        }) {
            var our = ours.get(page);
            var their = theirs.get(page);
            assertThat(our.statusCode()).as(page).isEqualTo(their.statusCode());
            assertThat(our.body()).as(page).isEqualTo(their.body());
        }
    }

    @Test
    void answersTheSystemAccount() throws Exception {
        try (Client system = ours.connect(",\"user\":\"s\",\"pass\":\"s\"")) {
            for (String kind :
                    new String[] {"VARZ", "CONNZ", "SUBSZ", "JSZ", "HEALTHZ", "ACCOUNTZ", "ROUTEZ", "LEAFZ"}) {
                assertThat(system.request("$SYS.REQ.SERVER.PING." + kind, ""))
                        .as(kind)
                        .contains("\"data\":{");
            }
        }
    }

    @Test
    void tellsTheSystemAccountOfJetStreamInTheStatistics() throws Exception {
        try (Client system = ours.connect(",\"user\":\"s\",\"pass\":\"s\"")) {
            assertThat(system.request("$SYS.REQ.SERVER.PING", ""))
                    .contains("\"jetstream\":{\"config\":{\"max_memory\":")
                    .contains("\"stats\":{\"memory\":")
                    .doesNotContain("store_dir");
        }
    }

    @Test
    void showsMetrics() throws Exception {
        String metrics = ours.get("metrics").body();

        assertThat(metrics)
                .endsWith("# EOF\n")
                .contains("penstock_connections 1\n")
                .contains("penstock_stream_messages{account=\"A\",stream=\"S\"} 1\n");
        assertThat(metrics.lines().filter(line -> !line.startsWith("#")))
                .allMatch(line -> line.matches("[a-z_]+(\\{[^}]*})? [0-9.eE+-]+"));
    }

    private static Set<String> without(Set<String> fields, String names) {
        if (names != null) {
            for (String name : names.split(",")) {
                fields.removeIf(field -> field.matches("(.*[./])?" + name + "([ ./\\[].*)?"));
            }
        }
        return fields;
    }

    /** Paths of all fields with the kind of their value; elements of lists count once. */
    private static Set<String> fields(JsonNode node) {
        Set<String> fields = new TreeSet<>();
        collect("", node, fields);
        fields.removeIf(field -> field.endsWith("rtt STRING"));
        return fields;
    }

    private static void collect(String path, JsonNode node, Set<String> fields) {
        boolean byName = path.endsWith("/http_req_stats");
        if (node.isObject() && !byName) {
            node.properties().forEach(entry -> collect(path + "/" + entry.getKey(), entry.getValue(), fields));
        } else if (node.isArray()) {
            node.forEach(element -> collect(path + "[]", element, fields));
        }
        if (!path.isEmpty()) {
            fields.add(path + " " + node.getNodeType());
        }
    }
}
