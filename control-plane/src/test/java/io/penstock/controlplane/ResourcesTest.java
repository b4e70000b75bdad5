package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingAccountService;
import io.penstock.controlplane.testing.TestingBroker;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings of accounts and users, buckets, dry runs, and deletions that can be taken back. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class ResourcesTest extends ApiTest {
    private final TestingBroker broker = bean(TestingBroker.class);
    private final TestingAccountService accountService = bean(TestingAccountService.class);

    @Test
    void limitsMappingsAndPermissionsReachTheBrokerAndNothingInUseIsCutOff() {
        Tenant tenant = Tenant.signedUp(base, "limits");
        for (String name : List.of("A", "B")) {
            tenant.api().post(tenant.accountPath() + "/streams", Map.of("name", name, "subjects", List.of(name)));
        }
        String etag = tenant.api().get(tenant.accountPath()).header("ETag");
        Map<String, Object> below = Map.of("limits", Map.of("jetstream", Map.of("streams", 1)));
        Answer refused = tenant.api().patch(tenant.accountPath() + "?dry_run=true", below, "If-Match", etag);
        assertThat(refused.code()).isEqualTo("limit_below_usage");
        assertThat(refused.text("params.in_use")).isEqualTo("2");
        assertThat(tenant.api()
                        .patch(tenant.accountPath(), Map.of("limits", Map.of("connections", 1)), "If-Match", etag)
                        .code())
                .isEqualTo("limit_below_usage");

        Map<String, Object> settings = Map.of(
                "limits", Map.of("tiers", Map.of("R1", Map.of("streams", 7))),
                "default_permissions", Map.of("publish", Map.of("allow", List.of("a.>"))),
                "mappings",
                        List.of(Map.of(
                                "subject",
                                "old.*",
                                "destinations",
                                List.of(Map.of("subject", "new.$1", "weight", 40)))));
        Answer dry = tenant.api().patch(tenant.accountPath() + "?dry_run=true", settings, "If-Match", etag);
        assertThat(dry.body().path("changes").findValuesAsText("field"))
                .containsExactly("default_permissions", "limits", "mappings");
        assertThat(tenant.api().get(tenant.accountPath()).header("ETag")).isEqualTo(etag);
        Answer changed = tenant.api().patch(tenant.accountPath(), settings, "If-Match", etag);
        assertThat(changed.status()).as(String.valueOf(changed.body())).isEqualTo(200);
        assertThat(changed.body().at("/limits/jetstream").isNull()).isTrue();
        assertThat(changed.text("limits.tiers.R1.streams")).isEqualTo("7");
        Await.until(
                Duration.ofSeconds(60),
                () -> accountService.account(tenant.account()).mappings().has("old.*") ? tenant : null);
        JsonNode sent = accountService.account(tenant.account()).defaultPermissions();
        assertThat(sent.at("/publish/allow/0").asText()).isEqualTo("a.>");
        assertThat(sent.at("/subscribe/deny/0").asText()).isEqualTo("$SYS.>");

        Map<String, Object> reset = new HashMap<>();
        reset.put("mappings", null);
        assertThat(tenant.api()
                        .patch(tenant.accountPath(), reset, "If-Match", changed.header("ETag"))
                        .body()
                        .path("mappings"))
                .isEmpty();
    }

    @Test
    void badSettingsAreRefusedFieldByField() {
        Tenant tenant = Tenant.signedUp(base, "bad");
        Map<String, Object> over = Map.of(
                "mappings",
                List.of(Map.of(
                        "subject",
                        "a",
                        "destinations",
                        List.of(Map.of("subject", "b", "weight", 60), Map.of("subject", "c", "weight", 60)))));
        assertThat(tenant.api().patch(tenant.accountPath(), over).code()).isEqualTo("validation_failed");
        Map<String, Object> both = Map.of("limits", Map.of("jetstream", Map.of(), "tiers", Map.of("R1", Map.of())));
        assertThat(tenant.api().patch(tenant.accountPath(), both).code()).isEqualTo("validation_failed");
        Map<String, Object> system = Map.of(
                "mappings", List.of(Map.of("subject", "$SYS.>", "destinations", List.of(Map.of("subject", "b")))));
        assertThat(tenant.api().patch(tenant.accountPath(), system).code()).isEqualTo("validation_failed");
    }

    @Test
    void deletedAccountIsClosedHiddenAndRestored() {
        Tenant tenant = Tenant.signedUp(base, "trash");
        String accounts = "/v1/projects/" + tenant.project() + "/accounts";
        Answer made = tenant.api().post(accounts, Map.of("name", "gone", "deletion_protection", true));
        String path = "/v1/accounts/" + made.text("id");
        assertThat(tenant.api().delete(path, "If-Match", made.header("ETag")).code())
                .isEqualTo("deletion_protected");
        Answer open = tenant.api().patch(path, Map.of("deletion_protection", false), "If-Match", made.header("ETag"));
        Answer dry = tenant.api().delete(path + "?dry_run=true", "If-Match", open.header("ETag"));
        assertThat(dry.text("affected.streams")).isEqualTo("0");
        assertThat(dry.text("restorable_until")).isNotEmpty();
        Answer gone = tenant.api().delete(path, "If-Match", open.header("ETag"));
        assertThat(gone.status()).isEqualTo(202);
        Await.until(
                Duration.ofSeconds(60),
                () -> tenant.api()
                                .get("/v1/operations/" + gone.text("id"))
                                .text("state")
                                .equals("succeeded")
                        ? gone
                        : null);
        assertThat(accountService.account(made.text("id")).state()).isEqualTo("suspended");
        assertThat(tenant.api().get(path).code()).isEqualTo("deleted_recoverable");
        assertThat(tenant.api().delete(path, "If-Match", "*").code()).isEqualTo("deleted_recoverable");
        assertThat(tenant.api().get(accounts).body().path("data").findValuesAsText("name"))
                .doesNotContain("gone");
        assertThat(tenant.api().get(accounts + "?filter[state]=deleted").text("data.0.name"))
                .isEqualTo("gone");

        Answer second = tenant.api().post(accounts, Map.of("name", "gone"));
        assertThat(second.status()).isEqualTo(201);
        assertThat(tenant.api().post(path + "/actions/restore", Map.of()).code())
                .isEqualTo("already_exists");
        tenant.api().patch("/v1/accounts/" + second.text("id"), Map.of("name", "other"), "If-Match", "*");
        assertThat(tenant.api().post(path + "/actions/restore", Map.of()).status())
                .isEqualTo(202);
        assertThat(tenant.api().get(path).text("state")).isEqualTo("active");
        assertThat(tenant.api().post(path + "/actions/restore", Map.of()).code())
                .isEqualTo("state_conflict");
    }

    @Test
    void projectOfDeletedAccountsGoesAndComesBackWithOneOfThem() {
        Tenant tenant = Tenant.signedUp(base, "project");
        Answer project = tenant.api()
                .post("/v1/orgs/" + tenant.org() + "/projects", Map.of("name", "p", "environment", "production"));
        String path = "/v1/projects/" + project.text("id");
        Answer account = tenant.api().post(path + "/accounts", Map.of("name", "a"));
        assertThat(account.body().path("deletion_protection").asBoolean()).isTrue();
        assertThat(tenant.api().delete(path).code()).isEqualTo("has_dependents");
        String accountPath = "/v1/accounts/" + account.text("id");
        tenant.api().patch(accountPath, Map.of("deletion_protection", false));
        tenant.api().delete(accountPath, "If-Match", "*");
        assertThat(tenant.api().delete(path).status()).isEqualTo(204);
        assertThat(tenant.api().get(path).status()).isEqualTo(404);
        assertThat(tenant.api().post(accountPath + "/actions/restore", Map.of()).status())
                .isEqualTo(202);
        assertThat(tenant.api().get(path).text("name")).isEqualTo("p");
    }

    @Test
    void deletedStreamKeepsItsMessagesAndIsGivenBack() {
        Tenant tenant = Tenant.signedUp(base, "restore");
        String streams = tenant.accountPath() + "/streams";
        Map<String, Object> wish =
                Map.of("name", "ORDERS", "subjects", List.of("orders.>"), "max_age", "1h", "deletion_protection", true);
        Answer made = tenant.api().post(streams, wish);
        String path = streams + "/ORDERS";
        broker.publish(tenant.account(), "orders.one", "first");
        tenant.api().post(path + "/consumers", Map.of("name", "worker"));
        assertThat(tenant.api().delete(path, "If-Match", made.header("ETag")).code())
                .isEqualTo("deletion_protected");
        assertThat(tenant.api().post(path + "/actions/purge", Map.of()).code()).isEqualTo("deletion_protected");
        Answer open = tenant.api().patch(path, Map.of("deletion_protection", false), "If-Match", made.header("ETag"));
        assertThat(open.header("ETag")).isNotEqualTo(made.header("ETag"));
        Answer dry = tenant.api().delete(path + "?dry_run=true", "If-Match", open.header("ETag"));
        assertThat(dry.text("restorable_until")).isNotEmpty();
        assertThat(tenant.api().delete(path, "If-Match", open.header("ETag")).status())
                .isEqualTo(204);
        assertThat(tenant.api().get(path).code()).isEqualTo("deleted_recoverable");
        assertThat(tenant.api().get(path + "/messages").code()).isEqualTo("deleted_recoverable");
        assertThat(tenant.api().get(path + "/consumers").code()).isEqualTo("deleted_recoverable");
        assertThat(tenant.api().get(streams).body().path("data")).isEmpty();
        assertThat(tenant.api().get(tenant.accountPath() + "/deleted-streams").text("data.0.messages"))
                .isEqualTo("1");
        assertThat(tenant.api().post(streams, wish).text("params.recoverable")).isEqualTo("true");
        Answer taken = tenant.api().post(streams, Map.of("name", "NEXT", "subjects", List.of("orders.>")));
        assertThat(taken.status()).isEqualTo(201);
        assertThat(tenant.api()
                        .post(path + "/actions/restore?dry_run=true", Map.of())
                        .code())
                .isEqualTo("subject_overlap");
        tenant.api().delete(streams + "/NEXT", "If-Match", taken.header("ETag"));

        Answer back = tenant.api().post(path + "/actions/restore", Map.of());
        assertThat(back.status()).as(String.valueOf(back.body())).isEqualTo(200);
        assertThat(back.text("subjects.0")).isEqualTo("orders.>");
        assertThat(back.text("max_age")).isEqualTo("1h");
        assertThat(back.text("state.messages")).isEqualTo("1");
        assertThat(tenant.api()
                        .get(path + "/consumers/worker")
                        .body()
                        .path("paused")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void emptyStreamIsDeletedForGoodAndADeletedOneCanBeReplaced() {
        Tenant tenant = Tenant.signedUp(base, "final");
        String streams = tenant.accountPath() + "/streams";
        Map<String, Object> wish = Map.of("name", "S", "subjects", List.of("s"));
        Answer empty = tenant.api().post(streams, wish);
        assertThat(tenant.api()
                        .delete(streams + "/S?dry_run=true", "If-Match", empty.header("ETag"))
                        .body()
                        .path("restorable_until")
                        .isNull())
                .isTrue();
        tenant.api().delete(streams + "/S", "If-Match", empty.header("ETag"));
        assertThat(tenant.api().get(streams + "/S").code()).isEqualTo("not_found");
        Answer full = tenant.api().post(streams, wish);
        broker.publish(tenant.account(), "s", "kept");
        tenant.api().delete(streams + "/S", "If-Match", full.header("ETag"));
        Answer replaced = tenant.api().post(streams + "?replace_deleted=true", wish);
        assertThat(replaced.status()).as(String.valueOf(replaced.body())).isEqualTo(201);
        assertThat(replaced.text("state.messages")).isEqualTo("0");
        assertThat(tenant.api().get(streams + "/S").status()).isEqualTo(200);
        broker.publish(tenant.account(), "s", "again");
        tenant.api().delete(streams + "/S", "If-Match", "*");
        assertThat(tenant.api()
                        .delete(streams + "/S?permanent=true", "If-Match", "*")
                        .status())
                .isEqualTo(204);
        assertThat(tenant.api().get(streams + "/S").code()).isEqualTo("not_found");
    }

    @Test
    void bucketIsMadeTheWayClientsMakeItAndChangedInPlace() {
        Tenant tenant = Tenant.signedUp(base, "kv");
        String buckets = tenant.accountPath() + "/kv";
        Answer made =
                tenant.api().post(buckets, Map.of("name", "conf", "history", 5, "ttl", "1h", "compression", true));
        assertThat(made.status()).as(String.valueOf(made.body())).isEqualTo(201);
        JsonNode stream =
                tenant.api().get(tenant.accountPath() + "/streams/KV_conf").body();
        assertThat(stream.at("/subjects/0").asText()).isEqualTo("$KV.conf.>");
        assertThat(stream.path("max_msgs_per_subject").asInt()).isEqualTo(5);
        assertThat(stream.path("discard").asText()).isEqualTo("new");
        assertThat(stream.path("deny_delete").asBoolean()).isTrue();
        assertThat(stream.path("allow_rollup_hdrs").asBoolean()).isTrue();
        assertThat(stream.path("max_age").asText()).isEqualTo("1h");
        Answer changed = tenant.api()
                .patch(buckets + "/conf", Map.of("history", 9, "ttl", "0s"), "If-Match", made.header("ETag"));
        assertThat(changed.text("history")).isEqualTo("9");
        assertThat(changed.text("ttl")).isEqualTo("0s");
        assertThat(changed.body().path("compression").asBoolean()).isTrue();
        assertThat(tenant.api()
                        .patch(buckets + "/conf", Map.of("storage", "memory"), "If-Match", "*")
                        .code())
                .isEqualTo("immutable_field");
        assertThat(tenant.api()
                        .post(buckets, Map.of("name", "x", "history", 65))
                        .code())
                .isEqualTo("validation_failed");
        assertThat(tenant.api().post(buckets, Map.of("name", "conf")).code()).isEqualTo("already_exists");
    }

    @Test
    void entriesKeepToTheirRevisions() {
        Tenant tenant = Tenant.signedUp(base, "entries");
        tenant.api().post(tenant.accountPath() + "/kv", Map.of("name", "b"));
        String entries = tenant.accountPath() + "/kv/b/entries";
        ApiClient api = tenant.api();
        Answer first = put(api, entries + "/a.b%2Fc", Map.of("value", "eins", "create_only", true));
        assertThat(first.status()).as(String.valueOf(first.body())).isEqualTo(200);
        assertThat(first.text("key")).isEqualTo("a.b/c");
        assertThat(put(api, entries + "/a.b%2Fc", Map.of("value", "zwei", "create_only", true))
                        .code())
                .isEqualTo("already_exists");
        assertThat(put(api, entries + "/a.b%2Fc", Map.of("value", "zwei", "expected_revision", "99"))
                        .code())
                .isEqualTo("version_mismatch");
        Answer second =
                put(api, entries + "/a.b%2Fc", Map.of("value", "zwei", "expected_revision", first.text("revision")));
        assertThat(second.text("value")).isEqualTo("zwei");
        assertThat(api.get(entries + "/a.b%2Fc?revision=" + first.text("revision"))
                        .text("value"))
                .isEqualTo("eins");
        Answer binary = put(api, entries + "/bin", Map.of("value", "//79", "encoding", "base64"));
        assertThat(binary.text("encoding")).isEqualTo("base64");
        assertThat(api.get(entries).body().path("data").findValuesAsText("key")).containsExactly("a.b/c", "bin");
        assertThat(api.delete(entries + "/bin", "If-Match", "\"r1\"").code()).isEqualTo("version_mismatch");
        assertThat(api.delete(entries + "/bin", "If-Match", binary.header("ETag"))
                        .status())
                .isEqualTo(204);
        assertThat(api.get(entries + "/bin").status()).isEqualTo(404);
        assertThat(api.get(entries).body().path("data")).hasSize(1);
        assertThat(put(api, entries + "/bin", Map.of("value", "new", "create_only", true))
                        .status())
                .isEqualTo(200);
        assertThat(put(api, entries + "/bad..key", Map.of("value", "x")).status())
                .isEqualTo(404);
    }

    @Test
    void disabledUserLosesItsJwtsAndGetsThemBackAndADeletedOneDoesNot() {
        Tenant tenant = Tenant.signedUp(base, "users");
        Answer user = tenant.api()
                .post(
                        tenant.accountPath() + "/users",
                        Map.of("name", "app", "jwt_ttl", "2h", "tags", List.of("team:red")));
        String path = "/v1/users/" + user.text("id");
        Answer issued = tenant.api().post(path + "/actions/issue", Map.of(), "Idempotency-Key", "i1");
        String key = issued.text("issuance.user_public_key");
        Answer disabled = tenant.api()
                .patch(
                        path,
                        Map.of("disabled", true),
                        "If-Match",
                        tenant.api().get(path).header("ETag"));
        assertThat(disabled.text("state")).isEqualTo("disabled");
        String revocation = tenant.accountPath() + "/revocations/" + key;
        assertThat(tenant.api().get(revocation).status()).isEqualTo(200);
        assertThat(tenant.api()
                        .post(path + "/actions/issue", Map.of(), "Idempotency-Key", "i2")
                        .code())
                .isEqualTo("state_conflict");
        Answer enabled = tenant.api().patch(path, Map.of("disabled", false), "If-Match", disabled.header("ETag"));
        assertThat(enabled.text("state")).isEqualTo("active");
        assertThat(tenant.api().get(revocation).status()).isEqualTo(404);

        assertThat(tenant.api().delete(path + "?dry_run=true", "If-Match", "*").text("affected.credentials"))
                .isEqualTo("1");
        assertThat(tenant.api().delete(path, "If-Match", "*").status()).isEqualTo(204);
        assertThat(tenant.api().get(path).status()).isEqualTo(404);
        assertThat(tenant.api()
                        .get("/v1/issuances/" + issued.text("issuance.id"))
                        .text("state"))
                .isEqualTo("revoked");
        assertThat(tenant.api().delete(revocation).code()).isEqualTo("state_conflict");
        assertThat(tenant.api()
                        .post(tenant.accountPath() + "/users", Map.of("name", "app"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void rotationKeepsTheOldJwtForTheOverlapAndAnIssueKeyIssuesOnce() {
        Tenant tenant = Tenant.signedUp(base, "rotate");
        String path = "/v1/users/"
                + tenant.api()
                        .post(tenant.accountPath() + "/users", Map.of("name", "app"))
                        .text("id");
        Map<String, Object> once = Map.of("issue_key", "v1");
        Answer first = tenant.api().post(path + "/actions/issue", once, "Idempotency-Key", "a");
        Answer again = tenant.api().post(path + "/actions/issue", once, "Idempotency-Key", "b");
        assertThat(again.text("issuance.id")).isEqualTo(first.text("issuance.id"));
        assertThat(again.body().path("creds").isNull()).isTrue();
        assertThat(again.text("code")).isEqualTo("secret_already_delivered");

        String old = "/v1/issuances/" + first.text("issuance.id");
        Answer rotated = tenant.api().post(path + "/actions/rotate", Map.of("overlap", "6s"), "Idempotency-Key", "c");
        assertThat(rotated.text("creds")).contains("SEED");
        assertThat(tenant.api().get(old).text("state")).isEqualTo("active");
        assertThat(tenant.api().get(old).text("revoke_at")).isNotEmpty();
        Await.until(
                Duration.ofSeconds(60),
                () -> tenant.api().get(old).text("state").equals("revoked") ? old : null);
        String next = "/v1/issuances/" + rotated.text("issuance.id");
        assertThat(tenant.api().get(next).text("state")).isEqualTo("active");
        tenant.api().post(path + "/actions/rotate", Map.of(), "Idempotency-Key", "d");
        assertThat(tenant.api().get(next).text("state")).isEqualTo("revoked");
    }

    @Test
    void pauseTakesEffectThroughPatchAndActions() {
        Tenant tenant = Tenant.signedUp(base, "pause");
        String streams = tenant.accountPath() + "/streams";
        tenant.api().post(streams, Map.of("name", "S", "subjects", List.of("s")));
        Answer made = tenant.api().post(streams + "/S/consumers", Map.of("name", "c"));
        String path = streams + "/S/consumers/c";
        Answer paused = tenant.api()
                .patch(path, Map.of("pause_until", "2036-01-01T00:00:00Z"), "If-Match", made.header("ETag"));
        assertThat(paused.body().path("paused").asBoolean()).isTrue();
        assertThat(tenant.api()
                        .post(path + "/actions/resume", Map.of())
                        .body()
                        .path("paused")
                        .asBoolean())
                .isFalse();
        assertThat(tenant.api()
                        .post(path + "/actions/pause", Map.of("pause_until", "2036-01-01T00:00:00Z"))
                        .body()
                        .path("paused")
                        .asBoolean())
                .isTrue();
    }

    private static Answer put(ApiClient api, String path, Object body) {
        return api.call("PUT", path, body, Map.of());
    }
}
