package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.TraceOptions;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines are those of other servers of the protocol, so that tools that read them go on working. */
class TraceTest {
    private static final String HELLO =
            "CONNECT {\"verbose\":false,  \"user\":\"a\",\"pass\":\"secretpw\",\"name\":\"x\",\"headers\":true}\r\n";

    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

    private TestingServer start(TraceOptions options) throws Exception {
        BrokerOptions chosen =
                TestingServer.options().eventLoops(1).trace(options).build();
        return TestingServer.start(
                chosen,
                broker -> broker.setAuthenticator(
                        new TestingServer.Users(broker, false).add("a", "A", Permissions.ALL, UserLimits.UNLIMITED)));
    }

    private TraceOptions clients() {
        return new TraceOptions(true, false, false, 0, lines::add);
    }

    /** Lines without the address in front. */
    private List<String> shown() {
        return lines.stream()
                .map(line -> line.replaceFirst("127\\.0\\.0\\.1:\\d+ - ", ""))
                .toList();
    }

    @Test
    void tracesOperationsDeliveriesAndEnds() throws Exception {
        try (TestingServer server = start(clients());
                RawClient client = server.open()) {
            client.send(HELLO);
            client.exchange("sub  foo.*   q  1\r\nPUB foo.a  rep   5\r\nhel\0\"\r\nUNSUB 1\r\nSUB a..b 2\r\n");

            String user = "cid:1 - \"x\" - \"A/user:a\" - ";
            assertThat(shown())
                    .containsExactly(
                            "cid:1 - <<- [CONNECT {\"verbose\":false,  \"user\":\"a\",\"pass\":\"[REDACTED]\","
                                    + "\"name\":\"x\",\"headers\":true}]",
                            user + "<<- [SUB foo.*   q  1]",
                            user + "<<- [PUB foo.a  rep   5]",
                            user + "<<- MSG_PAYLOAD: [\"hel\\x00\\\"\"]",
                            user + "->> [MSG foo.a 1 rep 5]",
                            user + "->> MSG_PAYLOAD: [\"hel\\x00\\\"\"]",
                            user + "<<- [UNSUB 1]",
                            user + "<-> [DELSUB 1]",
                            user + "<<- [SUB a..b 2]",
                            user + "->> [-ERR Invalid Subject]",
                            user + "<<- [PING]",
                            user + "->> [PONG]");
        }
    }

    /** Lines of routes without their address and number. */
    private List<String> crossed(ConcurrentLinkedQueue<String> all) {
        return all.stream()
                .filter(line -> line.contains("- rid:") && line.contains("trace."))
                .map(line -> line.replaceFirst("127\\.0\\.0\\.1:\\d+ - rid:\\d+ - ", ""))
                .toList();
    }

    @Test
    void tracesWhatCrossesARoute() throws Exception {
        ConcurrentLinkedQueue<String> others = new ConcurrentLinkedQueue<>();
        try (TestingNodes nodes = TestingNodes.start(2)) {
            Broker here = nodes.get(0).broker();
            Broker there = nodes.get(1).broker();
            here.reload(here.options().toBuilder().trace(clients()).build());
            there.reload(there.options().toBuilder()
                    .trace(new TraceOptions(true, false, false, 0, others::add))
                    .build());
            try (RawClient receiver = nodes.get(1).connect("a");
                    RawClient publisher = nodes.get(0).connect("a")) {
                receiver.exchange("SUB trace.* q 1\r\nSUB trace.b 2\r\n");
                TestingNodes.awaitInterest(nodes.get(0), "A", "trace.a");
                TestingNodes.awaitInterest(nodes.get(0), "A", "trace.b");
                TestingNodes.await("both lines", () -> crossed(lines).size() == 2);
                publisher.exchange(
                        "HPUB trace.a 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\nPUB trace.b x.y 5\r\nhello\r\n");
                receiver.until("hello\r\n");
                receiver.exchange("UNSUB 1\r\n");
                TestingNodes.await(
                        "the last line", () -> lines.stream().anyMatch(l -> l.contains("[RS- A trace.* q]")));
            }
            List<String> operations = List.of(
                    "[RS+ A trace.* q 1]",
                    "[RS+ A trace.b]",
                    "[HMSG A trace.a | q 18 20]",
                    "[RMSG A trace.b + x.y q 5]",
                    "[RS- A trace.* q]");
            for (int i = 0; i < operations.size(); i++) {
                boolean message = i == 2 || i == 3;
                assertThat(crossed(lines)).contains((message ? "->> " : "<<- ") + operations.get(i));
                assertThat(crossed(others)).contains((message ? "<<- " : "->> ") + operations.get(i));
            }
            assertThat(lines)
                    .anyMatch(line -> line.contains(" - rid:")
                            && line.endsWith("->> MSG_PAYLOAD: [\"NATS/1.0\\r\\nA: b\\r\\n\\r\\nhi\"]"));
            assertThat(others)
                    .anyMatch(line -> line.contains(" - rid:") && line.endsWith("<<- MSG_PAYLOAD: [\"hello\"]"));
        }
    }

    @Test
    void tracesWhatEndsAConnection() throws Exception {
        try (TestingServer server = start(clients());
                RawClient client = server.open()) {
            client.send(HELLO + "PUB x 2000000\r\n");
            client.untilClosed();

            assertThat(shown())
                    .endsWith(
                            "cid:1 - \"x\" - \"A/user:a\" - <<- [PUB x 2000000]",
                            "cid:1 - \"x\" - \"A/user:a\" - ->> [-ERR Maximum Payload Violation]");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "false, 0, NATS/1.0\\r\\nA: b\\r\\n\\r\\nhi",
        "false, 10, NATS/1.0\\r\\n...",
        "true, 0, NATS/1.0\\r\\nA: b"
    })
    void showsAsMuchOfContentsAsAsked(boolean headersOnly, int most, String expected) throws Exception {
        try (TestingServer server = start(new TraceOptions(true, false, headersOnly, most, lines::add));
                RawClient client = server.open()) {
            client.send(HELLO);
            client.exchange("SUB foo 1\r\nHPUB foo 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\nPUB none 0\r\n\r\n");

            assertThat(shown())
                    .contains(
                            "cid:1 - \"x\" - \"A/user:a\" - <<- MSG_PAYLOAD: [\"" + expected + "\"]",
                            "cid:1 - \"x\" - \"A/user:a\" - ->> [HMSG foo 1 18 20]",
                            "cid:1 - \"x\" - \"A/user:a\" - ->> MSG_PAYLOAD: [\"" + expected + "\"]");
            assertThat(lines).filteredOn(line -> line.contains("MSG_PAYLOAD")).hasSize(2);
        }
    }

    @Test
    void tracesTheServersOwnMessagesOnlyWhenAsked() throws Exception {
        try (TestingServer server = start(new TraceOptions(true, true, false, 0, lines::add))) {
            server.broker
                    .accounts()
                    .getOrCreate("A")
                    .internalClient(ConnectionKind.SYSTEM)
                    .publish("told", null, new byte[0], "news".getBytes(StandardCharsets.US_ASCII));
            assertThat(lines).containsExactly("SYSTEM - <<- [PUB told  4]", "SYSTEM - <<- MSG_PAYLOAD: [\"news\"]");
            lines.clear();
            server.broker
                    .accounts()
                    .getOrCreate("A")
                    .internalClient(ConnectionKind.JETSTREAM)
                    .publish("ack", "r", new byte[0], new byte[0]);
            assertThat(lines).containsExactly("JETSTREAM - <<- [PUB ack r 0]");
        }
        lines.clear();
        try (TestingServer server = start(clients())) {
            server.broker
                    .accounts()
                    .getOrCreate("A")
                    .internalClient(ConnectionKind.SYSTEM)
                    .publish("told", null, new byte[0], new byte[1]);
            assertThat(lines).isEmpty();
        }
    }

    @Test
    void beginsAndEndsWithAReload() throws Exception {
        try (TestingServer server = start(TraceOptions.OFF);
                RawClient client = server.open()) {
            client.send(HELLO);
            client.exchange("");
            assertThat(lines).isEmpty();

            server.broker.reload(
                    server.broker.options().toBuilder().trace(clients()).build());
            // Connections hear of it on their own loops.
            LimitsTest.await(() -> traced(client));
            assertThat(shown()).contains("cid:1 - \"x\" - \"A/user:a\" - <<- [PING]");

            server.broker.reload(
                    server.broker.options().toBuilder().trace(TraceOptions.OFF).build());
            LimitsTest.await(() -> !traced(client));
        }
    }

    /** Whether a PING of this client leaves lines. */
    private boolean traced(RawClient client) {
        lines.clear();
        try {
            client.exchange("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return !lines.isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"pass\":\"a\\\"b,}\", \"user\": \"u\"}|{\"pass\":\"[REDACTED]\", \"user\": \"u\"}",
                "{\"pa\\u0073s\":\"x\"}|{\"pa\\u0073s\":\"[REDACTED]\"}",
                "{\"PASS\" : \"x\",\"jwt\":\"e\" ,\"sig\":\"s\",\"auth_token\":\"t\"}"
                        + "|{\"PASS\" : \"[REDACTED]\",\"jwt\":\"[REDACTED]\" ,\"sig\":\"[REDACTED]\",\"auth_token\":\"[REDACTED]\"}",
                "{\"protocol\":1, \"nkey\":[\"U\",{}],\"a\":{\"b\":[1]}}|{\"protocol\":1, \"nkey\":\"[REDACTED]\",\"a\":{\"b\":[1]}}",
                "{\"user\":\"u\",\"pass\":\"x|{\"user\":\"u\",\"pass\":\"[REDACTED]\"\"[REDACTED]\"",
                "{\"user\":\"u\",pass:x}|{\"user\":\"u\"\"[REDACTED]\"",
                "pass=x|\"[REDACTED]\""
            })
    void blotsOutSecrets(String sent, String expected) {
        byte[] bytes = ("CONNECT " + sent).getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder();

        ConnectRedaction.append(out, bytes, 8, bytes.length - 8);

        assertThat(out).hasToString(expected);
    }

    @Test
    void showsTextAsTextAndTheRestEscaped() {
        byte[] bytes = {'a', (byte) 0xc3, (byte) 0xbc, (byte) 0xff, 7, 0x7f, (byte) 0xe2, (byte) 0x80, (byte) 0x8b};
        StringBuilder out = new StringBuilder();

        Quoted.append(out, bytes, 0, bytes.length);

        assertThat(out).hasToString("aü\\xff\\a\\x7f\\u200b");
    }
}
