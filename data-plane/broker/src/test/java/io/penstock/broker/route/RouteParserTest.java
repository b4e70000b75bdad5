package io.penstock.broker.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ParseFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouteParserTest {
    private static final String INPUT = "CONNECT {\"name\":\"N 1\"}\r\nINFO {}\r\nPING\r\nPONG\r\n+OK\r\n"
            + "RS+ A foo.*\r\nRS+ A foo.> q 12\r\nRS- A foo.*\r\nRS- A foo.> q\r\n"
            + "RMSG A foo 3\r\nabc\r\nRMSG A foo + 0\r\n\r\nRMSG A foo reply 3\r\na\r\n\r\n"
            + "RMSG A foo + reply q1 q2 1\r\nx\r\nRMSG A foo | q1 1\r\ny\r\n"
            + "RMSG A in = shown 1\r\nz\r\nRMSG A in = shown reply 1\r\nz\r\n"
            + "RMSG A in = shown + reply q 1\r\nz\r\nRMSG A in = shown | q 1\r\nz\r\n"
            + "HMSG A foo reply 5 7\r\nH\r\n\r\nok\r\nHMSG A foo | q 5 7\r\nH\r\n\r\nok\r\n-ERR 'so'\r\n";

    private static final List<String> EVENTS = List.of(
            "CONNECT {\"name\":\"N 1\"}",
            "INFO {}",
            "PING",
            "PONG",
            "A foo.* null 1",
            "A foo.> q 12",
            "A foo.* null 0",
            "A foo.> q 0",
            "A foo - - [] 0 abc",
            "A foo - + [] 0 ",
            "A foo - reply [] 0 a\r\n",
            "A foo - reply [q1, q2] 0 x",
            "A foo - - [q1] 0 y",
            "A in shown - [] 0 z",
            "A in shown reply [] 0 z",
            "A in shown reply [q] 0 z",
            "A in shown - [q] 0 z",
            "A foo - reply [] 5 H\r\n\r\nok",
            "A foo - - [q] 5 H\r\n\r\nok",
            "-ERR 'so'");

    /** Writes down what it is told. */
    private static class Events implements RouteSink {
        private final List<String> all = new ArrayList<>();

        private static String text(byte[] bytes, int offset, int length) {
            return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        }

        @Override
        public void onConnect(byte[] bytes, int offset, int length) {
            all.add("CONNECT " + text(bytes, offset, length));
        }

        @Override
        public void onInfo(byte[] bytes, int offset, int length) {
            all.add("INFO " + text(bytes, offset, length));
        }

        @Override
        public void onPing() {
            all.add("PING");
        }

        @Override
        public void onPong() {
            all.add("PONG");
        }

        @Override
        public void onError(byte[] bytes, int offset, int length) {
            all.add("-ERR " + text(bytes, offset, length));
        }

        @Override
        public void onInterest(String account, String pattern, String queue, int weight) {
            all.add(account + " " + pattern + " " + queue + " " + weight);
        }

        @Override
        public void onMessage(RouteParser message, byte[] bytes) {
            List<String> queues = new ArrayList<>();
            for (int i = 0; i < message.queueCount(); i++) {
                queues.add(text(bytes, message.queueOffset(i), message.queueLength(i)));
            }
            String shown = message.hasShown() ? new String(message.shown(bytes), StandardCharsets.ISO_8859_1) : "-";
            String reply = message.replyLength() == 0 ? "-" : text(bytes, message.replyOffset(), message.replyLength());
            all.add(text(bytes, message.accountOffset(), message.accountLength()) + " "
                    + text(bytes, message.subjectOffset(), message.subjectLength()) + " " + shown + " " + reply + " "
                    + queues + " " + message.headerLength() + " "
                    + text(bytes, message.contentOffset(), message.contentLength()));
        }

        @Override
        public void onFailure(ParseFailure failure) {
            all.add(failure.name());
        }
    }

    private static List<String> parse(String... pieces) {
        Events events = new Events();
        RouteParser parser = new RouteParser(events, 1000);
        parser.open();
        for (String piece : pieces) {
            byte[] bytes = ("##" + piece).getBytes(StandardCharsets.ISO_8859_1);
            assertThat(parser.parse(bytes, 2, bytes.length)).isEqualTo(bytes.length);
            Arrays.fill(bytes, (byte) '!');
            parser.trim();
        }
        return events.all;
    }

    @Test
    void readsEveryForm() {
        assertThat(parse(INPUT)).isEqualTo(EVENTS);
    }

    @Test
    void readsTheSameWhereverTheInputIsCut() {
        for (int i = 1; i < INPUT.length(); i++) {
            assertThat(parse(INPUT.substring(0, i), INPUT.substring(i)))
                    .as("cut at " + i)
                    .isEqualTo(EVENTS);
        }
        assertThat(parse(INPUT.split("(?s)(?<=.)"))).isEqualTo(EVENTS);
    }

    @Test
    void refusesWhatIsNoLineOfARoute() {
        assertThat(parse("SUB a 1\r\n")).containsExactly("UNKNOWN_OPERATION");
        assertThat(parse("RMSGX A a 1\r\n")).containsExactly("UNKNOWN_OPERATION");
        assertThat(parse("\r\n")).containsExactly("UNKNOWN_OPERATION");
        assertThat(parse("RMSG A a 1\r\nxyz")).containsExactly("UNKNOWN_OPERATION");
        for (String line : List.of(
                "RMSG A a\r\n",
                "RMSG A a -1\r\n",
                "RMSG A a 01\r\n",
                "RMSG A a 9999999999\r\n",
                "RMSG A a b c 1\r\n",
                "HMSG A a 5 4\r\n",
                "RS+ A\r\n",
                "RS+ A a q\r\n",
                "RS+ A a q 0\r\n",
                "RS- A a q 1\r\n")) {
            assertThat(parse(line)).as(line).containsExactly("MALFORMED_ARGUMENTS");
        }
        assertThat(parse("RS+ A " + "x".repeat(1000))).containsExactly("CONTROL_LINE_TOO_LONG");
    }

    @Test
    void letsNothingButTheGreetingInBeforeItIsOpened() {
        Events events = new Events();
        RouteParser parser = new RouteParser(events, 1000);
        byte[] bytes = "PING\r\nRMSG A a 100000000\r\n".getBytes(StandardCharsets.US_ASCII);
        int read = parser.parse(bytes, 0, bytes.length);
        assertThat(read).isEqualTo(bytes.length);
        assertThat(events.all).containsExactly("PING", "MALFORMED_ARGUMENTS");
    }

    @Test
    void stopsWhereItIsToldTo() {
        RouteParser[] parser = new RouteParser[1];
        Events events = new Events() {
            @Override
            public void onPong() {
                super.onPong();
                parser[0].stop();
            }
        };
        parser[0] = new RouteParser(events, 1000);
        byte[] bytes = "PONG\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(parser[0].parse(bytes, 0, bytes.length)).isEqualTo(6);
        parser[0].resume();
        assertThat(parser[0].parse(bytes, 6, bytes.length)).isEqualTo(bytes.length);
        assertThat(events.all).containsExactly("PONG", "PING");
    }

    @Test
    void namesOfAccountsAreOneTokenAndComeBack() {
        for (String name : List.of("A", "$SYS", "a b", "é%41", "100%", "企业", "%ZZ", "x\r\ny")) {
            String token = WireName.encode(name);
            assertThat(token).matches("[!-~]+");
            assertThat(WireName.decode(token)).isEqualTo(name);
        }
        assertThat(WireName.encode("AB_-$.9")).isEqualTo("AB_-$.9");
    }

    @Test
    void bothSidesPutAnAccountOnTheSameConnection() {
        RouteSlots here = RouteSlots.common(3, Set.of("SYS", "A"), 5, Set.of("A", "B", "SYS"));
        RouteSlots there = RouteSlots.common(5, Set.of("A", "B", "SYS"), 3, Set.of("SYS", "A"));
        assertThat(here).isEqualTo(there);
        assertThat(here.count()).isEqualTo(5);
        assertThat(here.account(here.of("A"))).isEqualTo("A");
        assertThat(here.account(here.of("SYS"))).isEqualTo("SYS");
        assertThat(here.of("B")).isBetween(0, 2);
        // FNV-1a of "a" is e40c292c.
        assertThat(new RouteSlots(1000, List.of()).of("a")).isEqualTo((int) (0xe40c292cL % 1000));
    }
}
