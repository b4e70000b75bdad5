package io.penstock.accountservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.accountservice.TestingControlPlane.Answer;
import io.penstock.claims.ActivationClaims;
import io.penstock.claims.CredentialsFile;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.OperatorClaims;
import io.penstock.claims.UserClaims;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the internal API, with a real PostgreSQL and no node. */
@QuarkusTest
@QuarkusTestResource(TestingEnvironment.class)
class InternalApiTest {
    /** A seed as it is written: two letters for its kind, then the key; shorter texts come up in tokens by chance. */
    private static final Pattern SEED = Pattern.compile("\\bS[NCOAUX][A-Z2-7]{56}\\b");

    private final TestingControlPlane controlPlane = new TestingControlPlane(TestingEnvironment.statementSecret());
    private String account;

    @BeforeEach
    void createAccount() {
        account = "acc_" + UUID.randomUUID().toString().replace("-", "");
        assertThat(controlPlane
                        .put("/accounts/" + account, Wishes.account(1, "acme", "active"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void theFirstStartMakesAnOperatorWithThreeSigningKeysAndPublicFilesOnly() throws Exception {
        Answer answer = controlPlane.get("/operator");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("signing_keys")).hasSize(3);
        OperatorClaims operator = JwtDecoder.decodeOperator(answer.text("operator_jwt"));
        assertThat(operator.strictSigningKeyUsage()).isTrue();
        assertThat(operator.subject()).isEqualTo(answer.text("operator_public_key"));
        assertThat(operator.maySignAccounts(operator.subject())).isFalse();
        String system = answer.body().path("system_account").path("public_key").asText();
        assertThat(operator.systemAccount()).isEqualTo(system);
        assertThat(operator.maySignAccounts(JwtDecoder.decodeAccount(
                                answer.body().path("system_account").path("jwt").asText())
                        .issuer()))
                .isTrue();
        String conf = Files.readString(TestingEnvironment.bootstrapDir().resolve("operator.conf"));
        assertThat(conf)
                .contains("operator: ", "system_account: " + system, "resolver_preload")
                .doesNotContainPattern(SEED);
    }

    @Test
    void anAccountIsIdempotentByIdAndGeneration() {
        Answer again = controlPlane.put("/accounts/" + account, Wishes.account(1, "acme", "active"));
        assertThat(again.status()).isEqualTo(200);
        Answer changed = controlPlane.put("/accounts/" + account, Wishes.account(3, "acme 2", "active"));
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body().path("desired_generation").asLong()).isEqualTo(3);
        assertThat(changed.text("public_key")).isEqualTo(again.text("public_key"));

        Answer older = controlPlane.put("/accounts/" + account, Wishes.account(2, "acme", "active"));
        assertThat(older.status()).isEqualTo(409);
        assertThat(older.text("code")).isEqualTo("version_mismatch");
        Answer other = controlPlane.put("/accounts/" + account, Wishes.account(3, "different", "active"));
        assertThat(other.text("code")).isEqualTo("version_mismatch");
    }

    @Test
    void withoutANodeAnAccountSaysThatItIsNotSynced() {
        Answer answer = controlPlane.get("/accounts/" + account);
        assertThat(answer.text("sync_state")).isIn("syncing", "failed");
        assertThat(answer.body().path("observed_generation").asLong()).isZero();
        assertThat(answer.body().path("signing_key_groups")).isEmpty();
    }

    @Test
    void refusesUnknownFieldsBadIdsAndBrokenRules() {
        Map<String, Object> unknown = new HashMap<>(Wishes.account(1, "a", "active"));
        unknown.put("org_id", "x");
        assertThat(controlPlane.put("/accounts/acc_x", unknown).status()).isEqualTo(400);
        assertThat(controlPlane
                        .put("/accounts/a.b", Wishes.account(1, "a", "active"))
                        .status())
                .isEqualTo(422);
        assertThat(controlPlane
                        .put("/accounts/system", Wishes.account(1, "a", "active"))
                        .status())
                .isEqualTo(422);
        assertThat(controlPlane
                        .put("/accounts/acc_y", Wishes.account(0, "a", "active"))
                        .status())
                .isEqualTo(422);
        assertThat(controlPlane
                        .put("/accounts/acc_y", Wishes.account(1, "a", "deleted"))
                        .status())
                .isEqualTo(422);
        Answer badSubject = controlPlane.put(groupPath("g"), Wishes.group("g", List.of("a..b"), List.of()));
        assertThat(badSubject.status()).isEqualTo(422);
        assertThat(badSubject.text("detail")).contains("a..b");
        assertThat(controlPlane.get("/accounts/" + account).body().path("signing_key_groups"))
                .isEmpty();
    }

    @Test
    void issuesAUserWithAGeneratedKeyOnce() throws Exception {
        group("worker");
        String issuance = id();
        Answer issued = controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(issuance, "w1", null));
        assertThat(issued.status()).isEqualTo(201);
        CredentialsFile file = CredentialsFile.parse(issued.text("creds").getBytes(StandardCharsets.US_ASCII));
        UserClaims user = JwtDecoder.decodeUser(file.jwt());
        assertThat(user.limits().isEmpty()).isTrue();
        assertThat(user.tags()).containsExactly("team:red");
        assertThat(user.registered().expiresAt() - user.registered().issuedAt()).isEqualTo(3600);
        assertThat(user.account())
                .isEqualTo(controlPlane.get("/accounts/" + account).text("public_key"));
        try (NKeyPair pair = NKeyPair.fromSeed(file.seed())) {
            assertThat(pair.publicKey())
                    .isEqualTo(issued.text("user_public_key"))
                    .isEqualTo(user.subject());
        }

        Answer again = controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(issuance, "w1", null));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("code")).isEqualTo("secret_already_delivered");
        assertThat(again.text("user_public_key")).isEqualTo(user.subject());
        assertThat(again.body().has("creds")).isFalse();

        Answer entry = controlPlane.get("/issuances/" + issuance);
        assertThat(entry.text("state")).isEqualTo("active");
        assertThat(entry.text("jti")).isEqualTo(user.registered().id());
        Answer list = controlPlane.get("/accounts/" + account + "/issuances?user_id=user_w1");
        assertThat(list.body().path("data")).hasSize(1);
    }

    @Test
    void issuesOnlyATokenForAKeyOfTheUsersOwn() {
        group("worker");
        try (NKeyPair own = NKeyPair.generate(KeyType.USER, new SecureRandom())) {
            Answer issued =
                    controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(id(), "w1", own.publicKey()));
            assertThat(issued.status()).isEqualTo(201);
            assertThat(issued.text("user_public_key")).isEqualTo(own.publicKey());
            assertThat(issued.body().path("creds").isNull()).isTrue();
        }
        Answer wrongKind = controlPlane.post(
                groupPath("worker") + "/issue",
                Wishes.issue(
                        id(), "w1", controlPlane.get("/accounts/" + account).text("public_key")));
        assertThat(wrongKind.status()).isEqualTo(422);
    }

    @Test
    void everyTokenExpiresWithinTheLimit() {
        group("worker");
        for (Object ttl : new Object[] {0, -1, 400L * 24 * 3600}) {
            Map<String, Object> body = new HashMap<>(Wishes.issue(id(), "w1", null));
            body.put("ttl_seconds", ttl);
            assertThat(controlPlane.post(groupPath("worker") + "/issue", body).status())
                    .isEqualTo(422);
        }
    }

    @Test
    void theGroupOfAnotherAccountIsNotFound() {
        group("worker");
        String other = "acc_" + id();
        controlPlane.put("/accounts/" + other, Wishes.account(1, "other", "active"));
        Answer issued = controlPlane.post(
                "/accounts/" + other + "/signing-key-groups/worker/issue", Wishes.issue(id(), "w1", null));
        assertThat(issued.status()).isEqualTo(404);
        assertThat(controlPlane
                        .get("/accounts/" + other + "/signing-key-groups/worker")
                        .status())
                .isEqualTo(404);
        String taken = id();
        controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(taken, "w1", null));
        controlPlane.put(
                "/accounts/" + other + "/signing-key-groups/worker", Wishes.group("worker", List.of(), List.of()));
        Answer foreign = controlPlane.post(
                "/accounts/" + other + "/signing-key-groups/worker/issue", Wishes.issue(taken, "w1", null));
        assertThat(foreign.text("code")).isEqualTo("issuance_id_taken");
        assertThat(foreign.body().has("user_public_key")).isFalse();
    }

    @Test
    void theServicesOwnGroupIsNotTheTenants() {
        String management = groupPath("penstock-management");
        assertThat(controlPlane.get(management).status()).isEqualTo(404);
        assertThat(controlPlane
                        .post(management + "/issue", Wishes.issue(id(), "w1", null))
                        .status())
                .isEqualTo(404);
        assertThat(controlPlane
                        .put(management, Wishes.group("x", List.of(), List.of()))
                        .status())
                .isEqualTo(422);
        assertThat(controlPlane.delete(management).status()).isEqualTo(404);
    }

    @Test
    void rotationKeepsThePreviousKeyAsLongAsAsked() {
        String first = group("worker").text("public_key");
        Answer kept = controlPlane.post(groupPath("worker") + "/actions/rotate", Map.of("keep_previous_seconds", 3600));
        assertThat(kept.status()).isEqualTo(200);
        assertThat(kept.body().path("version").asInt()).isEqualTo(2);
        assertThat(kept.text("public_key")).isNotEqualTo(first);
        assertThat(kept.body().path("versions").path(0).path("state").asText()).isEqualTo("retiring");

        Answer dropped = controlPlane.post(groupPath("worker") + "/actions/rotate", Map.of("keep_previous_seconds", 0));
        assertThat(dropped.body().path("versions").findValuesAsText("state"))
                .containsExactly("removed", "removed", "active");
    }

    @Test
    void aTokenAfterARevocationIsLaterThanIt() {
        group("worker");
        try (NKeyPair own = NKeyPair.generate(KeyType.USER, new SecureRandom())) {
            for (int round = 0; round < 3; round++) {
                long issuedAt = issuedAt(own);
                Answer revoked = controlPlane.post(
                        "/accounts/" + account + "/revocations",
                        Map.of("user_public_key", own.publicKey(), "reason", "test"));
                assertThat(revoked.status()).isEqualTo(201);
                assertThat(revoked.body().path("revoked_at").asLong()).isGreaterThanOrEqualTo(issuedAt);
                assertThat(issuedAt(own))
                        .isGreaterThan(revoked.body().path("revoked_at").asLong());
            }
        }
    }

    @Test
    void aRevocationShowsInTheLedgerAndCanBeLifted() {
        group("worker");
        String issuance = id();
        Answer issued = controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(issuance, "w1", null));
        String revocations = "/accounts/" + account + "/revocations";
        controlPlane.post(revocations, Map.of("user_public_key", "*", "reason", "leak"));
        assertThat(controlPlane.get("/issuances/" + issuance).text("state")).isEqualTo("revoked");
        assertThat(controlPlane.get("/accounts/" + account).body().path("revocations"))
                .hasSize(1);
        assertThat(controlPlane.delete(revocations + "/*").status()).isEqualTo(200);
        assertThat(controlPlane.get("/issuances/" + issuance).text("state")).isEqualTo("active");
        assertThat(controlPlane
                        .delete(revocations + "/" + issued.text("user_public_key"))
                        .status())
                .isEqualTo(404);
        assertThat(controlPlane
                        .post(revocations, Map.of("user_public_key", "nobody"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aSuspendedAccountIssuesNothingButTheControlPlaneStillGetsIn() {
        group("worker");
        controlPlane.put("/accounts/" + account, Wishes.account(2, "acme", "suspended"));
        Answer refused = controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(id(), "w1", null));
        assertThat(refused.text("code")).isEqualTo("account_suspended");
        Answer management = controlPlane.post(
                "/accounts/" + account + "/management-credential", Map.of("ttl_seconds", 60, "purpose", "test"));
        assertThat(management.status()).isEqualTo(201);
        assertThat(management.text("seed")).startsWith("SU");
        Answer tooLong = controlPlane.post(
                "/accounts/" + account + "/management-credential", Map.of("ttl_seconds", 601, "purpose", "test"));
        assertThat(tooLong.status()).isEqualTo(422);
    }

    @Test
    void aRemovedGroupIssuesNothing() {
        group("worker");
        assertThat(controlPlane.delete(groupPath("worker")).text("state")).isEqualTo("removed");
        Answer refused = controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(id(), "w1", null));
        assertThat(refused.text("code")).isEqualTo("group_removed");
        assertThat(TestingEnvironment.keystoreDir().resolve(account).resolve("worker.1"))
                .doesNotExist();
    }

    @Test
    void issuingIsLimitedPerAccount() {
        group("worker");
        Answer last = null;
        for (int i = 0; i < 40; i++) {
            last = controlPlane.post(
                    "/accounts/" + account + "/management-credential", Map.of("ttl_seconds", 60, "purpose", "test"));
            if (last.status() == 429) {
                break;
            }
        }
        assertThat(last).isNotNull();
        assertThat(last.text("code")).isEqualTo("rate_limited");
        assertThat(last.body().path("retry_after").asLong()).isPositive();
    }

    @Test
    void unknownThingsAreNotFoundAsProblems() {
        Answer answer = controlPlane.get("/accounts/acc_none");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text("code")).isEqualTo("not_found");
        assertThat(answer.text("type")).isEqualTo("urn:penstock:problem:not_found");
        assertThat(controlPlane.get("/issuances/none").status()).isEqualTo(404);
        assertThat(controlPlane
                        .get("/accounts/" + account + "/issuances?cursor=%21")
                        .status())
                .isEqualTo(422);
    }

    private long issuedAt(NKeyPair own) {
        Answer issued = controlPlane.post(groupPath("worker") + "/issue", Wishes.issue(id(), "w1", own.publicKey()));
        assertThat(issued.status()).isEqualTo(201);
        try {
            return JwtDecoder.decodeUser(issued.text("jwt")).registered().issuedAt();
        } catch (InvalidTokenException e) {
            throw new AssertionError(e);
        }
    }

    private Answer group(String groupId) {
        Answer answer = controlPlane.put(
                groupPath(groupId), Wishes.group(groupId, List.of("jobs.{{name()}}.>"), List.of("_INBOX.>")));
        assertThat(answer.status()).isEqualTo(200);
        return answer;
    }

    private String groupPath(String groupId) {
        return "/accounts/" + account + "/signing-key-groups/" + groupId;
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    @Test
    void anActivationIsForOneImporterAndSignedByAKeyOfTheExporter() throws Exception {
        String exporter = controlPlane.get("/accounts/" + account).text("public_key");
        String importer;
        try (NKeyPair pair = NKeyPair.generate(KeyType.ACCOUNT, new SecureRandom())) {
            importer = pair.publicKey();
        }
        long later = java.time.Instant.now().getEpochSecond() + 5;
        Answer answer = controlPlane.post(
                "/accounts/" + account + "/activations",
                Map.of("importer_public_key", importer, "subject", "orders.>", "type", "stream", "not_before", later));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(JwtDecoder.decode(answer.text("token"))).isInstanceOfSatisfying(ActivationClaims.class, claims -> {
            assertThat(claims.subject()).isEqualTo(importer);
            assertThat(claims.exporter()).isEqualTo(exporter);
            assertThat(claims.issuer()).isNotEqualTo(exporter);
            assertThat(claims.registered().issuedAt()).isEqualTo(later);
        });
        assertThat(controlPlane
                        .post(
                                "/accounts/" + account + "/activations",
                                Map.of("importer_public_key", "nobody", "subject", "a", "type", "stream"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aRevocationCanLeaveLaterTokensOfTheKeyAlone() {
        String key;
        try (NKeyPair pair = NKeyPair.generate(KeyType.USER, new SecureRandom())) {
            key = pair.publicKey();
        }
        long now = java.time.Instant.now().getEpochSecond();
        String path = "/accounts/" + account + "/revocations";
        Answer early = controlPlane.post(path, Map.of("user_public_key", key, "reason", "", "before", now - 100));
        assertThat(early.body().path("revoked_at").asLong()).isEqualTo(now - 100);
        Answer earlier = controlPlane.post(path, Map.of("user_public_key", key, "reason", "", "before", now - 200));
        assertThat(earlier.body().path("revoked_at").asLong()).isEqualTo(now - 100);
        assertThat(controlPlane
                        .post(path, Map.of("user_public_key", key, "reason", "", "before", now + 3600))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void exportsImportsMappingsAndTiersOfAWishStandInTheClaims() {
        Map<String, Object> wish = new HashMap<>(Wishes.account(2, "acme", "active"));
        wish.put(
                "exports",
                List.of(Map.of(
                        "name",
                        "orders",
                        "subject",
                        "orders.>",
                        "type",
                        "service",
                        "token_required",
                        true,
                        "response_type",
                        "Stream",
                        "latency",
                        Map.of("sampling", 10, "results", "latency.orders"),
                        "allow_trace",
                        true,
                        "revocations",
                        Map.of())));
        wish.put("mappings", Map.of("a", List.of(Map.of("subject", "b", "weight", 60, "cluster", ""))));
        assertThat(controlPlane.put("/accounts/" + account, wish).status()).isEqualTo(200);
        // The same wish in another spelling of what is left out is the same wish.
        wish.put("tags", List.of("plan:free"));
        wish.put("imports", null);
        assertThat(controlPlane.put("/accounts/" + account, wish).status()).isEqualTo(200);
        wish.put("generation", 3);
        wish.put(
                "mappings",
                Map.of(
                        "a",
                        List.of(
                                Map.of("subject", "b", "weight", 60, "cluster", ""),
                                Map.of("subject", "c", "weight", 60, "cluster", ""))));
        Answer over = controlPlane.put("/accounts/" + account, wish);
        assertThat(over.status()).isEqualTo(422);
        assertThat(over.text("detail")).contains("100%");
    }
}
