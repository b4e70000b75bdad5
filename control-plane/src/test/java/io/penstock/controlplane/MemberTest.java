package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Contract;
import io.penstock.controlplane.testing.Contract.Operation;
import io.penstock.controlplane.testing.PostgresResource;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.quarkus.mailer.MockMailbox;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members, roles and invitations. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class MemberTest extends ApiTest {
    private Tenant tenant;
    private String org;

    @BeforeEach
    void prepare() {
        tenant = Tenant.signedUp(base, "members");
        org = "/v1/orgs/" + tenant.org();
    }

    @Test
    void everyOperationAsksForItsPermissionFromEveryRole() {
        Map<String, String> ids = Map.of(
                "org", tenant.org(),
                "project", tenant.project(),
                "account", tenant.account(),
                "group", tenant.group());
        List<Operation> operations = new Contract()
                .operations().stream()
                        .filter(one -> !one.permission().isEmpty())
                        .filter(one -> !filled(one, ids).contains("{"))
                        .toList();
        assertThat(operations).hasSizeGreaterThan(25);
        for (Role role : Role.values()) {
            ApiClient member = role == Role.OWNER ? tenant.api() : tenant.join(base, role.code(), null);
            for (Operation operation : operations) {
                Answer answer = member.call(
                        operation.method(),
                        filled(operation, ids),
                        "GET".equals(operation.method()) ? null : Map.of("no_such_field", 1),
                        Map.of(
                                "If-Match",
                                "\"stale\"",
                                "Idempotency-Key",
                                UUID.randomUUID().toString()));
                boolean denied =
                        answer.status() == 403 && operation.permission().equals(answer.text("params.permission"));
                boolean holds = role.permissions().stream()
                        .anyMatch(permission -> permission.code().equals(operation.permission()));
                assertThat(denied)
                        .as(role + " " + operation.id() + " " + answer.body())
                        .isEqualTo(!holds);
            }
        }
    }

    private static String filled(Operation operation, Map<String, String> ids) {
        String out = operation.path();
        for (Map.Entry<String, String> id : ids.entrySet()) {
            out = out.replace("{" + id.getKey() + "}", id.getValue());
        }
        return out;
    }

    @Test
    void roleInOneProjectShowsThatProjectOnly() {
        String second =
                tenant.api().post(org + "/projects", Map.of("name", "second")).text("id");
        String account = tenant.api()
                .post("/v1/projects/" + second + "/accounts", Map.of("name", "a"))
                .text("id");
        ApiClient member = tenant.join(base, "developer", second);

        assertThat(member.get("/v1/orgs/" + tenant.org()).body().path("role").isNull())
                .isTrue();
        assertThat(member.get(org + "/projects").body().at("/data")).hasSize(1);
        assertThat(member.get("/v1/accounts/" + account).status()).isEqualTo(200);
        assertThat(member.post("/v1/accounts/" + account + "/users", Map.of("name", "u"))
                        .status())
                .isEqualTo(201);
        assertThat(member.get(tenant.accountPath()).status()).isEqualTo(403);
        assertThat(member.get(org + "/members").status()).isEqualTo(403);
        Answer check = member.get(org + "/permissions/check?permission=streams:write&resource=" + account);
        assertThat(check.body().path("allowed").asBoolean()).isTrue();
        Answer elsewhere = member.get(org + "/permissions/check?permission=streams:write&resource=" + tenant.account());
        assertThat(elsewhere.body().path("allowed").asBoolean()).isFalse();
        assertThat(elsewhere.text("trace.0")).contains("elsewhere");
    }

    @Test
    void lastOwnerStaysEvenWhenTwoLeaveAtOnce() throws Exception {
        String self = tenant.api().get("/v1/me").text("user.id");
        assertThat(tenant.api()
                        .patch(org + "/members/" + self, Map.of("role", "viewer"))
                        .code())
                .isEqualTo("last_owner");
        assertThat(tenant.api().delete(org + "/members/" + self).code()).isEqualTo("last_owner");
        String machine = tenant.api()
                .post(org + "/service-accounts", Map.of("name", "m"))
                .text("id");
        tenant.api().post(org + "/role-assignments", Map.of("principal_id", machine, "role", "owner"));
        assertThat(tenant.api().delete(org + "/members/" + self).code())
                .as("a machine is no owner to be left with")
                .isEqualTo("last_owner");

        ApiClient other = tenant.join(base, "owner", null);
        String second = other.get("/v1/me").text("user.id");
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            List<Callable<Integer>> calls = List.of(
                    () -> tenant.api().delete(org + "/members/" + second).status(),
                    () -> other.delete(org + "/members/" + self).status());
            List<Integer> statuses =
                    both.invokeAll(calls).stream().map(MemberTest::result).toList();
            assertThat(statuses).contains(204).doesNotContain(500);
            assertThat(statuses.stream().filter(status -> status == 204)).hasSize(1);
        }
    }

    private static <T> T result(Future<T> future) {
        return future.resultNow();
    }

    @Test
    void nobodyGivesOrTakesWhatTheyDoNotHave() {
        ApiClient admin = tenant.join(base, "admin", null);
        String adminId = admin.get("/v1/me").text("user.id");
        String owner = tenant.api().get("/v1/me").text("user.id");
        assertThat(admin.patch(org + "/members/" + adminId, Map.of("role", "owner"))
                        .code())
                .isEqualTo("permission_denied");
        assertThat(admin.patch(org + "/members/" + owner, Map.of("role", "viewer"))
                        .code())
                .isEqualTo("permission_denied");
        assertThat(admin.delete(org + "/members/" + owner).code()).isEqualTo("permission_denied");
        assertThat(admin.post(org + "/invitations", Map.of("email", "x@members.test", "role", "owner"))
                        .code())
                .isEqualTo("permission_denied");
        assertThat(admin.post(org + "/role-assignments", Map.of("principal_id", adminId, "role", "owner"))
                        .code())
                .isEqualTo("permission_denied");
        ApiClient viewer = tenant.join(base, "viewer", null);
        String viewerId = viewer.get("/v1/me").text("user.id");
        assertThat(admin.patch(org + "/members/" + viewerId, Map.of("role", "developer"))
                        .text("role"))
                .isEqualTo("developer");
        assertThat(viewer.post(tenant.accountPath() + "/users", Map.of("name", "now"))
                        .status())
                .isEqualTo(201);
        assertThat(viewer.delete(org + "/members/" + viewerId).status())
                .as("everybody may leave")
                .isEqualTo(204);
        assertThat(viewer.get(org).status()).isEqualTo(404);
    }

    @Test
    void rolesOfServiceAccountsAndByEmail() {
        ApiClient member = tenant.join(base, "viewer", null);
        String email = member.get("/v1/me").text("user.email");
        Answer given = tenant.api()
                .post(
                        org + "/role-assignments",
                        Map.of("email", email, "role", "admin", "project_id", tenant.project()));
        assertThat(given.status()).isEqualTo(201);
        assertThat(given.text("principal.name")).isEqualTo(email);
        assertThat(tenant.api()
                        .post(
                                org + "/role-assignments",
                                Map.of("email", email, "role", "admin", "project_id", tenant.project()))
                        .code())
                .isEqualTo("already_exists");
        assertThat(tenant.api()
                        .post(org + "/role-assignments", Map.of("email", "no@body.test", "role", "viewer"))
                        .code())
                .isEqualTo("validation_failed");
        assertThat(member.patch("/v1/projects/" + tenant.project(), Map.of("name", "renamed"))
                        .status())
                .isEqualTo(200);
        assertThat(tenant.api()
                        .delete("/v1/role-assignments/" + given.text("id"))
                        .status())
                .isEqualTo(204);
        assertThat(member.patch("/v1/projects/" + tenant.project(), Map.of("name", "again"))
                        .status())
                .isEqualTo(403);
        Map<String, Object> confined = new HashMap<>(Map.of("name", "deploy", "project_id", tenant.project()));
        String machine = tenant.api().post(org + "/service-accounts", confined).text("id");
        assertThat(tenant.api()
                        .post(org + "/role-assignments", Map.of("principal_id", machine, "role", "viewer"))
                        .code())
                .as("confined to its project")
                .isEqualTo("validation_failed");
    }

    @Test
    void invitationIsForItsAddressAndForOnce() {
        String email = "guest-" + UUID.randomUUID() + "@members.test";
        Answer invited = tenant.api().post(org + "/invitations", Map.of("email", email, "role", "developer"));
        assertThat(invited.text("state")).isEqualTo("pending");
        assertThat(tenant.api()
                        .post(org + "/invitations", Map.of("email", email, "role", "developer"))
                        .code())
                .isEqualTo("already_exists");
        String token = Tenant.invitationToken(email);
        assertThat(new ApiClient(base)
                        .post("/v1/invitations/preview", Map.of("token", token))
                        .text("email"))
                .isEqualTo(email);
        ApiClient wrong = new ApiClient(base).signIn(UUID.randomUUID().toString(), "thief@members.test");
        assertThat(wrong.post("/v1/invitations/accept", Map.of("token", token)).code())
                .isEqualTo("permission_denied");
        assertThat(wrong.post("/v1/invitations/accept", Map.of("token", "b".repeat(43)))
                        .status())
                .isEqualTo(404);

        ApiClient guest = new ApiClient(base).signIn(UUID.randomUUID().toString(), email);
        Answer accepted = guest.post("/v1/invitations/accept", Map.of("token", token));
        assertThat(accepted.text("organization_id")).isEqualTo(tenant.org());
        assertThat(guest.post("/v1/invitations/accept", Map.of("token", token)).code())
                .isEqualTo("state_conflict");
        assertThat(guest.get(org).text("role")).isEqualTo("developer");
        assertThat(tenant.api().get("/v1/invitations/" + invited.text("id")).text("state"))
                .isEqualTo("accepted");
        assertThat(tenant.api().delete("/v1/invitations/" + invited.text("id")).code())
                .isEqualTo("state_conflict");
    }

    @Test
    void revokedExpiredAndReplacedLinksAreDead() throws SQLException {
        String email = "late-" + UUID.randomUUID() + "@members.test";
        ApiClient guest = new ApiClient(base).signIn(UUID.randomUUID().toString(), email);
        String id = tenant.api()
                .post(org + "/invitations", Map.of("email", email, "role", "viewer"))
                .text("id");
        String first = Tenant.invitationToken(email);
        PostgresResource.force(
                "update invitation set expires_at = now() - interval '1 second' where id = '" + id + "'");
        assertThat(guest.post("/v1/invitations/accept", Map.of("token", first)).text("params.state"))
                .isEqualTo("expired");
        assertThat(tenant.api()
                        .post("/v1/invitations/" + id + "/actions/resend", null)
                        .code())
                .isEqualTo("rate_limited");
        PostgresResource.force(
                "update invitation set last_sent_at = now() - interval '2 minutes' where id = '" + id + "'");
        bean(MockMailbox.class).clear();
        assertThat(tenant.api()
                        .post("/v1/invitations/" + id + "/actions/resend", null)
                        .text("state"))
                .isEqualTo("pending");
        String second = Tenant.invitationToken(email);
        assertThat(guest.post("/v1/invitations/accept", Map.of("token", first)).status())
                .isEqualTo(404);
        tenant.api().delete("/v1/invitations/" + id);
        assertThat(guest.post("/v1/invitations/accept", Map.of("token", second)).text("params.state"))
                .isEqualTo("revoked");
        assertThat(guest.get(org).status()).isEqualTo(404);
    }

    @Test
    void invitationDiesWithTheInvitersRight() {
        ApiClient admin = tenant.join(base, "admin", null);
        String email = "late-" + UUID.randomUUID() + "@members.test";
        admin.post(org + "/invitations", Map.of("email", email, "role", "admin"));
        String token = Tenant.invitationToken(email);
        tenant.api().patch(org + "/members/" + admin.get("/v1/me").text("user.id"), Map.of("role", "viewer"));
        ApiClient guest = new ApiClient(base).signIn(UUID.randomUUID().toString(), email);
        assertThat(guest.post("/v1/invitations/accept", Map.of("token", token)).code())
                .isEqualTo("state_conflict");
    }

    @Test
    void twoWhoAcceptAtOnceBecomeOneMember() throws Exception {
        String email = "twice-" + UUID.randomUUID() + "@members.test";
        tenant.api().post(org + "/invitations", Map.of("email", email, "role", "viewer"));
        String token = Tenant.invitationToken(email);
        ApiClient guest = new ApiClient(base).signIn(UUID.randomUUID().toString(), email);
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            Callable<Integer> accept = () ->
                    guest.post("/v1/invitations/accept", Map.of("token", token)).status();
            assertThat(both.invokeAll(List.of(accept, accept)).stream().map(MemberTest::result))
                    .containsExactlyInAnyOrder(200, 409);
        }
        assertThat(tenant.api().get(org + "/members").body().at("/data")).hasSize(2);
    }
}
