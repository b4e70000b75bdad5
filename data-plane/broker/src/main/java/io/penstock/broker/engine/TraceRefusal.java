package io.penstock.broker.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.sharing.HeaderBlock;
import io.penstock.protocol.Subjects;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Answers messages that ask to be traced: this server traces none, and says so where the trace was to go. A message that
 * was to be traced and not delivered must not reach a subscriber or a stream.
 */
final class TraceRefusal {
    private static final byte[] DESTINATION = "\r\nNats-Trace-Dest:".getBytes(StandardCharsets.US_ASCII);
    private static final String DESTINATION_NAME = "Nats-Trace-Dest";
    private static final String ONLY_NAME = "Nats-Trace-Only";
    private static final String DISABLED = "trace disabled";
    private static final Set<String> YES = Set.of("1", "true", "on");
    private static final byte[] NO_HEADERS = {};
    private static final ObjectMapper JSON = new ObjectMapper();

    private TraceRefusal() {}

    /** Where the trace of a message is to go, or null when it asks for none. */
    static String destination(Frame message) {
        if (!holds(message.headerBytes, message.headerOffset, message.headerLength)) {
            return null;
        }
        String destination = HeaderBlock.first(message.headers(), DESTINATION_NAME);
        boolean asked = destination != null && !destination.equals(DISABLED) && Subjects.isValidLiteral(destination);
        return asked ? destination : null;
    }

    private static boolean holds(byte[] bytes, int offset, int length) {
        int last = offset + length - DESTINATION.length;
        for (int i = offset; i <= last; i++) {
            if (bytes[i] == '\r'
                    && Arrays.equals(bytes, i, i + DESTINATION.length, DESTINATION, 0, DESTINATION.length)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the message is only to be traced. */
    static boolean isOnlyTraced(Frame message) {
        String only = HeaderBlock.first(message.headers(), ONLY_NAME);
        return only != null && YES.contains(only.toLowerCase(Locale.ROOT));
    }

    /** Tells the destination, in the form of a trace of which the first step failed. On the connection's loop. */
    static void tell(ClientConnection connection, LocalAccount account, Frame message, String to, boolean delivered) {
        ServerIdentity identity = connection.engine.identity();
        ObjectNode event = JSON.createObjectNode();
        event.putObject("server")
                .put("name", identity.name())
                .put("host", connection.engine.options().host())
                .put("id", identity.id())
                .put("ver", identity.version());
        ObjectNode request = event.putObject("request");
        request.putObject("header").putArray(DESTINATION_NAME).add(to);
        request.put("msgsize", message.contentLength());
        ObjectNode arrival = event.putArray("events").addObject();
        arrival.put("type", "in");
        arrival.put("ts", Instant.now().toString());
        arrival.put("kind", 0);
        arrival.put("cid", connection.id());
        arrival.put("name", connection.request().name());
        arrival.put("acc", account.name());
        arrival.put("subj", Subjects.toUtf8(message.subject()));
        arrival.put(
                "error",
                "message tracing is not available in this version; the message was "
                        + (delivered ? "delivered without" : "not delivered"));
        InternalClient client = account.internalClient(ConnectionKind.SYSTEM);
        client.publish(to, null, NO_HEADERS, event.toString().getBytes(StandardCharsets.UTF_8));
        client.flush();
    }
}
