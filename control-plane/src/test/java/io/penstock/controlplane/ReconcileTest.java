package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.accountservice.AccountService.LedgerEntry;
import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingAccountService;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was asked for arrives at account-service, however often that fails meanwhile. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class ReconcileTest extends ApiTest {
    private final TestingAccountService accountService = bean(TestingAccountService.class);

    @AfterEach
    void up() {
        accountService.down(false);
    }

    @Test
    void setUpWaitsForAccountServiceAndGoesOnByItself() {
        accountService.down(true);
        String sub = UUID.randomUUID().toString();
        ApiClient api = new ApiClient(base).signIn(sub, sub + "@wait.test");
        JsonNode failed = Await.until(Duration.ofSeconds(60), () -> {
            JsonNode now = api.get("/v1/me").body().at("/onboarding/bootstrap");
            return "failed".equals(now.path("state").asText()) ? now : null;
        });
        assertThat(failed.at("/steps/3/state").asText()).isEqualTo("succeeded");
        assertThat(failed.at("/steps/4/state").asText()).isEqualTo("failed");
        assertThat(failed.path("account_id").asText()).startsWith("acct_");

        accountService.down(false);
        JsonNode ready = Await.until(Duration.ofSeconds(60), () -> {
            JsonNode now = api.get("/v1/me").body().at("/onboarding/bootstrap");
            return "ready".equals(now.path("state").asText()) ? now : null;
        });
        assertThat(ready.path("account_id")).isEqualTo(failed.path("account_id"));
        assertThat(api.get("/v1/orgs").body().path("data")).hasSize(1);
    }

    @Test
    void changedTemplateReachesAccountServiceWithSysClosed() {
        Tenant tenant = Tenant.signedUp(base, "template");
        String path = "/v1/signing-key-groups/" + tenant.group();
        Answer before = tenant.api().get(path);
        Answer changed = tenant.api()
                .patch(
                        path,
                        Map.of("template", Map.of("publish", Map.of("allow", List.of("orders.>")))),
                        "If-Match",
                        before.header("ETag"));
        assertThat(changed.text("sync.desired_generation")).isEqualTo("2");

        Await.until(Duration.ofSeconds(60), () -> {
            Answer now = tenant.api().get(path);
            return "synced".equals(now.text("sync.state")) ? now : null;
        });
        JsonNode template = accountService.group(tenant.group()).template();
        assertThat(template.at("/publish/allow/0").asText()).isEqualTo("orders.>");
        assertThat(template.at("/publish/deny").toString()).contains("$SYS.REQ.CLAIMS.>");
        assertThat(template.at("/subscribe/deny").toString()).contains("$SYS.>");
    }

    @Test
    void revokeTakesBackWhatWasIssued() {
        Tenant tenant = Tenant.signedUp(base, "revoke");
        Answer made =
                tenant.api().post(tenant.accountPath() + "/credentials", Map.of("name", "app"), "Idempotency-Key", "k");
        String user = made.text("user.id");

        Answer revoked = tenant.api().post("/v1/users/" + user + "/actions/revoke", Map.of("reason", "lost laptop"));

        assertThat(revoked.text("state")).isEqualTo("revoked");
        assertThat(accountService.revoked()).contains(made.text("issuance.user_public_key"));
        assertThat(tenant.api().get("/v1/users/" + user + "/issuances").text("data.0.state"))
                .isEqualTo("revoked");
        Answer again = tenant.api().post("/v1/users/" + user + "/actions/issue", Map.of(), "Idempotency-Key", "k2");
        assertThat(again.status()).isEqualTo(201);
        assertThat(tenant.api().get("/v1/users/" + user).text("state")).isEqualTo("active");
    }

    @Test
    void issuesToOneUserAtTheSameMomentAllSucceed() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "atonce");
        Answer user = tenant.api().post(tenant.accountPath() + "/users", Map.of("name", "app"));
        String issue = "/v1/users/" + user.text("id") + "/actions/issue";

        List<Callable<Integer>> calls = IntStream.range(0, 16)
                .<Callable<Integer>>mapToObj(i -> () -> tenant.api()
                        .post(issue, Map.of(), "Idempotency-Key", "k" + i)
                        .status())
                .toList();
        try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
            for (Future<Integer> answer : clients.invokeAll(calls)) {
                assertThat(answer.get()).isEqualTo(201);
            }
        }
    }

    @Test
    void failedIssueIsShownAndCanBeRepeatedWithTheSameKey() {
        Tenant tenant = Tenant.signedUp(base, "failing");
        Answer user = tenant.api().post(tenant.accountPath() + "/users", Map.of("name", "app"));
        String issue = "/v1/users/" + user.text("id") + "/actions/issue";
        accountService.down(true);
        assertThat(tenant.api().post(issue, Map.of(), "Idempotency-Key", "k").status())
                .isGreaterThanOrEqualTo(500);
        accountService.down(false);
        assertThat(tenant.api().post(issue, Map.of(), "Idempotency-Key", "k").status())
                .isEqualTo(201);
        List<String> states = tenant.api()
                .get("/v1/users/" + user.text("id") + "/issuances")
                .body()
                .path("data")
                .findValuesAsText("state");
        assertThat(states).containsExactly("active", "failed");
    }

    @Test
    void checklistTurnsGreenByFacts() {
        Tenant tenant = Tenant.signedUp(base, "checklist");
        String path = tenant.accountPath() + "/onboarding";
        assertThat(tenant.api().get(path).body().findValuesAsText("done")).containsOnly("false");

        Answer made =
                tenant.api().post(tenant.accountPath() + "/credentials", Map.of("name", "app"), "Idempotency-Key", "k");
        tenant.api().post(tenant.accountPath() + "/streams", Map.of("name", "S"));
        Instant first = Instant.parse("2026-11-30T09:41:52Z");
        accountService.connected(
                tenant.account(),
                new LedgerEntry(made.text("issuance.id"), first, first, "go", "1.55.0", "203.0.113.7"));

        JsonNode now = Await.until(Duration.ofSeconds(60), () -> {
            JsonNode body = tenant.api().get(path).body();
            return body.at("/connected/done").asBoolean() ? body : null;
        });
        assertThat(now.at("/connected/client_lang").asText()).isEqualTo("go");
        assertThat(now.at("/connected/user_name").asText()).isEqualTo("app");
        assertThat(now.at("/credential_created/done").asBoolean()).isTrue();
        assertThat(now.at("/stream_created/done").asBoolean()).isTrue();
        assertThat(now.at("/published/done").asBoolean()).isFalse();
        assertThat(tenant.api()
                        .post(path + "/dismiss", null)
                        .body()
                        .path("dismissed")
                        .asBoolean())
                .isTrue();
    }
}
