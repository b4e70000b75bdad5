package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolParserTest {
    /** Good and bad streams; every one is cut at every byte. */
    private static final List<String> CORPUS = List.of(
            "CONNECT {\"verbose\":false,\"name\":\"a b\"}\r\nPING\r\nSUB foo 1\r\nPUB foo 2\r\nhi\r\n",
            "connect {}\r\nsub a.* q 9\r\nunsub 9\r\nUnsub 9 12\r\npub a.b reply 0\r\n\r\n",
            "PUB\tfoo \t 3\nabc\r\nPONG whatever\r\n+OK\r\n+ok and so on\r\nPING\n",
            "HPUB a 12 14\r\nNATS/1.0\r\n\r\nhi\r\nHPUB a r 12 12\r\nNATS/1.0\r\n\r\n\r\n",
            "PUB b 8\r\n\r\nMSG\0\r\n\r\nPUB b 006\r\nabcdef\r\n",
            "SUB fo\ro 1\r\nUNSUB 1 x\r\nUNSUB 1 -4\r\n",
            "INFO {\"x\":1}\r\nPUB a 1\r\nx\r\nPUB a 1\r\nxy\r\n",
            "PUB a 1\r\nx\ny",
            "HELLO\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "PUB a\r\n",
            "PUB a b c 1\r\n",
            "PUB a -1\r\n",
            "PUB a 1234567890\r\n",
            "PUB a 1001\r\n",
            "HPUB a 20 10\r\n",
            "HPUB a 1\r\n",
            "SUB a\r\n",
            "SUB a b c d\r\n",
            "UNSUB\r\n",
            "UNSUB \r\n",
            "-ERR 'no'\r\n",
            "RS+ a b\r\n",
            "LS+ a\r\n",
            "A+ x\r\n",
            "MSG a 1 1\r\nx\r\n",
            "\r\n",
            "PINGPONG\r\nPONG\r\nPI",
            "SUB " + "a".repeat(125) + " 1\r\n",
            "SUB " + "a".repeat(126) + " 1\r\nPING\r\n",
            "SUB " + "a".repeat(127) + " 1\r\n",
            "PUB " + "a".repeat(200),
            "PING " + "x".repeat(500) + "\r\nPING\r\n",
            "CONNECT {\"x\":\"" + "a".repeat(300));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void readsEveryOperation() {
        assertThat(RecordingSink.parse(bytes(CORPUS.get(0))))
                .containsExactly(
                        "connect {\"verbose\":false,\"name\":\"a b\"}", "ping", "sub foo #1", "pub foo h0 {} {hi}");
        assertThat(RecordingSink.parse(bytes(CORPUS.get(1))))
                .containsExactly(
                        "connect {}", "sub a.* [q] #9", "unsub #9 0", "unsub #9 12", "pub a.b <reply> h0 {} {}");
    }

    @Test
    void readsHeadersAndPayloadApart() {
        assertThat(RecordingSink.parse(bytes(CORPUS.get(3))))
                .containsExactly("pub a h12 {NATS/1.0\r\n\r\n} {hi}", "pub a <r> h12 {NATS/1.0\r\n\r\n} {}");
    }

    @Test
    void acceptsTabsBareLineFeedsAndLeadingZeros() {
        assertThat(RecordingSink.parse(bytes(CORPUS.get(2)))).containsExactly("pub foo h0 {} {abc}", "pong", "ping");
        assertThat(RecordingSink.parse(bytes(CORPUS.get(4))))
                .containsExactly("pub b h0 {} {\r\nMSG\0\r\n}", "pub b h0 {} {abcdef}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HELLO\\r\\n|UNKNOWN_OPERATION",
                "HELLO|UNKNOWN_OPERATION",
                "PUBX|UNKNOWN_OPERATION",
                "RS+ a|UNKNOWN_OPERATION",
                "MSG a 1|UNKNOWN_OPERATION",
                "PUB a 1\\r\\nxy\\r\\n|UNKNOWN_OPERATION",
                "PUB a\\r\\n|MALFORMED_ARGUMENTS",
                "PUB a b c 1\\r\\n|MALFORMED_ARGUMENTS",
                "PUB a +1\\r\\n|MALFORMED_ARGUMENTS",
                "PUB a 1234567890\\r\\n|MALFORMED_ARGUMENTS",
                "HPUB a 20 10\\r\\n|MALFORMED_ARGUMENTS",
                "SUB a\\r\\n|MALFORMED_ARGUMENTS",
                "PUB a 1001\\r\\n|PAYLOAD_TOO_LARGE",
                "HPUB a 12 1001\\r\\n|PAYLOAD_TOO_LARGE",
                "-ERR 'x'\\r\\n|ERROR_FROM_PEER",
            })
    void refuses(String input, ParseFailure failure) {
        assertThat(RecordingSink.parse(bytes(input.replace("\\r\\n", "\r\n")))).containsExactly("failure " + failure);
    }

    @Test
    void refusesHeadersThatWereNotAgreedOn() {
        RecordingSink sink = new RecordingSink();
        ProtocolParser parser = new ProtocolParser(sink, 128, 1000);
        byte[] input = bytes("HPUB a 12 14\r\n");

        parser.parse(input, 0, input.length);

        assertThat(sink.events).containsExactly("failure HEADERS_NOT_AGREED");
    }

    @ParameterizedTest
    @ValueSource(ints = {125, 126, 127, 128, 4000})
    void limitsTheArgumentsOfALine(int length) {
        byte[] input = bytes("SUB " + "a".repeat(length) + " 1\r\n");

        List<String> events = RecordingSink.parse(input);

        assertThat(events)
                .containsExactly(
                        length + 2 <= 128 ? "sub " + "a".repeat(length) + " #1" : "failure CONTROL_LINE_TOO_LONG");
    }

    @Test
    void limitsALineThatNeverEnds() {
        byte[] input = bytes("CONNECT {\"x\":\"" + "a".repeat(300));

        assertThat(RecordingSink.parse(input)).containsExactly("failure CONTROL_LINE_TOO_LONG");
    }

    @Test
    void asksBeforeTheFirstOperationThatIsNotConnect() {
        assertThat(RecordingSink.parse(true, bytes("PING\r\n"))).containsExactly("implicit", "ping");
        assertThat(RecordingSink.parse(true, bytes("cOnnect {}\r\nPING\r\n"))).containsExactly("connect {}", "ping");
    }

    @Test
    void stopsWhereItIsToldToAndGoesOnThere() {
        RecordingSink sink = new RecordingSink() {
            @Override
            public void onConnect(byte[] bytes, int offset, int length) {
                super.onConnect(bytes, offset, length);
                parser.stop();
            }
        };
        ProtocolParser parser = new ProtocolParser(sink, 128, 1000);
        sink.parser = parser;
        byte[] input = bytes("CONNECT {}\r\nPING\r\n");

        int stopped = parser.parse(input, 0, input.length);
        assertThat(stopped).isEqualTo(12);
        assertThat(sink.events).containsExactly("connect {}");

        parser.resume();
        assertThat(parser.parse(input, stopped, input.length)).isEqualTo(input.length);
        assertThat(sink.events).containsExactly("connect {}", "ping");
    }

    @Test
    void givesTheSameEventsWhereverTheInputIsCut() {
        for (String text : CORPUS) {
            byte[] input = bytes(text);
            List<String> whole = RecordingSink.parse(input);
            for (int cut = 1; cut < input.length; cut++) {
                assertThat(RecordingSink.parse(input, cut))
                        .as("%s cut at %d", text, cut)
                        .isEqualTo(whole);
            }
            int[] everywhere = new int[input.length - 1];
            for (int i = 0; i < everywhere.length; i++) {
                everywhere[i] = i + 1;
            }
            assertThat(RecordingSink.parse(input, everywhere))
                    .as("%s byte by byte", text)
                    .isEqualTo(whole);
        }
    }

    @Test
    void survivesMutatedInput() {
        fuzz(new SplittableRandom().nextLong(), 20_000);
    }

    @Test
    @Tag("faults")
    void survivesAMillionMutatedInputs() {
        fuzz(new SplittableRandom().nextLong(), 1_000_000);
    }

    /** Mutated corpus: no exception, and the same events whole and in random pieces. */
    private static void fuzz(long seed, int inputs) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < inputs; i++) {
            byte[] input = mutate(random);
            int[] cuts =
                    random.ints(random.nextInt(4), 0, input.length + 1).sorted().toArray();
            List<String> whole = RecordingSink.parse(input);
            assertThat(RecordingSink.parse(input, cuts))
                    .as("seed %d, input %d: %s", seed, i, new String(input, StandardCharsets.ISO_8859_1))
                    .isEqualTo(whole);
            assertThat(whole).noneMatch(event -> event.startsWith("wrong"));
        }
    }

    private static byte[] mutate(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int parts = 1 + random.nextInt(3); parts > 0; parts--) {
            text.append(CORPUS.get(random.nextInt(CORPUS.size())));
        }
        byte[] input = bytes(text.toString());
        for (int edits = random.nextInt(6); edits > 0; edits--) {
            int at = random.nextInt(input.length);
            input[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) random.nextInt(256);
                case 1 -> (byte) " \t\r\n0123456789.*>".charAt(random.nextInt(17));
                default -> input[random.nextInt(input.length)];
            };
        }
        return java.util.Arrays.copyOf(input, 1 + random.nextInt(input.length));
    }
}
