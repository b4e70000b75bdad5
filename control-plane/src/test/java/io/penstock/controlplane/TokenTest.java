package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.LogCapture;
import io.penstock.controlplane.testing.PostgresResource;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** API tokens: what opens, what does not, and that the secret is nowhere. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class TokenTest extends ApiTest {
    private Tenant tenant;
    private String machine;

    @BeforeEach
    void prepare() {
        tenant = Tenant.signedUp(base, "tokens");
        machine = tenant.api()
                .post("/v1/orgs/" + tenant.org() + "/service-accounts", Map.of("name", "ci"))
                .text("id");
        tenant.api()
                .post(
                        "/v1/orgs/" + tenant.org() + "/role-assignments",
                        Map.of("principal_id", machine, "role", "developer"));
    }

    @Test
    void tokenWorksWithoutOriginAndFormTokenAndTellsWhoItIs() {
        Answer made = make(Map.of("scopes", List.of("*")));
        ApiClient api = ApiClient.withToken(base, made.text("secret"));

        assertThat(api.get(tenant.accountPath()).status()).isEqualTo(200);
        assertThat(api.post(tenant.accountPath() + "/streams", Map.of("name", "S", "subjects", List.of("s.>")))
                        .status())
                .isEqualTo(201);
        Answer principal = api.get("/v1/principal");
        assertThat(principal.text("kind")).isEqualTo("service_account");
        assertThat(principal.text("id")).isEqualTo(machine);
        assertThat(principal.text("token.id")).isEqualTo(made.text("token.id"));
        assertThat(principal.text("organizations.0.id")).isEqualTo(tenant.org());
        assertThat(principal.text("organizations.0.role")).isEqualTo("developer");
        assertThat(tenant.api().get("/v1/principal").text("kind")).isEqualTo("user");
        Answer event = tenant.api().get("/v1/orgs/" + tenant.org() + "/audit-events?filter[action]=stream.created");
        assertThat(event.text("data.0.actor.kind")).isEqualTo("service_account");
        assertThat(event.text("data.0.actor.id")).isEqualTo(machine);
        assertThat(event.text("data.0.actor.token_id")).isEqualTo(made.text("token.id"));
    }

    @Test
    void forgedAndTruncatedAndMalformedTokensAre401() {
        String secret = make(Map.of("scopes", List.of("*"))).text("secret");
        String other = secret.replaceFirst("_.{8}(.{24})_", "_AAAAAAAA$1_");
        for (String forged :
                List.of(other, secret.substring(0, secret.length() - 1), secret.substring(4), "x", "pst_")) {
            Answer answer = ApiClient.withToken(base, forged).get(tenant.accountPath());
            assertThat(answer.status()).as(forged).isEqualTo(401);
            assertThat(answer.code()).isEqualTo("unauthenticated");
            assertThat(answer.header("WWW-Authenticate"))
                    .isEqualTo("Bearer realm=\"penstock\", error=\"invalid_token\"");
            assertThat(answer.raw().body()).doesNotContain(tenant.org());
        }
        Answer basic =
                new ApiClient(base).call("GET", tenant.accountPath(), null, Map.of("Authorization", "Basic " + secret));
        assertThat(basic.code()).isEqualTo("unauthenticated");
    }

    @Test
    void wellFormedTokenThatNobodyMadeIs401() {
        assertThat(ApiClient.withToken(base, "pst_sat_00000000000000000000000000000000_" + checksumOfZeros())
                        .get(tenant.accountPath())
                        .code())
                .isEqualTo("unauthenticated");
    }

    /** CRC-32 of `pst_sat_` and 32 zeros in base62, computed here once more. */
    private static String checksumOfZeros() {
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(("pst_sat_" + "0".repeat(32)).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        String alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        StringBuilder out = new StringBuilder();
        long rest = crc.getValue();
        for (int i = 0; i < 6; i++) {
            out.insert(0, alphabet.charAt((int) (rest % 62)));
            rest /= 62;
        }
        return out.toString();
    }

    @Test
    void expiredRevokedAndDisabledTokensAre401WithTheirReason() throws SQLException {
        Answer expired = make(Map.of("scopes", List.of("*")));
        PostgresResource.force("update api_token set expires_at = now() - interval '1 second' where id = '"
                + expired.text("token.id") + "'");
        refused(expired, 401, "token_expired");
        assertThat(tenant.api().get("/v1/tokens/" + expired.text("token.id")).text("state"))
                .isEqualTo("expired");

        Answer revoked = make(Map.of("scopes", List.of("*")));
        String path = "/v1/tokens/" + revoked.text("token.id");
        assertThat(tenant.api().delete(path).status()).isEqualTo(204);
        assertThat(tenant.api().delete(path).status()).isEqualTo(204);
        refused(revoked, 401, "token_revoked");
        assertThat(tenant.api().patch(path, Map.of("disabled", false)).code()).isEqualTo("state_conflict");

        Answer disabled = make(Map.of("scopes", List.of("*")));
        String other = "/v1/tokens/" + disabled.text("token.id");
        assertThat(tenant.api().patch(other, Map.of("disabled", true)).text("state"))
                .isEqualTo("disabled");
        refused(disabled, 401, "token_revoked");
        tenant.api().patch(other, Map.of("disabled", false));
        assertThat(with(disabled).get(tenant.accountPath()).status()).isEqualTo(200);

        tenant.api().patch("/v1/service-accounts/" + machine, Map.of("disabled", true));
        refused(disabled, 401, "token_revoked");
        tenant.api().delete("/v1/service-accounts/" + machine);
        refused(disabled, 401, "unauthenticated");
    }

    @Test
    void wrongScopeRoleProjectAndOrganisationAreRefused() {
        Answer reads = make(Map.of("scopes", List.of("*:read")));
        Answer write = with(reads).post(tenant.accountPath() + "/streams", Map.of("name", "S"));
        assertThat(write.status()).isEqualTo(403);
        assertThat(write.text("params.permission")).isEqualTo("streams:write");
        assertThat(with(reads).get(tenant.accountPath() + "/streams/S/messages").code())
                .isEqualTo("permission_denied");

        Answer all = make(Map.of("scopes", List.of("*")));
        assertThat(with(all)
                        .post("/v1/orgs/" + tenant.org() + "/projects", Map.of("name", "p"))
                        .text("params.permission"))
                .as("a developer makes no projects, whatever the scopes")
                .isEqualTo("projects:write");

        String second = tenant.api()
                .post("/v1/orgs/" + tenant.org() + "/projects", Map.of("name", "second"))
                .text("id");
        Answer confined = make(Map.of("scopes", List.of("*"), "project_ids", List.of(second)));
        assertThat(with(confined).get("/v1/projects/" + second).status()).isEqualTo(200);
        assertThat(with(confined).get(tenant.accountPath()).status()).isEqualTo(403);
        assertThat(with(confined)
                        .get("/v1/orgs/" + tenant.org() + "/projects")
                        .body()
                        .at("/data"))
                .hasSize(1);

        Tenant other = Tenant.signedUp(base, "elsewhere");
        refused(all, other.accountPath(), 404, "not_found");
        refused(all, "/v1/orgs/" + other.org(), 404, "not_found");
        assertThat(with(all).get("/v1/orgs").body().at("/data")).hasSize(1);
    }

    @Test
    void wrongAddressIs403() {
        Answer elsewhere = make(Map.of("scopes", List.of("*"), "cidrs", List.of("203.0.113.0/24", "2001:db8::/32")));
        refused(elsewhere, 403, "ip_not_allowed");
        Answer here = make(Map.of("scopes", List.of("*"), "cidrs", List.of("127.0.0.0/8", "::1")));
        assertThat(with(here).get(tenant.accountPath()).status()).isEqualTo(200);
        assertThat(make(Map.of("scopes", List.of("*"), "cidrs", List.of("10.0.0.1/8")))
                        .code())
                .isEqualTo("validation_failed");
    }

    @Test
    void cookieAndTokenTogetherAreRefused() {
        String secret = make(Map.of("scopes", List.of("*"))).text("secret");
        Answer both = new ApiClient(base)
                .call(
                        "GET",
                        tenant.accountPath(),
                        null,
                        Map.of("Authorization", "Bearer " + secret, "Cookie", "q_session=x"));
        assertThat(both.status()).isEqualTo(400);
        Answer bad = tenant.api().call("GET", tenant.accountPath(), null, Map.of("Authorization", "Bearer nonsense"));
        assertThat(bad.status())
                .as("a bad token does not fall back to the session")
                .isEqualTo(401);
    }

    @Test
    void sessionOnlyOperationsRefuseTokens() {
        ApiClient api = with(make(Map.of("scopes", List.of("*"))));
        assertThat(api.get("/v1/me").code()).isEqualTo("permission_denied");
        assertThat(api.get("/v1/me/tokens").code()).isEqualTo("permission_denied");
        assertThat(api.post("/v1/invitations/accept", Map.of("token", "a".repeat(43)))
                        .code())
                .isEqualTo("permission_denied");
    }

    @Test
    void rotationGivesANewSecretAndEndsTheOldOneAfterTheOverlap() throws SQLException {
        Answer made = make(Map.of("scopes", List.of("*"), "expires_in", "72h"));
        String id = made.text("token.id");
        Answer rotated = rotate(id, Map.of("overlap", "1h"));
        assertThat(rotated.text("secret")).isNotEqualTo(made.text("secret"));
        assertThat(rotated.text("token.previous_valid_until")).isNotEqualTo("null");
        assertThat(with(made).get(tenant.accountPath()).status()).isEqualTo(200);
        assertThat(with(rotated).get(tenant.accountPath()).status()).isEqualTo(200);

        assertThat(PostgresResource.force("update api_token_secret set valid_until = now() - interval '1 second'"
                        + " where valid_until is not null and token_id = '" + id + "'"))
                .isEqualTo(1);
        refused(made, 401, "token_revoked");
        assertThat(with(rotated).get(tenant.accountPath()).status()).isEqualTo(200);

        Answer again = rotate(id, Map.of());
        refused(rotated, 401, "token_revoked");
        assertThat(with(again).get(tenant.accountPath()).status()).isEqualTo(200);
        assertThat(rotate(id, Map.of("overlap", "100h")).code()).isEqualTo("validation_failed");
    }

    @Test
    void repeatWithTheSameKeyGivesNoSecretAgain() {
        String key = UUID.randomUUID().toString();
        Map<String, Object> body = Map.of("name", "once", "scopes", List.of("*"));
        String path = "/v1/service-accounts/" + machine + "/tokens";
        Answer first = tenant.api().post(path, body, "Idempotency-Key", key);
        Answer again = tenant.api().post(path, body, "Idempotency-Key", key);
        assertThat(first.text("secret")).startsWith("pst_sat_");
        assertThat(again.body().path("secret").isNull()).isTrue();
        assertThat(again.text("code")).isEqualTo("secret_already_delivered");
        assertThat(again.text("token.id")).isEqualTo(first.text("token.id"));
        assertThat(tenant.api().post(path, body).code()).isEqualTo("idempotency_key_required");
    }

    @Test
    void nobodyMakesATokenThatMayMoreThanThemselves() {
        tenant.api()
                .post(
                        "/v1/orgs/" + tenant.org() + "/role-assignments",
                        Map.of("principal_id", machine, "role", "owner"));
        ApiClient admin = tenant.join(base, "admin", null);
        String path = "/v1/service-accounts/" + machine + "/tokens";
        Map<String, Object> all = Map.of("name", "up", "scopes", List.of("*"));
        assertThat(admin.post(path, all, "Idempotency-Key", "k1").code()).isEqualTo("permission_denied");
        Answer less =
                admin.post(path, Map.of("name", "ok", "scopes", List.of("streams:read")), "Idempotency-Key", "k2");
        assertThat(less.status()).isEqualTo(201);
        String token = "/v1/tokens/" + less.text("token.id");
        assertThat(admin.patch(token, Map.of("scopes", List.of("*"))).code()).isEqualTo("permission_denied");
        String strong = make(Map.of("scopes", List.of("*"))).text("token.id");
        assertThat(admin.post("/v1/tokens/" + strong + "/actions/rotate", Map.of(), "Idempotency-Key", "k3")
                        .code())
                .as("a new secret would be the owner's power in the admin's hand")
                .isEqualTo("permission_denied");
        String narrow = tenant.token("admin", "service_accounts:write", "service_accounts:read");
        assertThat(ApiClient.withToken(base, narrow)
                        .post(path, all, "Idempotency-Key", "k4")
                        .code())
                .isEqualTo("permission_denied");
    }

    @Test
    void personalTokenIsItsOwnerAndEndsWithTheMembership() {
        ApiClient member = tenant.join(base, "viewer", null);
        String id = member.get("/v1/me").text("user.id");
        Map<String, Object> body = Map.of("organization_id", tenant.org(), "name", "laptop", "scopes", List.of("*"));
        Answer made = member.post("/v1/me/tokens", body, "Idempotency-Key", "p1");
        assertThat(made.text("secret")).startsWith("pst_pat_");
        assertThat(with(made).get("/v1/principal").text("id")).isEqualTo(id);
        assertThat(with(made).get(tenant.accountPath()).status()).isEqualTo(200);
        assertThat(with(made)
                        .post(tenant.accountPath() + "/streams", Map.of("name", "S"))
                        .status())
                .isEqualTo(403);
        String shared = "/v1/tokens/" + made.text("token.id");
        assertThat(tenant.api()
                        .post(shared + "/actions/rotate", Map.of(), "Idempotency-Key", "p2")
                        .code())
                .isEqualTo("permission_denied");
        assertThat(tenant.api().get("/v1/me/tokens/" + made.text("token.id")).status())
                .isEqualTo(404);
        Answer own = member.get("/v1/orgs");
        assertThat(own.body().at("/data")).hasSize(2);
        for (JsonNode organization : own.body().at("/data")) {
            String other = organization.path("id").asText();
            if (!other.equals(tenant.org())) {
                refused(made, "/v1/orgs/" + other, 404, "not_found");
            }
        }
        assertThat(with(made).get("/v1/orgs").body().at("/data"))
                .as("one organisation")
                .hasSize(1);

        assertThat(tenant.api()
                        .delete("/v1/orgs/" + tenant.org() + "/members/" + id)
                        .status())
                .isEqualTo(204);
        refused(made, 401, "token_revoked");
        assertThat(member.get(tenant.accountPath()).status()).isEqualTo(404);
    }

    @Test
    void useIsNotedOnceAMinute() {
        Answer made = make(Map.of("scopes", List.of("*")));
        String path = "/v1/tokens/" + made.text("token.id");
        assertThat(tenant.api().get(path).body().path("last_used_at").isNull()).isTrue();
        with(made).get(tenant.accountPath());
        Answer first = tenant.api().get(path);
        assertThat(first.text("last_used_ip")).isEqualTo("127.0.0.1");
        with(made).get(tenant.accountPath());
        Answer second = tenant.api().get(path);
        assertThat(second.text("last_used_at")).isEqualTo(first.text("last_used_at"));
        assertThat(second.text("etag")).as("use is no change").isEqualTo(made.text("token.etag"));
    }

    @Test
    void secretIsInNoLogNoAuditEventAndNoDump() throws SQLException {
        List<String> secrets = new ArrayList<>();
        try (LogCapture log = LogCapture.everything()) {
            Answer made = make(Map.of("scopes", List.of("*")));
            secrets.add(made.text("secret"));
            with(made).get(tenant.accountPath());
            with(made).post(tenant.accountPath() + "/streams", "{");
            with(made).get("/v1/me");
            Answer rotated = rotate(made.text("token.id"), Map.of("overlap", "1h"));
            secrets.add(rotated.text("secret"));
            secrets.add(tenant.api()
                    .post(
                            "/v1/me/tokens",
                            Map.of("organization_id", tenant.org(), "name", "l", "scopes", List.of("*")),
                            "Idempotency-Key",
                            "x")
                    .text("secret"));
            secrets.add(made.text("secret").substring(0, 44) + "x");
            ApiClient.withToken(base, secrets.getLast()).get(tenant.accountPath());
            tenant.api().delete("/v1/tokens/" + made.text("token.id"));
            with(made).get(tenant.accountPath());
            Await.until(Duration.ofSeconds(60), () -> log.text().isEmpty() ? null : log);
            assertThat(secrets).allSatisfy(secret -> assertThat(log.text()).doesNotContain(random(secret)));
        }
        String dump = PostgresResource.dump();
        assertThat(dump).contains("token.rotated").contains(tenant.org());
        assertThat(secrets).allSatisfy(secret -> assertThat(dump).doesNotContain(random(secret)));
        String events = tenant.api()
                .get("/v1/orgs/" + tenant.org() + "/audit-events")
                .raw()
                .body();
        assertThat(secrets).allSatisfy(secret -> assertThat(events).doesNotContain(random(secret)));
    }

    /** The part that nobody shows: all but the prefix. */
    private static String random(String secret) {
        return secret.substring(12, 40);
    }

    private Answer make(Map<String, Object> wish) {
        Map<String, Object> body = new HashMap<>(wish);
        body.put("name", "t-" + UUID.randomUUID().toString().substring(0, 8));
        return tenant.api()
                .post(
                        "/v1/service-accounts/" + machine + "/tokens",
                        body,
                        "Idempotency-Key",
                        UUID.randomUUID().toString());
    }

    private Answer rotate(String id, Map<String, Object> wish) {
        return tenant.api()
                .post(
                        "/v1/tokens/" + id + "/actions/rotate",
                        wish,
                        "Idempotency-Key",
                        UUID.randomUUID().toString());
    }

    private ApiClient with(Answer made) {
        return ApiClient.withToken(base, made.text("secret"));
    }

    private void refused(Answer made, int status, String code) {
        refused(made, tenant.accountPath(), status, code);
    }

    private void refused(Answer made, String path, int status, String code) {
        Answer answer = with(made).get(path);
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.raw().body()).doesNotContain(random(made.text("secret")));
    }
}
