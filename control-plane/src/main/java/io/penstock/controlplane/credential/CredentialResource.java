package io.penstock.controlplane.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.Commands;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Users of an account, what was issued to them, and the short way to both. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class CredentialResource {
    private static final String DELIVERED = "secret_already_delivered";
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    UserRepository users;

    @Inject
    IssuanceRepository issuances;

    @Inject
    Users userChanges;

    @Inject
    Issuing issuing;

    @Inject
    Revoking revoking;

    @Inject
    Commands commands;

    @Inject
    DryRuns dryRuns;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    @Inject
    LedgerMirror ledger;

    @Inject
    CredentialViews views;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** A new user. */
    public record UserCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.USER, message = Names.USER_RULE)
            String name,

            Boolean disabled,
            String jwtTtl,
            List<String> tags,
            String signingKeyGroupId) {}

    /** What may be changed. */
    public record UserPatch(
            @Pattern(regexp = Names.USER, message = Names.USER_RULE)
            String name,

            Boolean disabled,
            String jwtTtl,
            List<String> tags) {}

    /** What to issue; without a key one is made. */
    public record IssueRequest(
            @Pattern(regexp = Names.USER_KEY, message = Names.USER_KEY_RULE)
            String publicKey,

            String ttl,

            @Size(min = 1, max = 255, message = "1 to 255 characters")
            String issueKey) {}

    /** What to issue in the place of what was issued before. */
    public record RotateCredentialRequest(
            @Pattern(regexp = Names.USER_KEY, message = Names.USER_KEY_RULE)
            String publicKey,

            String ttl,
            String overlap,

            @Size(min = 1, max = 255, message = "1 to 255 characters")
            String issueKey) {}

    /** A user and its first JWT in one step. */
    public record CredentialCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.USER, message = Names.USER_RULE)
            String name,

            String signingKeyGroupId,

            @Pattern(regexp = Names.USER_KEY, message = Names.USER_KEY_RULE)
            String publicKey,

            String ttl) {}

    /** The one answer that may hold a seed. */
    public record IssueResult(CredentialViews.Issuance issuance, String jwt, String creds, String code) {
        static IssueResult of(Issuing.Result result) {
            return new IssueResult(
                    result.issuance(), result.jwt(), result.creds(), result.jwt() == null ? DELIVERED : null);
        }

        @Override
        public String toString() {
            return "IssueResult[" + issuance.id() + "]";
        }
    }

    /** The other answer that may hold a seed. */
    public record CredentialResult(
            CredentialViews.User user, CredentialViews.Issuance issuance, String jwt, String creds, String code) {
        @Override
        public String toString() {
            return "CredentialResult[" + issuance.id() + "]";
        }
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/accounts/{account}/users")
    public Paging.Page<CredentialViews.User> list(
            @PathParam("account") String account, @QueryParam("filter[name]") String name, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        String org = tenancy.onResource(request.principal(), account, scope -> accounts.get(scope, account).orgId);
        ledger.refresh(org, account);
        return tenancy.onResource(request.principal(), account, scope -> {
            List<UserEntity> rows = name == null
                    ? users.window(scope, "accountId", account, window, "deletedAt is null")
                    : users.window(scope, "accountId", account, window, "deletedAt is null and name = ?4", name);
            var page = paging.page(window, rows, row -> row.id, row -> row);
            return new Paging.Page<>(views.users(page.data()), page.page());
        });
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/accounts/{account}/users")
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        UserCreate form = bodies.read(body, UserCreate.class);
        Users.Settings settings =
                new Users.Settings(form.name(), form.signingKeyGroupId(), form.disabled(), form.jwtTtl(), form.tags());
        Function<Scope, Outcome<CredentialViews.User>> work =
                scope -> Outcome.created(views.user(userChanges.create(scope, account, settings)));
        return commands.create(account, dryRun, body, "/v1/users/", work);
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/users/{user}")
    public Response get(@PathParam("user") String id) {
        return Etags.answer(tenancy.onResource(request.principal(), id, scope -> views.user(users.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("user") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode raw = bodies.object(body);
        UserPatch patch = bodies.read(body, UserPatch.class);
        Function<Scope, Outcome<CredentialViews.User>> work =
                scope -> userChanges.update(scope, id, ifMatch, raw, patch);
        if (dryRun) {
            return Response.ok(dryRuns.of(id, work)).build();
        }
        Outcome<CredentialViews.User> outcome = tenancy.onResource(request.principal(), id, work);
        if (patch.disabled() != null) {
            // Also when nothing changed: an earlier call may have ended before account-service was told.
            enforceDisabled(id);
        }
        return Etags.answer(outcome.after());
    }

    private void enforceDisabled(String id) {
        record Facts(UserEntity user, List<IssuanceEntity> open) {}
        Facts facts = tenancy.onResource(
                request.principal(), id, scope -> new Facts(users.get(scope, id), issuances.open(id)));
        userChanges.enforce(why("user.disable"), facts.user(), facts.open());
    }

    @DELETE
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}")
    public Response delete(
            @PathParam("user") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        Function<Scope, Outcome<CredentialViews.User>> work = scope -> userChanges.delete(scope, id, ifMatch);
        if (dryRun) {
            return Response.ok(dryRuns.of(id, work)).build();
        }
        CredentialViews.User user =
                tenancy.onResource(request.principal(), id, work).before();
        int revoked = revoking.revoke("user.delete", user.accountId(), issuing.openOf(id), "user deleted");
        tenancy.onResource(request.principal(), id, scope -> {
            userChanges.bury(scope, id, revoked);
            return null;
        });
        return Response.noContent().build();
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}/actions/issue")
    @Consumes("application/json")
    public Response issue(@PathParam("user") String id, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        IssueRequest form = bodies.read(body, IssueRequest.class);
        Issuing.Wish wish = new Issuing.Wish(form.publicKey(), Issuing.ttl(form.ttl()), form.issueKey());
        if (dryRun) {
            return planned(id, wish);
        }
        return idempotency.onceRequired(body, () -> issued(id, issuing.issue(id, wish)));
    }

    private Response planned(String id, Issuing.Wish wish) {
        return Response.ok(dryRuns.of(id, scope -> Outcome.created(issuing.planned(scope, id, wish))))
                .build();
    }

    private static Idempotency.Answer issued(String id, Issuing.Result result) {
        return new Idempotency.Answer(
                201,
                IssueResult.of(result),
                new IssueResult(result.issuance(), null, null, DELIVERED),
                null,
                "/v1/users/" + id + "/issuances");
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}/actions/rotate")
    @Consumes("application/json")
    public Response rotate(@PathParam("user") String id, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        RotateCredentialRequest form = bodies.read(body, RotateCredentialRequest.class);
        Issuing.Wish wish = new Issuing.Wish(form.publicKey(), Issuing.ttl(form.ttl()), form.issueKey());
        Duration overlap = form.overlap() == null
                ? Duration.ZERO
                : Issuing.span("overlap", form.overlap(), Duration.ZERO, LONGEST_OVERLAP, "from 0s to 720h");
        if (dryRun) {
            return planned(id, wish);
        }
        return idempotency.onceRequired(body, () -> {
            List<String> earlier = issuing.openOf(id);
            Issuing.Result result = issuing.issue(id, wish);
            if (result.jwt() != null) {
                retire(id, result.user().accountId(), earlier, overlap);
            }
            return issued(id, result);
        });
    }

    private void retire(String id, String account, List<String> earlier, Duration overlap) {
        if (overlap.isZero()) {
            revoking.revoke("credential.rotate", account, earlier, "rotated");
            return;
        }
        tenancy.onResource(request.principal(), id, scope -> {
            revoking.schedule(scope, earlier, overlap);
            return null;
        });
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}/actions/revoke")
    @Consumes("application/json")
    public Response revoke(@PathParam("user") String id, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        String reason = bodies.read(body, RevokeRequest.class).text();
        List<String> open = issuing.openOf(id);
        if (dryRun) {
            return Response.ok(DryRuns.action(Map.of("credentials", (long) open.size())))
                    .build();
        }
        return idempotency.once(body, () -> {
            String account = tenancy.onResource(request.principal(), id, scope -> users.get(scope, id).accountId);
            int revoked = revoking.revoke("credential.revoke", account, open, reason);
            CredentialViews.User user = tenancy.onResource(request.principal(), id, scope -> {
                UserEntity row = users.get(scope, id);
                row.state = "revoked";
                row.updatedAt = clock.instant();
                users.flush();
                audit.success(
                        scope,
                        "credential.revoked",
                        "/v1/users/" + id,
                        Map.of("user", row.name, "issuances", revoked, "reason", reason));
                return views.user(row);
            });
            return new Idempotency.Answer(200, user, user, user.etag(), null);
        });
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/accounts/{account}/credentials")
    @Consumes("application/json")
    public Response createCredential(
            @PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        CredentialCreate form = bodies.read(body, CredentialCreate.class);
        Issuing.Wish wish = new Issuing.Wish(form.publicKey(), Issuing.ttl(form.ttl()), null);
        Users.Settings settings = new Users.Settings(form.name(), form.signingKeyGroupId(), null, null, null);
        if (dryRun) {
            return Response.ok(dryRuns.of(
                            account,
                            scope -> Outcome.created(views.user(userChanges.create(scope, account, settings)))))
                    .build();
        }
        return idempotency.onceRequired(body, () -> {
            // A user whose first issuance fails stays: it is shown with a failed issuance, and can be issued to again.
            String user = tenancy.onResource(
                    request.principal(), account, scope -> userChanges.create(scope, account, settings).id);
            Issuing.Result result = issuing.issue(user, wish);
            return new Idempotency.Answer(
                    201,
                    new CredentialResult(result.user(), result.issuance(), result.jwt(), result.creds(), null),
                    new CredentialResult(result.user(), result.issuance(), null, null, DELIVERED),
                    null,
                    "/v1/users/" + user);
        });
    }

    private AccountService.Reason why(String action) {
        return new AccountService.Reason(request.principal().userId(), action, request.requestId());
    }
}
