package io.penstock.broker.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The INFO of a route: what a node says of itself, or in gossip of another one.
 *
 * @param host where its route listener is to be dialled
 * @param gossip {@code nats-route://host:port/} when this speaks of a third node, else empty
 * @param dynamicCluster whether the cluster's name was not chosen by anybody
 * @param clientUrls {@code host:port} of its client listeners
 * @param webSocketUrls {@code host:port} of its WebSocket listeners
 * @param poolSize shared connections it wants
 * @param poolIndex which connection this one is to be, -1 when that is not said
 * @param accounts accounts it wants a connection of their own for
 * @param lameDuck whether clients should go elsewhere
 */
public record RouteInfo(
        NodeDescription node,
        String host,
        int port,
        String gossip,
        boolean dynamicCluster,
        boolean authRequired,
        boolean tlsRequired,
        int maxPayload,
        List<String> clientUrls,
        List<String> webSocketUrls,
        int poolSize,
        int poolIndex,
        Set<String> accounts,
        CompressionMode compression,
        boolean lameDuck) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Level of the protocol between nodes. */
    private static final int LEVEL = 2;

    public RouteInfo {
        clientUrls = List.copyOf(clientUrls);
        webSocketUrls = List.copyOf(webSocketUrls);
        accounts = Set.copyOf(accounts);
    }

    /** The same, for one connection. */
    public RouteInfo withIndex(int index) {
        return new RouteInfo(
                node,
                host,
                port,
                gossip,
                dynamicCluster,
                authRequired,
                tlsRequired,
                maxPayload,
                clientUrls,
                webSocketUrls,
                poolSize,
                index,
                accounts,
                compression,
                lameDuck);
    }

    /** The same, told to others. */
    public RouteInfo asGossip(RouteAddress address) {
        return new RouteInfo(
                node,
                address.host(),
                address.port(),
                "nats-route://" + address.hostPort() + "/",
                dynamicCluster,
                authRequired,
                tlsRequired,
                maxPayload,
                List.of(),
                List.of(),
                poolSize,
                -1,
                accounts,
                compression,
                lameDuck);
    }

    /** The line that says it. */
    public byte[] line() {
        ObjectNode json = JSON.createObjectNode();
        json.put("server_id", node.serverId());
        json.put("server_name", node.name());
        json.put("version", node.version());
        json.put("proto", LEVEL);
        json.put("host", host);
        json.put("port", port);
        flag(json, "auth_required", authRequired);
        flag(json, "tls_required", tlsRequired);
        flag(json, "tls_verify", tlsRequired);
        json.put("headers", true);
        json.put("max_payload", maxPayload);
        flag(json, "jetstream", node.jetStream());
        text(json, "cluster", node.cluster());
        flag(json, "cluster_dynamic", dynamicCluster);
        text(json, "domain", node.domain());
        text(json, "ip", gossip);
        list(json, "connect_urls", clientUrls);
        list(json, "ws_connect_urls", webSocketUrls);
        flag(json, "ldm", lameDuck);
        json.put("compression", compression.text());
        json.put("route_pool_size", poolSize);
        if (poolIndex >= 0) {
            json.put("route_pool_idx", poolIndex);
        }
        list(json, "route_accounts", new TreeSet<>(accounts));
        list(json, "tags", node.tags());
        if (!node.metadata().isEmpty()) {
            ObjectNode metadata = json.putObject("metadata");
            new TreeMap<>(node.metadata()).forEach(metadata::put);
        }
        if (node.peerPort() > 0) {
            text(json, "peer_host", node.peerHost());
            json.put("peer_port", node.peerPort());
        }
        return ("INFO " + json + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void flag(ObjectNode json, String name, boolean value) {
        if (value) {
            json.put(name, true);
        }
    }

    private static void text(ObjectNode json, String name, String value) {
        if (value != null && !value.isEmpty()) {
            json.put(name, value);
        }
    }

    private static void list(ObjectNode json, String name, Iterable<String> values) {
        ArrayNode array = JSON.createArrayNode();
        values.forEach(array::add);
        if (!array.isEmpty()) {
            json.set(name, array);
        }
    }

    /** @throws IOException when it is no JSON object or says not who speaks */
    public static RouteInfo read(byte[] bytes, int offset, int length) throws IOException {
        JsonNode json = JSON.readTree(bytes, offset, length);
        if (json == null || !json.isObject()) {
            throw new IOException("INFO is not followed by a JSON object");
        }
        String id = json.path("server_id").asText("");
        if (id.isEmpty()) {
            throw new IOException("INFO names no server_id");
        }
        Map<String, String> metadata = new LinkedHashMap<>();
        json.path("metadata")
                .properties()
                .forEach(e -> metadata.put(e.getKey(), e.getValue().asText()));
        NodeDescription node = new NodeDescription(
                json.path("server_name").asText(id),
                id,
                json.path("cluster").asText(""),
                json.path("version").asText(""),
                texts(json.path("tags")),
                metadata,
                json.path("jetstream").asBoolean(),
                json.path("peer_host").asText(""),
                json.path("peer_port").asInt(),
                json.path("domain").asText(""));
        return new RouteInfo(
                node,
                json.path("host").asText(""),
                json.path("port").asInt(),
                json.path("ip").asText(""),
                json.path("cluster_dynamic").asBoolean(),
                json.path("auth_required").asBoolean(),
                json.path("tls_required").asBoolean(),
                json.path("max_payload").asInt(),
                texts(json.path("connect_urls")),
                texts(json.path("ws_connect_urls")),
                Math.max(1, json.path("route_pool_size").asInt(1)),
                json.path("route_pool_idx").asInt(-1),
                Set.copyOf(texts(json.path("route_accounts"))),
                CompressionMode.of(json.path("compression").asText("")),
                json.path("ldm").asBoolean());
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(one -> texts.add(one.asText()));
        return texts.stream().distinct().toList();
    }
}
