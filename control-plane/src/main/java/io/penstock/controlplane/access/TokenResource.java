package io.penstock.controlplane.access;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Tokens of service accounts; of personal tokens the metadata, and their revocation. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class TokenResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    ServiceAccountRepository serviceAccounts;

    @Inject
    ApiTokenRepository rows;

    @Inject
    ApiTokens tokens;

    @Inject
    TokenViews views;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    @GET
    @Requires(Permission.SERVICE_ACCOUNTS_READ)
    @Path("/orgs/{org}/tokens")
    public Paging.Page<TokenViews.ApiToken> all(@PathParam("org") String org, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onOrganization(
                request.principal(),
                org,
                scope -> page(scope, window, rows.window(scope, "orgId", scope.orgId(), window)));
    }

    @GET
    @Requires(Permission.SERVICE_ACCOUNTS_READ)
    @Path("/service-accounts/{service_account}/tokens")
    public Paging.Page<TokenViews.ApiToken> ofServiceAccount(
            @PathParam("service_account") String id, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), id, scope -> {
            serviceAccounts.get(scope, id);
            return page(scope, window, rows.window(scope, "ownerId", id, window));
        });
    }

    private Paging.Page<TokenViews.ApiToken> page(Scope scope, Paging.Window window, List<ApiTokenEntity> found) {
        Paging.Page<ApiTokenEntity> page = paging.page(window, found, row -> row.id, row -> row);
        return new Paging.Page<>(views.views(scope, page.data()), page.page());
    }

    @POST
    @Requires(Permission.SERVICE_ACCOUNTS_WRITE)
    @Path("/service-accounts/{service_account}/tokens")
    @Consumes("application/json")
    public Response create(@PathParam("service_account") String id, byte[] body) {
        ApiTokens.Wish wish = bodies.read(body, TokenForms.ApiTokenCreate.class).wish();
        return idempotency.onceRequired(
                body,
                () -> tenancy.onResource(request.principal(), id, scope -> {
                    ServiceAccountEntity owner = serviceAccounts.get(scope, id);
                    ApiTokens.Made made =
                            tokens.create(scope, TokenFormat.Kind.SERVICE_ACCOUNT, owner.id, owner.projectId, wish);
                    return idempotency.settle(TokenViews.once(
                            views.view(scope, made.token()), made.secret(), "/v1/tokens/" + made.token().id));
                }));
    }

    @GET
    @Requires(Permission.SERVICE_ACCOUNTS_READ)
    @Path("/tokens/{token}")
    public Response get(@PathParam("token") String id) {
        return Etags.answer(
                tenancy.onResource(request.principal(), id, scope -> views.view(scope, rows.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.SERVICE_ACCOUNTS_WRITE)
    @Path("/tokens/{token}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(@PathParam("token") String id, @HeaderParam("If-Match") String ifMatch, byte[] body) {
        TokenForms.ApiTokenPatch patch = bodies.read(body, TokenForms.ApiTokenPatch.class);
        return Etags.answer(tenancy.onResource(request.principal(), id, scope -> {
            ApiTokenEntity row = ofServiceAccount(rows.get(scope, id));
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            tokens.requireNotRevoked(row);
            if (apply(scope, row, patch)) {
                row.updatedAt = clock.instant();
                rows.flush();
                audit.success(scope, "token.updated", ApiTokens.resource(row), ApiTokens.details(row));
            }
            return views.view(scope, row);
        }));
    }

    private boolean apply(Scope scope, ApiTokenEntity row, TokenForms.ApiTokenPatch patch) {
        List<Object> before = state(row);
        if (patch.name() != null) {
            row.name = patch.name();
        }
        if (patch.scopes() != null) {
            row.scopes = ApiTokenEntity.text(TokenLimits.scopes(patch.scopes()));
        }
        if (patch.projectIds() != null) {
            row.projectIds = ApiTokenEntity.text(tokens.checkedProjects(scope, patch.projectIds()));
        }
        if (patch.cidrs() != null) {
            row.cidrs = ApiTokenEntity.text(TokenLimits.cidrs(patch.cidrs()));
        }
        if (patch.disabled() != null) {
            row.disabled = patch.disabled();
        }
        tokens.requireNoMoreThanCaller(scope, row);
        return !before.equals(state(row));
    }

    private static List<Object> state(ApiTokenEntity row) {
        return List.of(row.name, row.scopes, row.projectIds, row.cidrs, row.disabled);
    }

    @DELETE
    @Requires(Permission.SERVICE_ACCOUNTS_WRITE)
    @Path("/tokens/{token}")
    public Response revoke(@PathParam("token") String id, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onResource(request.principal(), id, scope -> {
            ApiTokenEntity row = rows.get(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            tokens.revoke(scope, row);
            return null;
        });
        return Response.noContent().build();
    }

    @POST
    @Requires(Permission.SERVICE_ACCOUNTS_WRITE)
    @Path("/tokens/{token}/actions/rotate")
    @Consumes("application/json")
    public Response rotate(@PathParam("token") String id, byte[] body) {
        TokenForms.ApiTokenRotate form = bodies.read(body, TokenForms.ApiTokenRotate.class);
        Duration overlap = TokenLimits.overlap(form.overlap());
        Duration life = form.expiresIn() == null ? null : TokenLimits.life(form.expiresIn());
        return idempotency.onceRequired(
                body,
                () -> tenancy.onResource(request.principal(), id, scope -> {
                    ApiTokens.Made made = tokens.rotate(scope, ofServiceAccount(rows.get(scope, id)), overlap, life);
                    return idempotency.settle(
                            TokenViews.once(views.view(scope, made.token()), made.secret(), "/v1/tokens/" + id));
                }));
    }

    /** A new secret of a personal token would let its maker act as that person. */
    private static ApiTokenEntity ofServiceAccount(ApiTokenEntity row) {
        if (row.personal()) {
            throw ProblemException.of(
                    ErrorCode.PERMISSION_DENIED, "A personal token is changed by its owner only. You can revoke it.");
        }
        return row;
    }
}
