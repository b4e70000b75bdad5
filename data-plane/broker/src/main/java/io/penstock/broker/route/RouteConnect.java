package io.penstock.broker.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The CONNECT of a node that dials another.
 *
 * @param user null for none
 * @param client whether it is that of a client who came to the wrong port
 */
public record RouteConnect(
        String serverId, String cluster, boolean dynamicCluster, String user, String password, boolean client) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The line that says it. */
    public byte[] line(boolean tls) {
        ObjectNode json = JSON.createObjectNode();
        json.put("echo", true);
        json.put("verbose", false);
        json.put("pedantic", false);
        if (user != null) {
            json.put("user", user);
            json.put("pass", password == null ? "" : password);
        }
        json.put("tls_required", tls);
        json.put("name", serverId);
        json.put("headers", true);
        json.put("cluster", cluster);
        if (dynamicCluster) {
            json.put("cluster_dynamic", true);
        }
        return ("CONNECT " + json + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IOException when it is no JSON object */
    public static RouteConnect read(byte[] bytes, int offset, int length) throws IOException {
        JsonNode json = JSON.readTree(bytes, offset, length);
        if (json == null || !json.isObject()) {
            throw new IOException("CONNECT is not followed by a JSON object");
        }
        return new RouteConnect(
                json.path("name").asText(""),
                json.path("cluster").asText(""),
                json.path("cluster_dynamic").asBoolean(),
                json.hasNonNull("user") ? json.get("user").asText() : null,
                json.hasNonNull("pass") ? json.get("pass").asText() : null,
                !json.path("lang").asText("").isEmpty());
    }
}
