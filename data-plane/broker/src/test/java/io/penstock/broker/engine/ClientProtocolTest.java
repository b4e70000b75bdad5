package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client protocol on the wire, against a server without authentication. */
class ClientProtocolTest {
    private static TestingServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestingServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void greetsWithInfo() throws Exception {
        try (RawClient client = server.open()) {
            assertThat(client.info)
                    .startsWith("INFO {\"server_id\":\"NTESTING\",\"server_name\":\"testing\",\"version\":\"2.15.3\"")
                    .contains("\"proto\":1", "\"headers\":true", "\"max_payload\":1048576", "\"api_lvl\":4")
                    .contains("\"port\":" + server.port(), "\"client_ip\":\"127.0.0.1\"")
                    .doesNotContain("auth_required", "nonce", "tls_required", "connect_info", "ldm");
        }
    }

    @Test
    void deliversToPlainAndWildcardSubscribers() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("SUB foo.* 1\r\nSUB foo.> 2\r\nSUB bar 3\r\nPUB foo.a 2\r\nhi\r\n"))
                    .contains("MSG foo.a 1 2\r\nhi\r\n", "MSG foo.a 2 2\r\nhi\r\n")
                    .doesNotContain(" 3 ");
        }
    }

    @Test
    void carriesReplySubjectsAndEmptyPayloads() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("SUB foo 1\r\nPUB foo inbox.1 0\r\n\r\n"))
                    .isEqualTo("MSG foo 1 inbox.1 0\r\n\r\n");
        }
    }

    @Test
    void refusesToTraceAndDeliversNothingThatIsOnlyToBeTraced() throws Exception {
        try (RawClient client = server.connect()) {
            client.send("SUB traced 1\r\nSUB trace.to 2\r\n");
            String only = "NATS/1.0\r\nNats-Trace-Dest: trace.to\r\nNats-Trace-Only: true\r\n\r\n";
            assertThat(client.exchange(
                            "HPUB traced " + only.length() + " " + (only.length() + 1) + "\r\n" + only + "x\r\n"))
                    .startsWith("MSG trace.to 2 ")
                    .contains("message tracing is not available in this version; the message was not delivered")
                    .doesNotContain("MSG traced ");
            String both = "NATS/1.0\r\nNats-Trace-Dest: trace.to\r\n\r\n";
            assertThat(client.exchange(
                            "HPUB traced " + both.length() + " " + (both.length() + 1) + "\r\n" + both + "x\r\n"))
                    .contains("the message was delivered without")
                    .contains("HMSG traced 1 ");
        }
    }

    @Test
    void writesCanonicalLinesWhateverThePublisherWrote() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("sub  foo\t1\npub\tfoo  r   002\nhi\r\n"))
                    .isEqualTo("MSG foo 1 r 2\r\nhi\r\n");
        }
    }

    @Test
    void confirmsEveryOperationOfVerboseClients() throws Exception {
        try (RawClient client = server.open()) {
            client.send("CONNECT {}\r\n");
            assertThat(client.line()).isEqualTo("+OK");
            assertThat(client.exchange("SUB foo 1\r\nSUB foo 1\r\nPUB foo 1\r\nx\r\nUNSUB 1\r\nUNSUB 7\r\n"))
                    .isEqualTo("+OK\r\n+OK\r\n+OK\r\nMSG foo 1 1\r\nx\r\n+OK\r\n+OK\r\n");
        }
    }

    @Test
    void worksWithoutConnect() throws Exception {
        try (RawClient client = server.open()) {
            assertThat(client.exchange("SUB foo 1\r\n")).isEqualTo("+OK\r\n");
        }
    }

    @Test
    void tellsPedanticClientsOfInvalidSubjectsAndStillPublishes() throws Exception {
        try (RawClient client = server.open()) {
            client.send("CONNECT {\"verbose\":false}\r\n");
            assertThat(client.exchange("SUB pedant.> 1\r\nPUB pedant.* 1\r\nx\r\n"))
                    .isEqualTo("-ERR 'Invalid Publish Subject'\r\nMSG pedant.* 1 1\r\nx\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", ".a", "a.", "a.>.b", "."})
    void refusesInvalidSubscriptionsAndGoesOn(String subject) throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("SUB " + subject + " 1\r\n")).isEqualTo("-ERR 'Invalid Subject'\r\n");
        }
    }

    @Test
    void keepsTheFirstOfTwoSubscriptionsWithOneSid() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("SUB one 1\r\nSUB two 1\r\nPUB two 0\r\n\r\nPUB one 0\r\n\r\n"))
                    .isEqualTo("MSG one 1 0\r\n\r\n");
        }
    }

    @Test
    void endsSubscriptionsAfterTheirMaximumCountedFromTheStart() throws Exception {
        try (RawClient client = server.connect()) {
            String three = "PUB m 1\r\na\r\nPUB m 1\r\nb\r\nPUB m 1\r\nc\r\n";
            assertThat(client.exchange("SUB m 1\r\nPUB m 1\r\n0\r\nUNSUB 1 3\r\n" + three))
                    .isEqualTo("MSG m 1 1\r\n0\r\nMSG m 1 1\r\na\r\nMSG m 1 1\r\nb\r\n");
            assertThat(client.exchange("SUB m 1\r\nPUB m 1\r\nx\r\nUNSUB 1 1\r\nPUB m 1\r\ny\r\n"))
                    .isEqualTo("MSG m 1 1\r\nx\r\n");
        }
    }

    @Test
    void givesQueueGroupsOneMessageEach() throws Exception {
        try (RawClient client = server.connect()) {
            StringBuilder publishes = new StringBuilder("SUB w a 1\r\nSUB w a 2\r\nSUB w b 3\r\nSUB w 4\r\n");
            for (int i = 0; i < 300; i++) {
                publishes.append("PUB w 1\r\nx\r\n");
            }
            String got = client.exchange(publishes.toString());
            int first = count(got, "MSG w 1 ");
            int second = count(got, "MSG w 2 ");
            assertThat(first + second).isEqualTo(300);
            assertThat(first).isBetween(90, 210);
            assertThat(count(got, "MSG w 3 ")).isEqualTo(300);
            assertThat(count(got, "MSG w 4 ")).isEqualTo(300);
        }
    }

    private static int count(String text, String part) {
        return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
    }

    @Test
    void doesNotEchoWhenAskedNotTo() throws Exception {
        try (RawClient silent = server.connect("\"echo\":false");
                RawClient other = server.connect()) {
            assertThat(other.exchange("SUB echo 9\r\n")).isEmpty();
            assertThat(silent.exchange("SUB echo 1\r\nPUB echo 2\r\nhi\r\n")).isEmpty();
            assertThat(other.until("hi\r\n")).isEqualTo("MSG echo 9 2\r\n");
        }
    }

    @Test
    void answersRequestsNobodyTakes() throws Exception {
        try (RawClient client = server.connect();
                RawClient plain = server.open()) {
            assertThat(client.exchange("SUB in.> 5\r\nPUB nobody.here in.1 3\r\nabc\r\n"))
                    .isEqualTo("HMSG in.1 5 43 43\r\nNATS/1.0 503\r\nNats-Subject: nobody.here\r\n\r\n\r\n");
            plain.send("CONNECT {\"verbose\":false}\r\n");
            assertThat(plain.exchange("SUB in.> 5\r\nPUB nobody.here in.1 3\r\nabc\r\n"))
                    .isEmpty();
        }
    }

    @Test
    void stripsHeadersForThoseWhoDoNotKnowThem() throws Exception {
        try (RawClient client = server.connect();
                RawClient old = server.open()) {
            old.send("CONNECT {\"verbose\":false}\r\n");
            assertThat(old.exchange("SUB h 8\r\n")).isEmpty();
            assertThat(client.exchange("SUB h 1\r\nHPUB h r 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\n"))
                    .isEqualTo("HMSG h 1 r 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\n");
            assertThat(old.until("hi\r\n")).isEqualTo("MSG h 8 r 2\r\n");
        }
    }

    @Test
    void tellsTheAccountAfterTheFirstPing() throws Exception {
        try (RawClient client = server.connect("\"protocol\":1")) {
            client.send("PING\r\nPING\r\n");
            assertThat(client.line()).isEqualTo("PONG");
            assertThat(client.line())
                    .startsWith("INFO ")
                    .contains("\"connect_info\":true", "\"remote_account\":\"$G\"");
            assertThat(client.line()).isEqualTo("PONG");
        }
    }

    @Test
    void takesASecondConnectAndForgetsSubscriptions() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("SUB again 1\r\n")).isEmpty();
            client.hello("\"name\":\"second\"");
            assertThat(client.exchange("PUB again 0\r\n\r\nSUB again 1\r\nPUB again 1\r\nx\r\n"))
                    .isEqualTo("MSG again 1 1\r\nx\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HELLO\\r\\n|-ERR 'Unknown Protocol Operation'\\r\\n",
                "GET / HTTP/1.1\\r\\n\\r\\n|-ERR 'Unknown Protocol Operation'\\r\\n",
                "PUB a 1\\r\\nxyz\\r\\n|-ERR 'Unknown Protocol Operation'\\r\\n",
                "PUB a 1048577\\r\\n|-ERR 'Maximum Payload Violation'\\r\\n",
                "HPUB a 12 1048577\\r\\n|-ERR 'Maximum Payload Violation'\\r\\n",
                "PUB a\\r\\n|''",
                "SUB a\\r\\n|''",
                "HPUB a 20 10\\r\\n|''",
                "PUB a -1\\r\\n|''",
                "-ERR 'x'\\r\\n|''",
            })
    void endsBrokenConnections(String input, String lastWords) throws Exception {
        try (RawClient client = server.connect()) {
            client.send(input.replace("\\r\\n", "\r\n"));
            assertThat(client.untilClosed()).isEqualTo(lastWords.replace("\\r\\n", "\r\n"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CONNECT {\"verbose\":false,\"protocol\":2}|-ERR 'invalid client protocol'\\r\\n",
                "CONNECT {\"verbose\":false,\"no_responders\":true}|-ERR 'no responders requires headers support'\\r\\n",
                "CONNECT {\"verbose\":false,\"account\":\"B\"}|-ERR 'Authorization Violation'\\r\\n",
                "CONNECT nonsense|''",
            })
    void refusesImpossibleConnects(String input, String lastWords) throws Exception {
        try (RawClient client = server.open()) {
            client.send(input + "\r\n");
            assertThat(client.untilClosed()).isEqualTo(lastWords.replace("\\r\\n", "\r\n"));
        }
    }

    @Test
    void closesClientsThatSendHeadersWithoutAgreement() throws Exception {
        try (RawClient client = server.open()) {
            client.send("CONNECT {\"verbose\":false}\r\nHPUB a 12 12\r\nNATS/1.0\r\n\r\n\r\n");
            assertThat(client.untilClosed()).isEmpty();
        }
    }

    @Test
    void endsControlLinesThatAreTooLong() throws Exception {
        try (RawClient client = server.open()) {
            client.send("CONNECT {\"x\":\"" + "a".repeat(5000));
            assertThat(client.untilClosed()).isEqualTo("-ERR 'maximum control line exceeded'\r\n");
        }
    }

    @Test
    void refusesReservedSubjectsAndReplies() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(client.exchange("PUB _GR_.x 0\r\n\r\nPUB $NRG.x 0\r\n\r\nPUB a _R_.x 0\r\n\r\n"
                            + "PUB a $JS.ACK.x 0\r\n\r\nSUB a _sys_ 1\r\n"))
                    .isEqualTo("-ERR 'Permissions Violation for Publish to \"_GR_.x\"'\r\n"
                            + "-ERR 'Permissions Violation for Publish to \"$NRG.x\"'\r\n"
                            + "-ERR 'Permissions Violation for Publish with Reply of \"_R_.x\"'\r\n"
                            + "-ERR 'Permissions Violation for Publish with Reply of \"$JS.ACK.x\"'\r\n"
                            + "-ERR 'Permissions Violation for Subscription to \"a\" using queue \"_sys_\"'\r\n");
        }
    }

    @Test
    void keepsTheOrderOfOnePublisherAcrossLoops() throws Exception {
        List<RawClient> readers = new ArrayList<>();
        try (RawClient publisher = server.connect()) {
            for (int i = 0; i < 4; i++) {
                RawClient reader = server.connect();
                assertThat(reader.exchange("SUB ordered 1\r\n")).isEmpty();
                readers.add(reader);
            }
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 5000; i++) {
                String number = String.format("%06d", i);
                publisher.publish("ordered", number);
                expected.append("MSG ordered 1 6\r\n").append(number).append("\r\n");
            }
            for (RawClient reader : readers) {
                byte[] got = reader.bytes(expected.length());
                assertThat(new String(got, java.nio.charset.StandardCharsets.ISO_8859_1))
                        .isEqualTo(expected.toString());
            }
        } finally {
            for (RawClient reader : readers) {
                reader.close();
            }
        }
    }

    @Test
    void carriesLargeMessagesWhole() throws Exception {
        String payload = "0123456789abcdef".repeat(64 * 1024);
        try (RawClient reader = server.connect();
                RawClient publisher = server.connect()) {
            assertThat(reader.exchange("SUB large 1\r\nSUB large 2\r\n")).isEmpty();
            publisher.publish("large", payload);
            for (int sid = 1; sid <= 2; sid++) {
                assertThat(reader.until("\r\n")).isEqualTo("MSG large " + sid + " 1048576");
                assertThat(reader.until("\r\n")).isEqualTo(payload);
            }
        }
    }

    @Test
    void carriesSubjectsLargerThanAnyBlock() throws Exception {
        String subject = "s." + "x".repeat(100_000);
        try (TestingServer wide = TestingServer.start(
                        TestingServer.options().maxControlLine(1024 * 1024).build());
                RawClient client = wide.connect()) {
            for (int size : new int[] {0, 100, 1000, 5000, 20_000, 100_000}) {
                String payload = "p".repeat(size);
                String publish = "PUB " + subject + " r " + size + "\r\n" + payload + "\r\n";
                String message = "MSG " + subject + " 1 r " + size + "\r\n" + payload + "\r\n";
                assertThat(client.exchange("SUB s.> 1\r\nSUB small 2\r\nPUB small 1\r\ny\r\n" + publish + publish))
                        .isEqualTo("MSG small 2 1\r\ny\r\n" + message + message);
            }
        }
    }

    @Test
    void keepsMessagesOfMixedSizesInOrder() throws Exception {
        java.util.SplittableRandom random = new java.util.SplittableRandom(7);
        try (RawClient client = server.connect()) {
            StringBuilder in = new StringBuilder("SUB mixed 1\r\n");
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 400; i++) {
                int size = random.nextInt(1 << (4 + random.nextInt(12)));
                String payload = Integer.toString(i % 10).repeat(size);
                in.append("PUB mixed ")
                        .append(size)
                        .append("\r\n")
                        .append(payload)
                        .append("\r\n");
                expected.append("MSG mixed 1 ")
                        .append(size)
                        .append("\r\n")
                        .append(payload)
                        .append("\r\n");
            }
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    client.send(in + "PING\r\n");
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertThat(client.until("PONG\r\n")).isEqualTo(expected.toString());
            writer.join();
        }
    }
}
