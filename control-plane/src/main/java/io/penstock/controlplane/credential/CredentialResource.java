package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
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
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;

/** Users of an account, what was issued to them, and the short way to both. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class CredentialResource {
    private static final String DELIVERED = "secret_already_delivered";

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
    Issuing issuing;

    @Inject
    LedgerMirror ledger;

    @Inject
    CredentialViews views;

    @Inject
    Locator locator;

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

            String signingKeyGroupId) {}

    /** What to issue; without a key one is made. */
    public record IssueRequest(
            @Pattern(regexp = Names.USER_KEY, message = Names.USER_KEY_RULE)
            String publicKey,

            String ttl) {}

    /** A user and its first JWT in one step. */
    public record CredentialCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.USER, message = Names.USER_RULE)
            String name,

            String signingKeyGroupId,

            @Pattern(regexp = Names.USER_KEY, message = Names.USER_KEY_RULE)
            String publicKey,

            String ttl) {}

    /** Why. */
    public record RevokeRequest(
            @Size(max = 500, message = "at most 500 characters")
            String reason) {}

    /** The one answer that may hold a seed. */
    public record IssueResult(CredentialViews.Issuance issuance, String jwt, String creds, String code) {
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
    public Paging.Page<CredentialViews.User> list(@PathParam("account") String account, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        String org = tenancy.onResource(request.principal(), account, scope -> {
            accounts.get(scope, account);
            return scope.require(Permission.CREDENTIALS_READ).orgId();
        });
        ledger.refresh(org, account);
        return tenancy.onResource(request.principal(), account, scope -> {
            var page =
                    paging.page(window, users.window(scope, "accountId", account, window), row -> row.id, row -> row);
            return new Paging.Page<>(views.users(page.data()), page.page());
        });
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/accounts/{account}/users")
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, byte[] body) {
        UserCreate form = bodies.read(body, UserCreate.class);
        return idempotency.once(body, () -> {
            CredentialViews.User made = tenancy.onResource(request.principal(), account, scope -> {
                accounts.get(scope, account);
                scope.require(Permission.CREDENTIALS_WRITE);
                UserEntity user = issuing.addUser(scope, account, form.name(), form.signingKeyGroupId());
                locator.add(user.id, scope.orgId(), account);
                return views.user(user);
            });
            return Idempotency.Answer.created(made, made.etag(), "/v1/users/" + made.id());
        });
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/users/{user}")
    public Response get(@PathParam("user") String id) {
        return answer(tenancy.onResource(request.principal(), id, scope -> {
            UserEntity row = users.get(scope, id);
            scope.require(Permission.CREDENTIALS_READ);
            return views.user(row);
        }));
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}/actions/issue")
    @Consumes("application/json")
    public Response issue(@PathParam("user") String id, byte[] body) {
        IssueRequest form = bodies.read(body, IssueRequest.class);
        Duration ttl = Issuing.ttl(form.ttl());
        return idempotency.onceRequired(body, () -> {
            Issuing.Result result = issuing.issue(id, form.publicKey(), ttl);
            return new Idempotency.Answer(
                    201,
                    new IssueResult(result.issuance(), result.jwt(), result.creds(), null),
                    new IssueResult(result.issuance(), null, null, DELIVERED),
                    null,
                    "/v1/users/" + id + "/issuances");
        });
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/users/{user}/actions/revoke")
    @Consumes("application/json")
    public Response revoke(@PathParam("user") String id, byte[] body) {
        return answer(issuing.revoke(id, bodies.read(body, RevokeRequest.class).reason()));
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/users/{user}/issuances")
    public Paging.Page<CredentialViews.Issuance> ofUser(@PathParam("user") String id, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        UserEntity user = tenancy.onResource(request.principal(), id, scope -> {
            scope.require(Permission.CREDENTIALS_READ);
            return users.get(scope, id);
        });
        ledger.refresh(user.orgId, user.accountId);
        return tenancy.onResource(
                request.principal(),
                id,
                scope -> paging.page(
                        window, issuances.newest(scope, "userId", id, window), row -> row.id, views::issuance));
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/accounts/{account}/issuances")
    public Paging.Page<CredentialViews.Issuance> ofAccount(@PathParam("account") String id, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        String org = tenancy.onResource(request.principal(), id, scope -> {
            accounts.get(scope, id);
            return scope.require(Permission.CREDENTIALS_READ).orgId();
        });
        ledger.refresh(org, id);
        return tenancy.onResource(
                request.principal(),
                id,
                scope -> paging.page(
                        window, issuances.newest(scope, "accountId", id, window), row -> row.id, views::issuance));
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/accounts/{account}/credentials")
    @Consumes("application/json")
    public Response createCredential(@PathParam("account") String account, byte[] body) {
        CredentialCreate form = bodies.read(body, CredentialCreate.class);
        Duration ttl = Issuing.ttl(form.ttl());
        return idempotency.onceRequired(body, () -> {
            Issuing.Result result = userAndIssue(account, form, ttl);
            return new Idempotency.Answer(
                    201,
                    new CredentialResult(result.user(), result.issuance(), result.jwt(), result.creds(), null),
                    new CredentialResult(result.user(), result.issuance(), null, null, DELIVERED),
                    null,
                    "/v1/users/" + result.user().id());
        });
    }

    /** A user whose first issuance fails stays: the name is shown with a failed issuance, and can be issued to again. */
    private Issuing.Result userAndIssue(String account, CredentialCreate form, Duration ttl) {
        String user = tenancy.onResource(request.principal(), account, scope -> {
            accounts.get(scope, account);
            scope.require(Permission.CREDENTIALS_WRITE);
            UserEntity row = issuing.addUser(scope, account, form.name(), form.signingKeyGroupId());
            locator.add(row.id, scope.orgId(), account);
            return row.id;
        });
        return issuing.issue(user, form.publicKey(), ttl);
    }

    private static Response answer(CredentialViews.User user) {
        return Response.ok(user).header("ETag", user.etag()).build();
    }
}
