package io.penstock.testkit;

import io.penstock.testkit.ApiScript.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Plays a script against a server and writes down what it answered, without what must differ between servers. */
public final class ApiPlayer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofMillis(1_500);

    private final WireClient client;
    private int inbox;
    private String lastAck = "";
    private final Deque<String> aside = new ArrayDeque<>();

    private ApiPlayer(int port, String connect) {
        client = new WireClient(port);
        client.read(LIMIT);
        client.send("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true" + connect
                + "}\r\nSUB _INBOX.wire.* 1\r\nPING\r\n");
        String pong = client.read(LIMIT);
        if (!pong.equals("PONG")) {
            throw new IllegalStateException("instead of PONG the server sent " + pong);
        }
    }

    /** The transcript of the script: each line, then the answers to it. */
    public static List<String> play(ApiScript script, int port) {
        return play(script, port, "");
    }

    /** The same with more fields of CONNECT, such as {@code ,"user":"a","pass":"b"}. */
    public static List<String> play(ApiScript script, int port, String connect) {
        List<String> transcript = new ArrayList<>();
        try (ApiPlayer player = new ApiPlayer(port, connect)) {
            for (Step step : script.steps()) {
                transcript.add(step.source());
                for (String answer : player.play(step)) {
                    transcript.add("    " + answer);
                }
            }
        }
        return transcript;
    }

    private List<String> play(Step step) {
        return switch (step.kind()) {
            case REQUEST -> {
                String reply = nextInbox();
                send(step, reply);
                yield List.of(answer(reply));
            }
            case PUBLISH -> {
                send(step, "");
                yield List.of();
            }
            case PULL -> {
                send(step, nextInbox());
                yield gather(step.count());
            }
            case LISTEN -> {
                client.send("SUB " + step.subject() + " " + (100 + inbox++) + "\r\n");
                yield List.of();
            }
            case COLLECT -> gather(step.count());
            case ACK -> {
                String reply = nextInbox();
                client.send(
                        "PUB " + lastAck + " " + reply + " " + step.body().length() + "\r\n" + step.body() + "\r\n");
                yield List.of(answer(reply));
            }
        };
    }

    /** The answer on this inbox; what comes on other subscriptions meanwhile waits for "collect": no order is promised. */
    private String answer(String reply) {
        String item = read(LIMIT);
        while (!item.equals(WireClient.SILENCE)
                && !item.equals(WireClient.CLOSED)
                && !item.contains(" " + reply + " ")) {
            aside.add(item);
            item = read(LIMIT);
        }
        return item;
    }

    private List<String> gather(int count) {
        List<String> answers = new ArrayList<>();
        while (answers.size() < count) {
            String answer = aside.isEmpty() ? read(answers.isEmpty() ? LIMIT : QUIET) : aside.removeFirst();
            answers.add(answer);
            if (answer.equals(WireClient.SILENCE)
                    || answer.contains("|NATS/1.0 4")
                    || answer.contains("|NATS/1.0 204")) {
                break;
            }
        }
        return answers;
    }

    private String read(Duration limit) {
        String item = client.read(limit);
        while (item.equals("PING")) {
            client.send("PONG\r\n");
            item = client.read(limit);
        }
        String[] fields = item.split("\\|", 2)[0].split(" ");
        if (fields.length > 3 && fields[3].startsWith("$JS.ACK.")) {
            lastAck = fields[3];
        }
        return Normaliser.normalise(item);
    }

    private String nextInbox() {
        return "_INBOX.wire." + inbox++;
    }

    private void send(Step step, String reply) {
        String to = step.subject() + (reply.isEmpty() ? "" : " " + reply);
        if (step.headers().isEmpty()) {
            client.send("PUB " + to + " " + step.body().length() + "\r\n" + step.body() + "\r\n");
            return;
        }
        String block = "NATS/1.0\r\n" + String.join("\r\n", step.headers()) + "\r\n\r\n";
        int total = block.length() + step.body().length();
        client.send("HPUB " + to + " " + block.length() + " " + total + "\r\n" + block + step.body() + "\r\n");
    }

    @Override
    public void close() {
        client.close();
    }
}
