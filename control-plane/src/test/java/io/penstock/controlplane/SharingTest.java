package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingAccountService;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Exports, shares, offers and imports, within an organisation and between two. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class SharingTest extends ApiTest {
    private final TestingAccountService accountService = bean(TestingAccountService.class);

    @Test
    void offerToAnotherOrganisationIsAcceptedImportedAndTakenBack() {
        Tenant exporter = Tenant.signedUp(base, "exporter");
        Tenant importer = Tenant.signedUp(base, "importer");
        Answer export = exporter.api()
                .post(
                        exporter.accountPath() + "/exports",
                        Map.of("name", "orders", "subject", "orders.>", "type", "stream"));
        assertThat(export.status()).as(String.valueOf(export.body())).isEqualTo(201);
        String shares = "/v1/exports/" + export.text("id") + "/shares";
        Answer share = exporter.api().post(shares, Map.of("target_public_key", key(importer)));
        assertThat(share.text("state")).isEqualTo("offered");
        assertThat(share.body().path("target_account_id").isNull()).isTrue();
        assertThat(exporter.api()
                        .post(shares, Map.of("target_public_key", key(importer)))
                        .code())
                .isEqualTo("already_exists");

        JsonNode offer =
                importer.api().get(importer.accountPath() + "/offers").body().at("/data/0");
        assertThat(offer.path("subject").asText()).isEqualTo("orders.>");
        assertThat(offer.path("exporter_account_id").isNull()).isTrue();
        assertThat(offer.toString()).doesNotContain(exporter.org()).doesNotContain(exporter.account());
        Answer imported = importer.api()
                .post(
                        importer.accountPath() + "/imports",
                        Map.of(
                                "name",
                                "orders",
                                "type",
                                "stream",
                                "share_id",
                                share.text("id"),
                                "local_subject",
                                "in.>"));
        assertThat(imported.status()).as(String.valueOf(imported.body())).isEqualTo(201);
        assertThat(imported.text("state")).isEqualTo("active");
        assertThat(imported.text("activation")).isEqualTo("share");
        assertThat(imported.text("subject")).isEqualTo("orders.>");
        Answer accepted = exporter.api().get("/v1/shares/" + share.text("id"));
        assertThat(accepted.text("state")).isEqualTo("accepted");
        assertThat(accepted.body().toString()).doesNotContain(importer.org()).doesNotContain(importer.account());
        JsonNode claim = until(importer, 1).get(0);
        assertThat(claim.path("token").asText()).contains(key(importer));
        assertThat(claim.path("account_public_key").asText()).isEqualTo(key(exporter));

        Answer impact = exporter.api()
                .delete("/v1/shares/" + share.text("id") + "?dry_run=true", "If-Match", accepted.header("ETag"));
        assertThat(impact.text("affected.shares")).isEqualTo("1");
        assertThat(exporter.api().get("/v1/shares/" + share.text("id")).status())
                .isEqualTo(200);
        assertThat(exporter.api()
                        .delete("/v1/shares/" + share.text("id"), "If-Match", accepted.header("ETag"))
                        .status())
                .isEqualTo(204);
        assertThat(importer.api().get("/v1/imports/" + imported.text("id")).text("state"))
                .isEqualTo("revoked");
        assertThat(importer.api().get(importer.accountPath() + "/offers").body().path("data"))
                .isEmpty();
        until(importer, 0);
        Await.until(
                Duration.ofSeconds(60),
                () -> accountService
                                .account(exporter.account())
                                .exports()
                                .at("/0/revocations")
                                .has(key(importer))
                        ? exporter
                        : null);
    }

    @Test
    void shareWithinTheOrganisationIsAcceptedByItselfAndFoundBySubject() {
        Tenant tenant = Tenant.signedUp(base, "inside");
        String other = secondAccount(tenant);
        Answer export = tenant.api()
                .post(
                        "/v1/accounts/" + other + "/exports",
                        Map.of("name", "svc", "subject", "svc.*", "type", "service"));
        assertThat(export.text("response_type")).isEqualTo("singleton");
        Map<String, Object> wish =
                new HashMap<>(Map.of("name", "svc", "type", "service", "subject", "svc.a", "remote_account_id", other));
        String imports = tenant.accountPath() + "/imports";
        assertThat(tenant.api().post(imports, wish).code()).isEqualTo("validation_failed");

        Answer share = tenant.api()
                .post("/v1/exports/" + export.text("id") + "/shares", Map.of("target_account_id", tenant.account()));
        assertThat(share.text("state")).isEqualTo("accepted");
        Answer dry = tenant.api().post(imports + "?dry_run=true", wish);
        assertThat(dry.status()).as(String.valueOf(dry.body())).isEqualTo(200);
        assertThat(tenant.api().get(imports).body().path("data")).isEmpty();
        Answer imported = tenant.api().post(imports, wish);
        assertThat(imported.text("share_id")).isEqualTo(share.text("id"));
        assertThat(imported.text("remote_account_id")).isEqualTo(other);

        wish.put("name", "again");
        assertThat(tenant.api().post(imports, wish).code()).isEqualTo("subject_overlap");
        wish.put("subject", "other.a");
        assertThat(tenant.api().post(imports, wish).code()).isEqualTo("validation_failed");
        Answer gone = tenant.api()
                .delete(
                        "/v1/exports/" + export.text("id"),
                        "If-Match",
                        tenant.api().get("/v1/exports/" + export.text("id")).header("ETag"));
        assertThat(gone.status()).isEqualTo(204);
        assertThat(tenant.api().get("/v1/imports/" + imported.text("id")).text("state"))
                .isEqualTo("broken");
    }

    @Test
    void circlesAreRefused() {
        Tenant tenant = Tenant.signedUp(base, "circle");
        String other = secondAccount(tenant);
        String key = key(tenant);
        assertThat(tenant.api()
                        .post(
                                tenant.accountPath() + "/imports",
                                Map.of("name", "self", "type", "stream", "subject", "a", "remote_public_key", key))
                        .code())
                .isEqualTo("cyclic_import");
        for (String account : List.of(tenant.account(), other)) {
            Map<String, Object> export =
                    Map.of("name", "loop", "subject", "loop.>", "type", "stream", "token_required", false);
            assertThat(tenant.api()
                            .post("/v1/accounts/" + account + "/exports", export)
                            .status())
                    .isEqualTo(201);
        }
        Map<String, Object> there =
                Map.of("name", "loop", "type", "stream", "subject", "loop.>", "remote_account_id", tenant.account());
        assertThat(tenant.api()
                        .post("/v1/accounts/" + other + "/imports", there)
                        .status())
                .isEqualTo(201);
        Map<String, Object> back =
                Map.of("name", "loop", "type", "stream", "subject", "loop.>", "remote_account_id", other);
        assertThat(tenant.api().post(tenant.accountPath() + "/imports", back).code())
                .isEqualTo("cyclic_import");
    }

    @Test
    void declinedOfferStopsItsImportsAndChangesOfTheSubjectReachTheShare() {
        Tenant exporter = Tenant.signedUp(base, "moves");
        Tenant importer = Tenant.signedUp(base, "declines");
        Answer export = exporter.api()
                .post(exporter.accountPath() + "/exports", Map.of("name", "e", "subject", "one.>", "type", "stream"));
        Answer share = exporter.api()
                .post("/v1/exports/" + export.text("id") + "/shares", Map.of("target_public_key", key(importer)));
        String offer = importer.accountPath() + "/offers/" + share.text("id");
        assertThat(importer.api().post(offer + "/actions/accept", Map.of()).text("state"))
                .isEqualTo("accepted");
        Answer imported = importer.api()
                .post(
                        importer.accountPath() + "/imports",
                        Map.of("name", "e", "type", "stream", "share_id", share.text("id")));
        until(importer, 1);
        Answer moved = exporter.api()
                .patch(
                        "/v1/exports/" + export.text("id"),
                        Map.of("subject", "two.>"),
                        "If-Match",
                        exporter.api().get("/v1/exports/" + export.text("id")).header("ETag"));
        assertThat(moved.status()).as(String.valueOf(moved.body())).isEqualTo(200);
        Await.until(
                Duration.ofSeconds(60),
                () -> importer.api().get(offer).text("subject").equals("two.>") ? offer : null);

        Answer declined = importer.api().post(offer + "/actions/decline", Map.of());
        assertThat(declined.text("state")).isEqualTo("declined");
        assertThat(importer.api().get("/v1/imports/" + imported.text("id")).text("state"))
                .isEqualTo("pending");
        until(importer, 0);
        assertThat(exporter.api().get("/v1/shares/" + share.text("id")).text("state"))
                .isEqualTo("declined");
    }

    @Test
    void nobodyButTheTargetSeesOrDecidesAnOffer() {
        Tenant exporter = Tenant.signedUp(base, "offers");
        Tenant importer = Tenant.signedUp(base, "target");
        Tenant third = Tenant.signedUp(base, "third");
        Answer export = exporter.api()
                .post(exporter.accountPath() + "/exports", Map.of("name", "e", "subject", "e.>", "type", "stream"));
        Answer share = exporter.api()
                .post("/v1/exports/" + export.text("id") + "/shares", Map.of("target_public_key", key(importer)));
        String id = share.text("id");
        assertThat(third.api().get(third.accountPath() + "/offers/" + id).status())
                .isEqualTo(404);
        assertThat(third.api()
                        .post(third.accountPath() + "/offers/" + id + "/actions/accept", Map.of())
                        .status())
                .isEqualTo(404);
        assertThat(third.api()
                        .post(third.accountPath() + "/imports", Map.of("name", "e", "type", "stream", "share_id", id))
                        .code())
                .isEqualTo("validation_failed");
        assertThat(third.api().get(third.accountPath() + "/offers").body().path("data"))
                .isEmpty();
        assertThat(exporter.api().get(exporter.accountPath() + "/offers/" + id).status())
                .isEqualTo(404);
        assertThat(importer.api().get("/v1/shares/" + id).status()).isEqualTo(404);
        assertThat(importer.api().delete("/v1/shares/" + id, "If-Match", "*").status())
                .isEqualTo(404);
        assertThat(importer.api().get("/v1/exports/" + export.text("id")).status())
                .isEqualTo(404);
    }

    private JsonNode until(Tenant tenant, int imports) {
        return Await.until(Duration.ofSeconds(60), () -> {
            JsonNode now = accountService.account(tenant.account()).imports();
            return now.size() == imports ? now : null;
        });
    }

    private static String key(Tenant tenant) {
        return tenant.api().get(tenant.accountPath()).text("public_key");
    }

    private static String secondAccount(Tenant tenant) {
        String id = tenant.api()
                .post("/v1/projects/" + tenant.project() + "/accounts", Map.of("name", "second"))
                .text("id");
        Await.until(
                Duration.ofSeconds(60),
                () -> tenant.api().get("/v1/accounts/" + id).text("public_key").startsWith("A") ? id : null);
        return id;
    }
}
