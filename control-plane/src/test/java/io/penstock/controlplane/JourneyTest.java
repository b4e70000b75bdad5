package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingBroker;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(QuickProfile.class)
class JourneyTest extends ApiTest {
    private final TestingBroker broker = bean(TestingBroker.class);

    @Test
    void firstSignInSetsUpOrganisationProjectAccountAndGroup() {
        Tenant tenant = Tenant.signedUp(base, "ines");

        JsonNode me = tenant.api().get("/v1/me").body();
        assertThat(me.at("/organizations/0/role").asText()).isEqualTo("owner");
        assertThat(me.at("/onboarding/bootstrap/steps")).hasSize(5);
        JsonNode account = tenant.api().get(tenant.accountPath()).body();
        assertThat(account.at("/sync/state").asText()).isEqualTo("synced");
        assertThat(account.path("public_key").asText()).startsWith("A");
        JsonNode group =
                tenant.api().get("/v1/signing-key-groups/" + tenant.group()).body();
        assertThat(group.path("name").asText()).isEqualTo("default");
    }

    @Test
    void credentialIsGivenOnceAndNeverAgain() {
        Tenant tenant = Tenant.signedUp(base, "cred");
        String path = tenant.accountPath() + "/credentials";
        Map<String, String> body = Map.of("name", "first-app", "ttl", "24h");

        assertThat(tenant.api().post(path, body).code()).isEqualTo("idempotency_key_required");
        Answer first = tenant.api().post(path, body, "Idempotency-Key", "k1");
        Answer replay = tenant.api().post(path, body, "Idempotency-Key", "k1");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text("creds")).contains("SEED");
        assertThat(replay.status()).isEqualTo(201);
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.body().path("creds").isNull()).isTrue();
        assertThat(replay.text("code")).isEqualTo("secret_already_delivered");
        assertThat(tenant.api()
                        .post(path, Map.of("name", "other"), "Idempotency-Key", "k1")
                        .code())
                .isEqualTo("idempotency_key_reused");
        assertThat(tenant.api().get(tenant.accountPath() + "/issuances").text("data.0.state"))
                .isEqualTo("active");
    }

    @Test
    void ownKeyGetsOnlyAJwt() {
        Tenant tenant = Tenant.signedUp(base, "nkey");
        String key = "U" + "A".repeat(55);

        Answer made = tenant.api()
                .post(
                        tenant.accountPath() + "/credentials",
                        Map.of("name", "own", "public_key", key),
                        "Idempotency-Key",
                        "k");

        assertThat(made.status()).isEqualTo(201);
        assertThat(made.body().path("creds").isNull()).isTrue();
        assertThat(made.text("jwt")).isNotEmpty();
        assertThat(made.text("issuance.user_public_key")).isEqualTo(key);
    }

    @Test
    void streamIsCreatedShownChangedBrowsedPurgedAndDeleted() {
        Tenant tenant = Tenant.signedUp(base, "stream");
        String streams = tenant.accountPath() + "/streams";
        Map<String, Object> orders =
                Map.of("name", "ORDERS", "subjects", List.of("orders.>"), "max_age", "720h", "duplicate_window", "2m");

        Answer dry = tenant.api().post(streams + "?dry_run=true", orders);
        assertThat(dry.status()).isEqualTo(200);
        assertThat(tenant.api().get(streams).body().path("data")).isEmpty();

        Answer made = tenant.api().post(streams, orders);
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("max_age")).isEqualTo("720h");
        assertThat(made.text("a_field_of_tomorrow")).isEqualTo("kept");
        assertThat(tenant.api().post(streams, orders).code()).isEqualTo("already_exists");
        assertThat(tenant.api()
                        .post(streams, Map.of("name", "OTHER", "subjects", List.of("orders.eu")))
                        .code())
                .isEqualTo("subject_overlap");

        String path = streams + "/ORDERS";
        assertThat(tenant.api().patch(path, Map.of("max_msgs", 10)).code()).isEqualTo("precondition_required");
        assertThat(tenant.api()
                        .patch(path, Map.of("max_msgs", 10), "If-Match", "\"old\"")
                        .code())
                .isEqualTo("version_mismatch");
        assertThat(tenant.api()
                        .patch(path, Map.of("storage", "memory"), "If-Match", made.header("ETag"))
                        .code())
                .isEqualTo("immutable_field");
        Answer changed = tenant.api().patch(path, Map.of("max_msgs", 10), "If-Match", made.header("ETag"));
        assertThat(changed.text("max_msgs")).isEqualTo("10");
        assertThat(changed.text("a_field_of_tomorrow")).isEqualTo("kept");
        assertThat(changed.header("ETag")).isNotEqualTo(made.header("ETag"));

        for (int i = 1; i <= 25; i++) {
            broker.publish(tenant.account(), i % 5 == 0 ? "orders.us" : "orders.eu", "order " + i);
        }
        JsonNode latest = tenant.api().get(path + "/messages?last=3").body();
        assertThat(latest.path("data").findValuesAsText("seq")).containsExactly("25", "24", "23");
        assertThat(latest.at("/data/0/payload/data").asText()).isEqualTo("order 25");
        assertThat(latest.at("/data/0/headers/X-Test/1").asText()).isEqualTo("two");
        JsonNode us =
                tenant.api().get(path + "/messages?last=3&subject=orders.us").body();
        assertThat(us.path("data").findValuesAsText("seq")).containsExactly("25", "20", "15");
        JsonNode forward = tenant.api().get(path + "/messages?start_seq=24").body();
        assertThat(forward.path("data").findValuesAsText("seq")).containsExactly("24", "25");
        assertThat(tenant.api().get(path + "/messages/7").text("payload.data")).isEqualTo("order 7");
        assertThat(tenant.api().get(path + "/subjects").body().path("data")).hasSize(2);
        assertThat(tenant.api().delete(path + "/messages/7").status()).isEqualTo(204);
        assertThat(tenant.api().get(path + "/messages/7").status()).isEqualTo(404);

        assertThat(tenant.api()
                        .post(path + "/actions/purge?dry_run=true", Map.of("subject", "orders.us"))
                        .text("would_purge.messages"))
                .isEqualTo("5");
        assertThat(tenant.api()
                        .post(path + "/actions/purge", Map.of("subject", "orders.us"))
                        .text("purged"))
                .isEqualTo("5");
        Answer impact = tenant.api().delete(path + "?dry_run=true", "If-Match", changed.header("ETag"));
        assertThat(impact.text("affected.messages")).isEqualTo("19");
        assertThat(tenant.api().delete(path, "If-Match", changed.header("ETag")).status())
                .isEqualTo(204);
        assertThat(tenant.api().get(path).code()).isEqualTo("deleted_recoverable");

        List<String> actions = tenant.api()
                .get("/v1/orgs/" + tenant.org() + "/audit-events")
                .body()
                .path("data")
                .findValuesAsText("action");
        assertThat(actions).containsSubsequence("stream.deleted", "stream.purged", "stream.updated", "stream.created");
    }

    @Test
    void consumerIsCreatedChangedAndDeleted() {
        Tenant tenant = Tenant.signedUp(base, "consumer");
        tenant.api().post(tenant.accountPath() + "/streams", Map.of("name", "S"));
        String consumers = tenant.accountPath() + "/streams/S/consumers";

        Answer made = tenant.api()
                .post(
                        consumers,
                        Map.of("name", "worker", "ack_wait", "30s", "backoff", List.of("1s", "5s"), "max_deliver", 3));
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("durable_name")).isEqualTo("worker");
        assertThat(made.text("ack_policy")).isEqualTo("explicit");
        assertThat(made.body().at("/backoff/1").asText()).isEqualTo("5s");
        String path = consumers + "/worker";
        Answer changed = tenant.api().patch(path, Map.of("ack_wait", "1m"), "If-Match", made.header("ETag"));
        assertThat(changed.text("ack_wait")).isEqualTo("1m");
        assertThat(tenant.api().get(consumers).body().path("data")).hasSize(1);
        assertThat(tenant.api().delete(path, "If-Match", changed.header("ETag")).status())
                .isEqualTo(204);
        assertThat(tenant.api().get(path).status()).isEqualTo(404);
    }
}
