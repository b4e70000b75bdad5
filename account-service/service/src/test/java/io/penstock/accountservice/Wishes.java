package io.penstock.accountservice;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bodies as the control plane sends them. */
final class Wishes {
    private Wishes() {}

    static Map<String, Object> account(long generation, String name, String state) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("generation", generation);
        body.put("name", name);
        body.put(
                "limits",
                Map.of(
                        "connections", 100,
                        "leaf_nodes", 0,
                        "subscriptions", -1,
                        "payload_bytes", 1048576,
                        "imports", 10,
                        "exports", 10,
                        "wildcard_exports", true,
                        "bearer_tokens_allowed", false,
                        "jetstream",
                                Map.of(
                                        "memory_bytes", 0,
                                        "storage_bytes", 1073741824,
                                        "streams", 10,
                                        "consumers", 100,
                                        "max_ack_pending", 1000,
                                        "memory_max_stream_bytes", -1,
                                        "storage_max_stream_bytes", -1,
                                        "max_bytes_required", false)));
        body.put("tags", List.of("plan:free"));
        body.put("state", state);
        return body;
    }

    static Map<String, Object> group(String role, List<String> publish, List<String> subscribe) {
        return Map.of(
                "role",
                role,
                "description",
                "test group",
                "template",
                Map.of(
                        "publish", Map.of("allow", publish, "deny", List.of()),
                        "subscribe", Map.of("allow", subscribe, "deny", List.of()),
                        "subscriptions", -1,
                        "data", -1,
                        "payload_bytes", -1));
    }

    static Map<String, Object> issue(String issuanceId, String name, String publicKey) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("user_id", "user_" + name);
        body.put("issuance_id", issuanceId);
        body.put("name", name);
        if (publicKey != null) {
            body.put("public_key", publicKey);
        }
        body.put("tags", List.of("team:red"));
        body.put("ttl_seconds", 3600);
        body.put("channel", "console");
        body.put("issued_by", "user_1");
        return body;
    }
}
