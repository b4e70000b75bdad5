package io.penstock.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of requests to one server, whose answers are compared between servers. The form:
 *
 * <pre>
 * == name of the script
 * &gt; subject body                    a request; one answer is awaited
 * &gt; subject [Key: value; Key: v] body   the same with headers
 * ! subject body                    a message without reply
 * pull N subject body               a request that may have up to N answers, ended by a status or by silence
 * listen subject                    subscribes; what arrives is gathered by "collect"
 * collect N                         up to N messages of the subscriptions so far
 * ack KIND                          answers the last message that had an ack reply with KIND, as a request
 * </pre>
 *
 * An empty body is no body. {@code \r \n \t} are escapes.
 */
public record ApiScript(String name, List<Step> steps) {
    /** What a line asks for. */
    public enum Kind {
        /** Request with one answer. */
        REQUEST,
        /** Publish without reply. */
        PUBLISH,
        /** Request with several answers. */
        PULL,
        /** Subscribe. */
        LISTEN,
        /** Gather what came. */
        COLLECT,
        /** Acknowledge the last message. */
        ACK
    }

    /**
     * One line.
     *
     * @param headers header lines without the version line
     */
    public record Step(Kind kind, int count, String subject, List<String> headers, String body, String source) {}

    /** Reads all scripts of a file. */
    public static List<ApiScript> parse(String file) {
        List<ApiScript> scripts = new ArrayList<>();
        String name = null;
        List<Step> steps = new ArrayList<>();
        for (String line : file.lines().toList()) {
            if (line.startsWith("== ")) {
                if (name != null) {
                    scripts.add(new ApiScript(name, List.copyOf(steps)));
                }
                name = line.substring(3).strip();
                steps = new ArrayList<>();
            } else if (!line.isBlank() && !line.startsWith("#")) {
                steps.add(step(line.strip()));
            }
        }
        if (name != null) {
            scripts.add(new ApiScript(name, List.copyOf(steps)));
        }
        return scripts;
    }

    private static Step step(String line) {
        String[] words = line.split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case ">" -> message(Kind.REQUEST, 1, rest, line);
            case "!" -> message(Kind.PUBLISH, 0, rest, line);
            case "pull" -> {
                String[] counted = rest.split(" ", 2);
                yield message(Kind.PULL, Integer.parseInt(counted[0]), counted[1], line);
            }
            case "listen" -> new Step(Kind.LISTEN, 0, rest, List.of(), "", line);
            case "collect" -> new Step(Kind.COLLECT, Integer.parseInt(rest), "", List.of(), "", line);
            case "ack" -> new Step(Kind.ACK, 1, "", List.of(), rest, line);
            default -> throw new IllegalArgumentException("a script has a line that means nothing: " + line);
        };
    }

    private static Step message(Kind kind, int count, String text, String line) {
        int space = text.indexOf(' ');
        String subject = space < 0 ? text : text.substring(0, space);
        String body = space < 0 ? "" : text.substring(space + 1);
        List<String> headers = List.of();
        if (body.startsWith("[") && !body.startsWith("[]") && body.indexOf(": ") > 0 && body.indexOf(']') > 0) {
            int end = body.indexOf(']');
            headers = List.of(body.substring(1, end).split("; "));
            body = body.substring(end + 1).strip();
        }
        return new Step(
                kind,
                count,
                subject,
                headers,
                body.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t"),
                line);
    }
}
