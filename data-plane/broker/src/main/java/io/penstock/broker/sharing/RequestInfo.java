package io.penstock.broker.sharing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.RoutedMessage;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.internal.MessageOrigin;
import java.time.Instant;

/**
 * The header {@code Nats-Request-Info}, by which a service learns which account asks. What a client wrote under that
 * name is always removed: only the server says who somebody is.
 */
final class RequestInfo {
    static final String NAME = "Nats-Request-Info";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerIdentity server;

    RequestInfo(ServerIdentity server) {
        this.server = server;
    }

    /**
     * The header block of a request that crosses into another account.
     *
     * @param share whether the importer lets the service know all about the requester
     * @param toSystem whether the service is the server's own
     */
    byte[] addTo(RoutedMessage message, boolean share, boolean toSystem) {
        MessageOrigin origin = message.origin();
        byte[] headers = message.headers();
        String importer = message.account().name();
        // In an account that is not the requester's own the header came from the import before this one.
        String before = origin.account().equals(importer) ? null : HeaderBlock.first(headers, NAME);
        ObjectNode info = before == null ? describe(message, share, toSystem) : passedOn(before, importer);
        return HeaderBlock.with(headers, NAME, info.toString());
    }

    private static ObjectNode passedOn(String before, String importer) {
        try {
            if (JSON.readTree(before) instanceof ObjectNode info) {
                return info.put("svc", importer);
            }
            return JSON.createObjectNode().put("svc", importer);
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode().put("svc", importer);
        }
    }

    /** A publisher as services and measurements see it: its account alone, or everything about it. */
    ObjectNode describe(RoutedMessage message, boolean share, boolean toSystem) {
        MessageOrigin origin = message.origin();
        ObjectNode info = JSON.createObjectNode();
        if (share) {
            info.put("start", Instant.ofEpochSecond(0, origin.startNanos()).toString());
            putPresent(info, "host", origin.host());
            info.put("id", origin.connectionId());
        }
        info.put("acc", origin.account());
        if (share) {
            putPresent(info, "user", origin.user());
            putPresent(info, "name", origin.name());
            putPresent(info, "lang", origin.language());
            putPresent(info, "ver", origin.version());
        }
        info.put("rtt", origin.roundTripNanos());
        if (share || toSystem) {
            info.put("server", server.name());
            putPresent(info, "cluster", server.cluster());
        }
        if (share) {
            if (isProven(message)) {
                putPresent(info, "jwt", origin.jwt());
            }
            putPresent(info, "issuer_key", origin.issuerKey());
            info.put("name_tag", message.account().publicName());
            info.put("kind", origin.kind());
            info.put("client_type", "nats");
        }
        return info;
    }

    // A token that came without a signature opens the door by itself: no other account may see it.
    private static boolean isProven(RoutedMessage message) {
        return message.connection() != null && message.connection().request().signature() != null;
    }

    private static void putPresent(ObjectNode node, String field, String value) {
        if (value != null && !value.isEmpty()) {
            node.put(field, value);
        }
    }
}
