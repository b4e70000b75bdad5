package io.penstock.broker.engine;

import io.penstock.broker.ConnectRequest;
import io.penstock.broker.permission.Permissions;
import io.penstock.protocol.ProtocolParser;
import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.Subjects;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The way of a client's message into its account: mapping, permissions, routing, "no responders". On the loop. */
final class Publisher {
    private static final byte[] OK = "+OK\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ROUTED_REPLY = bytes("_GR_.");
    private static final byte[] SERVICE_REPLY = bytes("_R_.");
    private static final byte[] ACK = bytes("$JS.ACK.");
    private static final byte[] RAFT = bytes("$NRG.");
    private static final int NO_RESPONDERS_FIXED = "NATS/1.0 503\r\nNats-Subject: \r\n\r\n".length();

    private final ClientConnection connection;
    private final LoopLane lane;

    private LocalAccount account;
    private AccountLane counters;
    private ConnectRequest request = ConnectRequest.IMPLICIT;
    private PublishGuard guard;
    private boolean guarded;
    private long messages;
    private long bytes;

    Publisher(ClientConnection connection) {
        this.connection = connection;
        this.lane = connection.lane;
    }

    void bind(LocalAccount bound, ConnectRequest said, Permissions permissions) {
        account = bound;
        counters = bound.lane(lane);
        request = said;
        guard = new PublishGuard(permissions);
        guarded = !permissions.publishesFreely();
    }

    void publish(ProtocolParser parsed, byte[] input) {
        int size = parsed.contentLength();
        messages++;
        bytes += size;
        counters.inMessages++;
        counters.inBytes += size;
        Frame message = lane.begin();
        if (message == null) {
            return;
        }
        try {
            message.fromWire(connection, account, parsed, input);
            publish(message);
        } finally {
            lane.end(message);
        }
    }

    private void publish(Frame message) {
        SubjectMappings mappings = account.mappings();
        if (!mappings.isEmpty() && !map(message, mappings)) {
            return;
        }
        if ((guarded && !isAllowed(message)) || isReserved(message)) {
            connection.send(ErrorText.line(ErrorText.publishDenied(message.subject())));
            return;
        }
        if (message.replyLength > 0 && isReservedReply(message)) {
            connection.send(ErrorText.line(ErrorText.replyDenied(message.reply())));
            return;
        }
        if (request.pedantic() && !Subjects.isValidLiteral(message.subject())) {
            connection.send(ErrorText.line(ErrorText.INVALID_PUBLISH));
        }
        if (request.verbose()) {
            connection.send(OK);
        }
        if (message.headerLength > 0 && isOnlyTraced(message)) {
            return;
        }
        int receivers = Router.route(lane, message);
        if (receivers == 0 && message.replyLength > 0 && request.noResponders()) {
            tellNoResponders(message);
        }
    }

    private boolean isOnlyTraced(Frame message) {
        String to = TraceRefusal.destination(message);
        if (to == null) {
            return false;
        }
        boolean only = TraceRefusal.isOnlyTraced(message);
        byte[] subject = to.getBytes(StandardCharsets.ISO_8859_1);
        if (guarded && !guard.allows(subject, 0, subject.length, lane.now)) {
            connection.send(ErrorText.line(ErrorText.publishDenied(to)));
        } else {
            TraceRefusal.tell(connection, account, message, to, !only);
        }
        return only;
    }

    private boolean map(Frame message, SubjectMappings mappings) {
        String subject = message.subject();
        String mapped = mappings.map(subject, lane::random);
        if (mapped == null) {
            return false;
        }
        if (!mapped.equals(subject)) {
            message.setSubject(mapped);
        }
        return true;
    }

    private boolean isAllowed(Frame message) {
        return guard.allows(message.subjectBytes, message.subjectOffset, message.subjectLength, lane.now);
    }

    private boolean isReserved(Frame message) {
        byte first = message.subjectLength == 0 ? 0 : message.subjectBytes[message.subjectOffset];
        return switch (first) {
            case '_' -> startsWith(message.subjectBytes, message.subjectOffset, message.subjectLength, ROUTED_REPLY);
            case '$' ->
                !account.isSystem()
                        && startsWith(message.subjectBytes, message.subjectOffset, message.subjectLength, RAFT);
            default -> false;
        };
    }

    private static boolean isReservedReply(Frame message) {
        byte[] reply = message.replyBytes;
        int offset = message.replyOffset;
        int length = message.replyLength;
        return startsWith(reply, offset, length, SERVICE_REPLY)
                || startsWith(reply, offset, length, ACK)
                || startsWith(reply, offset, length, ROUTED_REPLY);
    }

    private static boolean startsWith(byte[] text, int offset, int length, byte[] prefix) {
        if (length < prefix.length) {
            return false;
        }
        for (int i = 0; i < prefix.length; i++) {
            if (text[offset + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private void tellNoResponders(Frame message) {
        String reply = message.reply();
        Sub sub = connection.session.plainSubscription(reply);
        if (sub == null || sub.claim(true) == 0) {
            return;
        }
        String subject = message.subject();
        int size = NO_RESPONDERS_FIXED + subject.length();
        String line = "HMSG " + reply + " " + sub.sid + " " + size + " " + size + "\r\nNATS/1.0 503\r\nNats-Subject: "
                + subject + "\r\n\r\n\r\n";
        connection.send(line.getBytes(StandardCharsets.ISO_8859_1));
        if (sub.max() > 0 && sub.delivered() >= sub.max()) {
            sub.remove();
        }
    }

    void trackReplies(List<String> replies) {
        if (guard != null) {
            guard.received(replies, System.nanoTime());
        }
    }

    long messages() {
        return messages;
    }

    long bytes() {
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
