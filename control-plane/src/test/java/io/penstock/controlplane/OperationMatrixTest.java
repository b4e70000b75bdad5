package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Contract;
import io.penstock.controlplane.testing.Contract.Operation;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.ResourceSeeds;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingBroker;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for every operation of the document, asked of every operation. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class OperationMatrixTest extends ApiTest {
    private static final String MARKER = "marker-of-tenant-b";
    /** Have tests of their own. */
    private static final Set<String> NEEDS_A_DELETED_ONE =
            Set.of("restoreAccount", "restoreStream", "restoreKvBucket", "restoreObjectBucket");

    /** Fields of bodies that hold ids. A new one needs a row here. */
    private static final Map<String, Set<String>> FOREIGN_IDS = Map.of(
            "createUser", Set.of("signing_key_group_id"),
            "createShare", Set.of("target_account_id"),
            "createImport", Set.of("remote_account_id", "share_id"),
            "createCredential", Set.of("signing_key_group_id"),
            "createInvitation", Set.of("project_id"),
            "createRoleAssignment", Set.of("principal_id", "project_id"),
            "createServiceAccount", Set.of("project_id"),
            "createServiceAccountToken", Set.of("project_ids"),
            "createPersonalToken", Set.of("organization_id", "project_ids"),
            "updateToken", Set.of("project_ids"));

    private final List<Operation> operations =
            new Contract().operations().stream().filter(one -> !one.isPublic()).toList();

    private Tenant tenant;
    private Map<String, String> ids;

    @BeforeEach
    void prepare() {
        tenant = Tenant.signedUp(base, "matrix");
        ids = seeded(tenant);
    }

    @Test
    void everyIdInABodyHasARowForTheOtherTenantsId() {
        assertThat(operations.stream().filter(one -> one.definition().has("requestBody")))
                .allSatisfy(operation -> assertThat(FOREIGN_IDS.getOrDefault(operation.id(), Set.of()))
                        .as(operation.id())
                        .containsExactlyInAnyOrderElementsOf(idFields(operation)));
    }

    private Set<String> idFields(Operation operation) {
        Set<String> out = new TreeSet<>();
        for (JsonNode content : operation.definition().at("/requestBody/content")) {
            JsonNode schema = content.path("schema");
            String name = schema.path("$ref").asText().replaceAll(".*/", "");
            (name.isEmpty() ? schema : new Contract().schema(name))
                    .path("properties")
                    .fieldNames()
                    .forEachRemaining(out::add);
        }
        out.removeIf(field -> !field.matches(".*_ids?"));
        return out;
    }

    @Test
    void otherTenantsIdsInBodiesAreRefused() {
        Tenant other = Tenant.signedUp(base, "foreign");
        Map<String, String> own = seededPlain(other);
        assertThat(operations.stream().filter(one -> FOREIGN_IDS.containsKey(one.id())))
                .allSatisfy(operation -> {
                    for (String field : FOREIGN_IDS.get(operation.id())) {
                        Map<String, Object> body = new HashMap<>(body(operation, own));
                        body.put(field, field.endsWith("_ids") ? List.of(foreign(field)) : foreign(field));
                        Answer answer =
                                other.api().call(operation.method(), path(operation, own), body, withEtag(headers()));
                        assertThat(answer.code())
                                .as(operation.id() + " " + field + " " + answer.body())
                                .isIn("validation_failed", "not_found");
                        assertThat(answer.raw().body()).doesNotContain(MARKER);
                    }
                });
    }

    private String foreign(String field) {
        String name = field.replaceAll("_ids?$", "");
        return switch (name) {
            case "principal" -> ids.get("member");
            case "organization" -> ids.get("org");
            case "signing_key_group" -> ids.get("group");
            case "target_account", "remote_account" -> ids.get("account");
            default -> ids.get(name);
        };
    }

    @Test
    void withoutSessionEverythingIs401() {
        ApiClient nobody = new ApiClient(base);
        assertThat(operations).allSatisfy(operation -> {
            Answer answer = nobody.call(operation.method(), path(operation, ids), body(operation, ids), Map.of());
            assertThat(answer.status()).as(operation.id()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).isNotNull();
            assertThat(answer.header("Cache-Control")).contains("no-store");
            assertThat(answer.header("X-Request-Id")).isEqualTo(answer.text("request_id"));
        });
    }

    @Test
    void withoutFormTokenOrFromAnotherSiteEveryChangeIs403() {
        ApiClient withoutToken = tenant.api().without("X-CSRF-Token");
        assertThat(operations.stream().filter(Operation::changes)).allSatisfy(operation -> {
            String path = path(operation, ids);
            assertThat(withoutToken
                            .call(operation.method(), path, body(operation, ids), Map.of())
                            .code())
                    .as(operation.id())
                    .isEqualTo("csrf_failed");
            assertThat(tenant.api()
                            .call(operation.method(), path, body(operation, ids), Map.of("Origin", "http://evil.test"))
                            .code())
                    .isEqualTo("csrf_failed");
            assertThat(tenant.api()
                            .call(operation.method(), path, body(operation, ids), Map.of("Origin", ""))
                            .code())
                    .isEqualTo("csrf_failed");
            assertThat(tenant.api()
                            .call(
                                    operation.method(),
                                    path,
                                    body(operation, ids),
                                    Map.of("Sec-Fetch-Site", "cross-site"))
                            .code())
                    .isEqualTo("csrf_failed");
        });
    }

    @Test
    void unknownFieldIs400() {
        assertThat(operations.stream().filter(one -> one.definition().has("requestBody")))
                .allSatisfy(operation -> {
                    Map<String, Object> body = new HashMap<>(body(operation, ids));
                    body.put("org_id", "org_of_somebody");
                    Answer answer = tenant.api().call(operation.method(), path(operation, ids), body, headers());
                    assertThat(answer.code()).as(operation.id()).isEqualTo("unknown_field");
                    assertThat(answer.text("invalid_parameters.0.field")).isEqualTo("org_id");
                });
    }

    @Test
    void staleEtagIs412AndMissingOneIs428WhereItIsRequired() {
        assertThat(operations.stream().filter(one -> parameters(one).contains("IfMatch")))
                .allSatisfy(operation -> {
                    String path = path(operation, ids);
                    Answer stale = tenant.api()
                            .call(operation.method(), path, body(operation, ids), Map.of("If-Match", "\"stale\""));
                    assertThat(stale.code()).as(operation.id()).isEqualTo("version_mismatch");
                    assertThat(stale.header("ETag")).isEqualTo(stale.text("params.current_etag"));
                    if (parameters(operation).contains("IfMatchRequired")) {
                        assertThat(tenant.api()
                                        .call(operation.method(), path, body(operation, ids), Map.of())
                                        .code())
                                .as(operation.id())
                                .isEqualTo("precondition_required");
                    }
                });
    }

    @Test
    void repeatWithTheSameKeyGetsTheSameAnswer() {
        assertThat(operations.stream()
                        .filter(one -> parameters(one).contains("IdemKey"))
                        .filter(one -> !NEEDS_A_DELETED_ONE.contains(one.id())))
                .allSatisfy(operation -> {
                    Map<String, String> headers = headers();
                    Map<String, Object> body = body(operation, ids);
                    Answer first = tenant.api().call("POST", path(operation, ids), body, headers);
                    Answer again = tenant.api().call("POST", path(operation, ids), body, headers);
                    assertThat(first.status())
                            .as(operation.id() + " " + first.body())
                            .isBetween(200, 299);
                    assertThat(again.status()).isEqualTo(first.status());
                    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
                    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
                    boolean secret = parameters(operation).contains("IdemKeyRequired");
                    assertThat(again.body().equals(first.body()))
                            .as(operation.id())
                            .isEqualTo(!secret);
                });
    }

    @Test
    void dryRunChangesNothing() {
        String events = "/v1/orgs/" + tenant.org() + "/audit-events?page[size]=500";
        JsonNode before = tenant.api().get(events).body().path("data");
        assertThat(operations.stream()
                        .filter(one -> parameters(one).contains("DryRun"))
                        .filter(one -> !NEEDS_A_DELETED_ONE.contains(one.id())))
                .allSatisfy(operation -> {
                    Answer answer = tenant.api()
                            .call(
                                    operation.method(),
                                    path(operation, ids) + "?dry_run=true",
                                    body(operation, ids),
                                    withEtag(headers()));
                    assertThat(answer.status())
                            .as(operation.id() + " " + answer.body())
                            .isIn(200, 409);
                    assertThat(answer.header("Idempotent-Replayed")).isNull();
                });
        assertThat(tenant.api().get(events).body().path("data")).isEqualTo(before);
    }

    @Test
    void otherTenantGets404AndNoByteOfIt() {
        Tenant other = Tenant.signedUp(base, "other");
        assertThat(operations.stream().filter(one -> one.path().contains("{"))).allSatisfy(operation -> {
            Answer answer = other.api()
                    .call(operation.method(), path(operation, ids), body(operation, ids), withEtag(headers()));
            assertThat(answer.status()).as(operation.id()).isEqualTo(404);
            assertThat(answer.raw().body()).doesNotContain(MARKER).doesNotContain(tenant.email());
        });
        assertThat(tenant.api()
                        .get("/v1/accounts/" + tenant.account() + "/streams/S")
                        .status())
                .isEqualTo(200);
        assertThat(tenant.api().get("/v1/users/" + ids.get("user")).text("state"))
                .isEqualTo("active");
    }

    @Test
    void idsOfTheOtherTenantInBodiesAndCursorsAreRefused() {
        Tenant other = Tenant.signedUp(base, "bodies");
        String users = other.accountPath() + "/users";
        Answer user = other.api().post(users, Map.of("name", "u", "signing_key_group_id", tenant.group()));
        assertThat(user.code()).isEqualTo("validation_failed");
        for (int i = 0; i < 2; i++) {
            tenant.api().post(tenant.accountPath() + "/users", Map.of("name", "page-" + i));
            other.api().post(users, Map.of("name", "page-" + i));
        }
        String cursor =
                tenant.api().get(tenant.accountPath() + "/users?page[size]=1").text("page.next");
        assertThat(other.api()
                        .get(users + "?page[size]=1&page[after]=" + cursor)
                        .code())
                .isEqualTo("invalid_cursor");
    }

    @Test
    void listsOfOneTenantHoldNothingOfTheOther() {
        Tenant other = Tenant.signedUp(base, "lists");
        Map<String, String> own = seededPlain(other);
        assertThat(operations.stream().filter(one -> "GET".equals(one.method())))
                .allSatisfy(operation -> {
                    String path = path(operation, own);
                    Answer answer = other.api().get(path);
                    assertThat(answer.status())
                            .as(operation.id() + " " + answer.body())
                            .isEqualTo(200);
                    assertThat(answer.raw().body()).doesNotContain(MARKER).doesNotContain(tenant.org());
                });
    }

    private Map<String, String> seeded(Tenant owner) {
        Map<String, String> out = seededPlain(owner);
        owner.api().post(owner.accountPath() + "/users", Map.of("name", MARKER));
        owner.api().patch("/v1/orgs/" + owner.org(), Map.of("name", MARKER));
        bean(TestingBroker.class).publish(owner.account(), "s.x", MARKER);
        return out;
    }

    private static Map<String, String> seededPlain(Tenant owner) {
        owner.api().post(owner.accountPath() + "/streams", Map.of("name", "S", "subjects", List.of("s.>")));
        owner.api().post(owner.accountPath() + "/streams/S/consumers", Map.of("name", "C"));
        bean(TestingBroker.class).publish(owner.account(), "s.first", "first");
        Answer user = owner.api().post(owner.accountPath() + "/users", Map.of("name", "app"));
        Map<String, String> out = new HashMap<>(Map.of(
                "org", owner.org(),
                "project", owner.project(),
                "account", owner.account(),
                "group", owner.group(),
                "user", user.text("id"),
                "stream", "S",
                "consumer", "C",
                "seq", "1"));
        seedAccess(owner, out);
        ResourceSeeds.add(owner, bean(TestingBroker.class), out);
        return out;
    }

    private static void seedAccess(Tenant owner, Map<String, String> out) {
        ApiClient api = owner.api();
        String org = "/v1/orgs/" + owner.org();
        String machine =
                api.post(org + "/service-accounts", Map.of("name", "ci")).text("id");
        out.put("member", api.get("/v1/me").text("user.id"));
        out.put("service_account", machine);
        out.put(
                "assignment",
                api.post(org + "/role-assignments", Map.of("principal_id", machine, "role", "viewer"))
                        .text("id"));
        out.put(
                "invitation",
                api.post(org + "/invitations", Map.of("email", "guest@invited.test", "role", "viewer"))
                        .text("id"));
        Map<String, Object> token = Map.of("name", "t", "scopes", List.of("*:read"));
        out.put(
                "token",
                api.call("POST", "/v1/service-accounts/" + machine + "/tokens", token, headers())
                        .text("token.id"));
        Map<String, Object> personal = new HashMap<>(token);
        personal.put("organization_id", owner.org());
        out.put(
                "personal",
                api.call("POST", "/v1/me/tokens", personal, headers()).text("token.id"));
    }

    /** With every `{parameter}` filled in: one that nobody seeds fails here. */
    private static String path(Operation operation, Map<String, String> ids) {
        String out = operation.path().replace("/me/tokens/{token}", "/me/tokens/" + ids.get("personal"));
        for (Map.Entry<String, String> id : ids.entrySet()) {
            out = out.replace("{" + id.getKey() + "}", id.getValue());
        }
        assertThat(out).as("seed what " + operation.id() + " needs").doesNotContain("{");
        return "checkPermission".equals(operation.id()) ? out + "?permission=streams:read" : out;
    }

    private static Map<String, Object> body(Operation operation, Map<String, String> ids) {
        String name = "n-" + UUID.randomUUID().toString().substring(0, 8);
        return switch (operation.id()) {
            case "createProject",
                    "createAccount",
                    "createSigningKeyGroup",
                    "createUser",
                    "createCredential",
                    "createServiceAccount" -> Map.of("name", name);
            case "createServiceAccountToken" -> Map.of("name", name, "scopes", List.of("streams:read"));
            case "createPersonalToken" ->
                Map.of("name", name, "scopes", List.of("streams:read"), "organization_id", ids.get("org"));
            case "createInvitation" -> Map.of("email", name + "@invited.test", "role", "viewer");
            case "createRoleAssignment" -> Map.of("principal_id", ids.get("member"), "role", "viewer");
            case "updateMember" -> Map.of("role", "owner");
            case "deleteMe" -> Map.of("email", "nobody@members.test");
            case "acceptInvitation" -> Map.of("token", "a".repeat(43));
            case "createStream" -> Map.of("name", name, "subjects", List.of(name + ".>"));
            case "createConsumer" -> Map.of("name", name);
            default -> ResourceSeeds.body(operation.id(), name, ids);
        };
    }

    private static Map<String, String> headers() {
        return Map.of("Idempotency-Key", UUID.randomUUID().toString());
    }

    private static Map<String, String> withEtag(Map<String, String> headers) {
        Map<String, String> out = new HashMap<>(headers);
        out.put("If-Match", "*");
        return out;
    }

    private static String parameters(Operation operation) {
        return operation.definition().path("parameters").toString();
    }
}
