package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.Connection;
import io.penstock.broker.Identity;

/** A connection as events describe it. */
final class ClientInfo {
    private ClientInfo() {}

    static ObjectNode of(Connection connection) {
        ObjectNode client = Json.object();
        Json.putTime(client, "start", connection.started());
        Json.putPresent(client, "host", connection.info().remoteHost());
        client.put("id", connection.id());
        if (connection.account() != null) {
            client.put("acc", connection.account().name());
        }
        Identity identity = connection.identity();
        Json.putPresent(client, "user", identity == null ? connection.request().user() : identity.user());
        ConnectRequest request = connection.request();
        Json.putPresent(client, "name", request.name());
        Json.putPresent(client, "lang", request.language());
        Json.putPresent(client, "ver", request.version());
        if (identity != null) {
            // A token that came without a signature opens the door by itself, so it is not shown to anybody.
            Json.putPresent(client, "jwt", request.signature() == null ? null : identity.jwt());
            Json.putPresent(client, "issuer_key", identity.issuerKey());
            putTags(client, identity);
        }
        if (connection.account() != null) {
            // The tag names the account; a user's own name stands in its token.
            client.put("name_tag", connection.account().publicName());
        }
        client.put("kind", connection.kind().text());
        client.put("client_type", connection.type().clientType());
        return client;
    }

    private static void putTags(ObjectNode client, Identity identity) {
        if (!identity.tags().isEmpty()) {
            ArrayNode tags = client.putArray("tags");
            identity.tags().forEach(tags::add);
        }
    }
}
