package io.penstock.broker.engine;

import io.penstock.broker.TraceOptions;
import io.penstock.broker.route.RouteParser;
import java.nio.charset.StandardCharsets;

/**
 * Writes what crosses a route, a line for each operation, as {@link ProtocolTrace} does for clients. INFO is not traced,
 * nor is the interest there is when a route opens. There is one only while tracing is on.
 */
final class RouteTrace {
    private static final byte[] NONE = {};
    private static final int VERB = "RMSG ".length();

    private final RouteConnection route;
    private final ProtocolTrace trace;

    RouteTrace(TraceOptions options, RouteConnection route) {
        this.route = route;
        this.trace = new ProtocolTrace(options, route::label);
    }

    /** The other side says something that has no arguments. */
    void heard(String verb) {
        trace.line(verb, NONE, 0, 0);
    }

    void heardConnect(byte[] bytes, int offset, int length) {
        trace.line("CONNECT", bytes, offset, length);
    }

    void heardInterest(String account, String pattern, String queue, int weight) {
        StringBuilder line = new StringBuilder();
        if (account != null) {
            line.append(account).append(' ');
        }
        line.append(pattern);
        if (queue != null) {
            line.append(' ').append(queue);
            if (weight > 0) {
                line.append(' ').append(weight);
            }
        }
        byte[] bytes = line.toString().getBytes(StandardCharsets.ISO_8859_1);
        trace.line(weight > 0 ? "RS+" : "RS-", bytes, 0, bytes.length);
    }

    /** A message came; its line lies in front of its content. */
    void heard(RouteParser message, byte[] bytes) {
        int start = message.lineOffset();
        int end = message.contentOffset() - 2;
        String verb = new String(bytes, start, VERB - 1, StandardCharsets.US_ASCII);
        trace.line(verb, bytes, start + VERB, end - start - VERB);
        trace.content(bytes, message.contentOffset(), message.headerLength(), message.contentLength());
    }

    /** Bytes that are no message go to the other side. */
    void sent(byte[] bytes) {
        if (bytes[0] != 'C') {
            trace.sent(bytes);
        }
    }

    /** A line of interest goes to the other side. */
    void told(String line) {
        trace.told(line);
    }

    /**
     * A message goes to the other side. Any lane.
     *
     * @param node which of the message's nodes that is
     * @param queues how many queue groups a member was chosen of there
     */
    void routed(Frame message, int node, int queues) {
        StringBuilder head = new StringBuilder(message.headerLength > 0 ? "HMSG " : "RMSG ");
        if (!route.isDedicated()) {
            head.append(latin(message.account.routePrefix()));
        }
        head.append(new String(
                        message.subjectBytes,
                        message.subjectOffset,
                        message.subjectLength,
                        StandardCharsets.ISO_8859_1))
                .append(' ');
        if (message.shown != null) {
            head.append("= ").append(latin(message.shown)).append(' ');
        }
        if (queues > 0) {
            head.append(message.replyLength > 0 ? "+ " : "| ");
        }
        if (message.replyLength > 0) {
            head.append(new String(
                            message.replyBytes, message.replyOffset, message.replyLength, StandardCharsets.ISO_8859_1))
                    .append(' ');
        }
        for (int i = 0; queues > 0 && i < message.chosen; i++) {
            if (message.chosenNode[i] == node) {
                head.append(latin(message.chosenQueue[i])).append(' ');
            }
        }
        if (message.headerLength > 0) {
            head.append(message.headerLength).append(' ');
        }
        trace.told(head.append(message.contentLength()).toString(), message);
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
