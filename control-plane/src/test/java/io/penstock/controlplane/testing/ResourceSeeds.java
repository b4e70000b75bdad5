package io.penstock.controlplane.testing;

import io.penstock.controlplane.testing.ApiClient.Answer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** One of each resource of an account, for tests of every operation, and bodies that create more. */
public final class ResourceSeeds {
    private ResourceSeeds() {}

    /** Adds the ids of what it makes; `ids` has the user already. */
    public static void add(Tenant owner, TestingBroker broker, Map<String, String> ids) {
        ApiClient api = owner.api();
        Answer issued =
                api.post("/v1/users/" + ids.get("user") + "/actions/issue", Map.of(), "Idempotency-Key", "seed");
        ids.put("issuance", issued.text("issuance.id"));
        ids.put("nkey", "U" + "B".repeat(55));
        api.post(owner.accountPath() + "/revocations", Map.of("public_key", ids.get("nkey")));
        ids.put("bucket", "B");
        ids.put("key", "k");
        ids.put("item", "i");
        api.post(owner.accountPath() + "/kv", Map.of("name", "B"));
        api.call("PUT", owner.accountPath() + "/kv/B/entries/k", Map.of("value", "v"), Map.of());
        api.post(owner.accountPath() + "/objects", Map.of("name", "B"));
        broker.publish(owner.account(), "$O.B.M.aQ==", "{\"name\":\"i\",\"nuid\":\"x\",\"size\":1,\"chunks\":1}");
        addSharing(owner, ids);
    }

    /** A second account that shares with the first one, and an operation of a third. */
    private static void addSharing(Tenant owner, Map<String, String> ids) {
        ApiClient api = owner.api();
        String accounts = "/v1/projects/" + owner.project() + "/accounts";
        String exporter = api.post(accounts, Map.of("name", "exporter")).text("id");
        String exports = "/v1/accounts/" + exporter + "/exports";
        ids.put("exporter", exporter);
        Await.until(
                Duration.ofSeconds(60),
                () -> api.get("/v1/accounts/" + exporter).text("public_key").startsWith("A") ? exporter : null);
        ids.put(
                "export",
                api.post(exports, Map.of("name", "shared", "subject", "shared.>", "type", "stream"))
                        .text("id"));
        Answer share = api.post(
                "/v1/exports/" + ids.get("export") + "/shares",
                Map.of("target_account_id", owner.account(), "auto_accept", false));
        ids.put("share", share.text("id"));
        api.post(exports, Map.of("name", "open", "subject", "open.>", "type", "stream", "token_required", false));
        Answer imported = api.post(
                owner.accountPath() + "/imports",
                Map.of("name", "open", "type", "stream", "subject", "open.>", "remote_account_id", exporter));
        ids.put("import", imported.text("id"));
        Answer third = api.post(accounts, Map.of("name", "third"));
        Answer gone = api.delete("/v1/accounts/" + third.text("id"), "If-Match", third.header("ETag"));
        ids.put("operation", gone.text("id"));
    }

    /** A body for the operation, empty where it needs none. */
    public static Map<String, Object> body(String operation, String name, Map<String, String> ids) {
        return switch (operation) {
            case "createKvBucket", "createObjectBucket" -> Map.of("name", name);
            case "putKvEntry" -> Map.of("value", "v");
            case "pauseConsumer" -> Map.of("pause_until", "2036-01-01T00:00:00Z");
            case "unpinConsumer" -> Map.of("group", "g");
            case "createExport" -> Map.of("name", name, "subject", name + ".>", "type", "stream");
            case "createShare" -> Map.of("target_public_key", key("A", name));
            case "createRevocation" -> Map.of("public_key", key("U", name));
            case "createImport" ->
                Map.of(
                        "name",
                        name,
                        "type",
                        "stream",
                        "subject",
                        "open.a",
                        "local_subject",
                        name,
                        "remote_account_id",
                        ids.get("exporter"));
            default -> Map.of();
        };
    }

    private static String key(String prefix, String from) {
        String letters = from.toUpperCase(Locale.ROOT).replaceAll("[^A-Z2-7]", "A");
        return (prefix + letters + "A".repeat(56)).substring(0, 56);
    }
}
