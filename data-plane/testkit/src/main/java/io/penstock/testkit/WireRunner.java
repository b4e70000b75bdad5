package io.penstock.testkit;

import io.penstock.testkit.WireRow.Step;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Plays a row against a server and says where the server differs. */
public final class WireRunner {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private WireRunner() {}

    /** Plays the row; answers an empty text when the server did what the row says, else what it did instead. */
    public static String play(WireRow row, int port) {
        Map<String, WireClient> clients = new LinkedHashMap<>();
        Map<String, Boolean> open = new LinkedHashMap<>();
        StringBuilder transcript = new StringBuilder();
        try {
            for (Step step : row.steps()) {
                WireClient client = clients.computeIfAbsent(step.connection(), _ -> connect(port));
                open.putIfAbsent(step.connection(), true);
                String difference = play(step, client, transcript);
                if (!difference.isEmpty()) {
                    return difference + "\ntranscript so far:\n" + transcript;
                }
                if (step.kind() == WireRow.Kind.EXPECT_CLOSED) {
                    open.put(step.connection(), false);
                }
            }
            for (Map.Entry<String, WireClient> client : clients.entrySet()) {
                if (open.get(client.getKey())) {
                    String difference = alive(client.getKey(), client.getValue());
                    if (!difference.isEmpty()) {
                        return "at the end: " + difference + "\ntranscript:\n" + transcript;
                    }
                }
            }
            return "";
        } finally {
            clients.values().forEach(WireClient::close);
        }
    }

    private static WireClient connect(int port) {
        WireClient client = new WireClient(port);
        String info = client.read(LIMIT);
        if (!info.startsWith("INFO ")) {
            throw new IllegalStateException("instead of INFO the server sent " + info);
        }
        return client;
    }

    private static String play(Step step, WireClient client, StringBuilder transcript) {
        String who = step.connection();
        return switch (step.kind()) {
            case SEND_LINE -> {
                client.send(step.text() + "\r\n");
                transcript.append(who).append("> ").append(step.text()).append('\n');
                yield "";
            }
            case SEND_RAW -> {
                client.send(step.text());
                transcript.append(who).append(">> ").append(step.text()).append('\n');
                yield "";
            }
            case EXPECT -> expect(who, client, step.text(), transcript);
            case EXPECT_CLOSED -> expect(who, client, WireClient.CLOSED, transcript);
            case EXPECT_ALIVE -> alive(who, client);
        };
    }

    private static String expect(String who, WireClient client, String expected, StringBuilder transcript) {
        String item = client.read(LIMIT);
        if (item.equals("PING") && !expected.equals("PING")) {
            client.send("PONG\r\n");
            item = client.read(LIMIT);
        }
        transcript.append(who).append("< ").append(item).append('\n');
        if (expected.equals("INFO") && item.startsWith("INFO ")) {
            return "";
        }
        return matches(expected, item) ? "" : who + " should read: " + expected + "\n      but reads: " + item;
    }

    private static boolean matches(String expected, String item) {
        StringBuilder pattern = new StringBuilder();
        for (String part : expected.split("\\.\\.\\.", -1)) {
            pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        return item.matches(pattern.toString());
    }

    private static String alive(String who, WireClient client) {
        client.send("PING\r\n");
        String item = client.read(LIMIT);
        if (item.equals("PING")) {
            client.send("PONG\r\n");
            item = client.read(LIMIT);
        }
        return item.equals("PONG") ? "" : who + " should read nothing but PONG, but reads: " + item;
    }
}
