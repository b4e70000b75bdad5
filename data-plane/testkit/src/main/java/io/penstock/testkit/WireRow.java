package io.penstock.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * One conversation with a server and what it must answer, byte for byte. The form of a row:
 *
 * <pre>
 * == name of the row
 * config: one line of server configuration (any number of such lines)
 * A&gt; text           connection A (opened when first named) sends the text and CR LF
 * A&gt;&gt; text          the same without CR LF
 * A&lt; text           A's next item; in it "..." stands for any text
 * A&lt; INFO           any INFO line
 * A closes           the server closes A
 * A stays            a PING of A is answered by PONG and nothing else
 * </pre>
 *
 * Escapes in sent text: {@code \r \n \t \0 \\}. INFO on connect is read silently; every connection still open at the
 * end must "stay".
 */
public record WireRow(String name, String configuration, List<Step> steps) {
    /** What one line of a row asks for. */
    public enum Kind {
        /** Send, with CR LF. */
        SEND_LINE,
        /** Send as it stands. */
        SEND_RAW,
        /** Read one item and compare. */
        EXPECT,
        /** Read the end of the connection. */
        EXPECT_CLOSED,
        /** PING is answered by PONG alone. */
        EXPECT_ALIVE
    }

    /** One line of a row. */
    public record Step(String connection, Kind kind, String text) {}

    /** Reads all rows of a file. */
    public static List<WireRow> parse(String file) {
        List<WireRow> rows = new ArrayList<>();
        String name = null;
        StringBuilder configuration = new StringBuilder();
        List<Step> steps = new ArrayList<>();
        for (String line : file.lines().toList()) {
            if (line.startsWith("== ")) {
                add(rows, name, configuration, steps);
                name = line.substring(3).strip();
                configuration = new StringBuilder();
                steps = new ArrayList<>();
            } else if (line.startsWith("config: ")) {
                configuration.append(line.substring("config: ".length())).append('\n');
            } else if (!line.isBlank() && !line.startsWith("#")) {
                steps.add(step(line));
            }
        }
        add(rows, name, configuration, steps);
        return rows;
    }

    private static void add(List<WireRow> rows, String name, StringBuilder configuration, List<Step> steps) {
        if (name != null) {
            rows.add(new WireRow(name, configuration.toString(), List.copyOf(steps)));
        }
    }

    private static Step step(String line) {
        String connection = line.substring(0, 1);
        String rest = line.substring(1);
        if (rest.startsWith(">> ")) {
            return new Step(connection, Kind.SEND_RAW, unescape(rest.substring(3)));
        }
        if (rest.startsWith("> ")) {
            return new Step(connection, Kind.SEND_LINE, unescape(rest.substring(2)));
        }
        if (rest.startsWith("< ")) {
            return new Step(connection, Kind.EXPECT, rest.substring(2));
        }
        return switch (rest.strip()) {
            case ">" -> new Step(connection, Kind.SEND_LINE, "");
            case "closes" -> new Step(connection, Kind.EXPECT_CLOSED, "");
            case "stays" -> new Step(connection, Kind.EXPECT_ALIVE, "");
            default -> throw new IllegalArgumentException("a row has a line that means nothing: " + line);
        };
    }

    private static String unescape(String text) {
        StringBuilder plain = new StringBuilder();
        boolean escaped = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!escaped && c == '\\') {
                escaped = true;
                continue;
            }
            plain.append(escaped ? meaning(c) : c);
            escaped = false;
        }
        return plain.toString();
    }

    private static char meaning(char escaped) {
        return switch (escaped) {
            case 'r' -> '\r';
            case 'n' -> '\n';
            case 't' -> '\t';
            case '0' -> '\0';
            default -> escaped;
        };
    }
}
