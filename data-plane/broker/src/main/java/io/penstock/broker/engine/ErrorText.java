package io.penstock.broker.engine;

import io.penstock.protocol.Subjects;
import java.nio.charset.StandardCharsets;

/** Texts of {@code -ERR}, as clients know them. */
final class ErrorText {
    static final String UNKNOWN_OPERATION = "Unknown Protocol Operation";
    static final String CONTROL_LINE = "maximum control line exceeded";
    static final String PAYLOAD = "Maximum Payload Violation";
    static final String CONNECTIONS = "maximum connections exceeded";
    static final String ACCOUNT_CONNECTIONS = "maximum account active connections exceeded";
    static final String SUBSCRIPTIONS = "maximum subscriptions exceeded";
    static final String AUTHENTICATION_TIMEOUT = "Authentication Timeout";
    static final String AUTHORIZATION = "Authorization Violation";
    static final String STALE = "Stale Connection";
    static final String TLS_REQUIRED = "Secure Connection - TLS Required";
    static final String CLIENT_PROTOCOL = "invalid client protocol";
    static final String NO_RESPONDERS = "no responders requires headers support";
    static final String INVALID_SUBJECT = "Invalid Subject";
    static final String INVALID_PUBLISH = "Invalid Publish Subject";
    static final String THROTTLED = "Connection throttling is active. Please try again later.";

    static final String ROUTE_PORT = "attempted to connect to route port";
    static final String DUPLICATE_ROUTE = "duplicate route";

    private ErrorText() {}

    static byte[] line(String text) {
        return ("-ERR '" + text + "'\r\n").getBytes(StandardCharsets.UTF_8);
    }

    static String publishDenied(String subject) {
        return "Permissions Violation for Publish to " + quote(subject);
    }

    static String replyDenied(String reply) {
        return "Permissions Violation for Publish with Reply of " + quote(reply);
    }

    static String subscribeDenied(String subject, String queue) {
        String text = "Permissions Violation for Subscription to " + quote(subject);
        return queue == null ? text : text + " using queue " + quote(queue);
    }

    static String tooManyTokens(String subject) {
        return subscribeDenied(subject, null) + ", too many tokens";
    }

    static String subscriptionRemoved(String subject, String queue, String sid) {
        return subscribeDenied(subject, queue) + " (sid " + quote(sid) + ")";
    }

    /** In double quotes; what would break a line or the quotes is escaped. */
    private static String quote(String wire) {
        String text = Subjects.toUtf8(wire);
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                out.append(String.format("\\x%02x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
