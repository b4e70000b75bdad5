package io.penstock.controlplane.access;

import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Self;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A person's own tokens. Each works in one organisation, with what the person may do there at the time of the call. */
@Path("/v1/me/tokens")
@Produces("application/json")
@RunOnVirtualThread
public class PersonalTokenResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    ApiTokenRepository rows;

    @Inject
    ApiTokens tokens;

    @Inject
    TokenViews views;

    @Inject
    Organizations organizations;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    @GET
    @Self
    public Paging.Page<TokenViews.ApiToken> list(@Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        var who = request.principal();
        List<ApiTokenEntity> own = tenancy.asUser(who, () -> rows.list("ownerId = ?1 order by id", who.userId()));
        Set<String> joined = organizations.memberships(who).stream()
                .map(Organizations.Membership::id)
                .collect(Collectors.toSet());
        List<TokenViews.ApiToken> shown = own.stream()
                .filter(row -> joined.contains(row.orgId))
                .map(row -> tenancy.onResource(who, row.orgId, scope -> views.view(scope, row)))
                .toList();
        return paging.slice(window, shown, TokenViews.ApiToken::id);
    }

    @POST
    @Self
    @Consumes("application/json")
    public Response create(byte[] body) {
        TokenForms.PersonalTokenCreate form = bodies.read(body, TokenForms.PersonalTokenCreate.class);
        ApiTokens.Wish wish = form.wish();
        return idempotency.onceRequired(
                body,
                () -> tenancy.onOrganization(request.principal(), form.organizationId(), scope -> {
                    String owner = scope.principal().userId();
                    ApiTokens.Made made = tokens.create(scope, TokenFormat.Kind.PERSONAL, owner, null, wish);
                    return idempotency.settle(TokenViews.once(
                            views.view(scope, made.token()), made.secret(), "/v1/me/tokens/" + made.token().id));
                }));
    }

    @GET
    @Self
    @Path("/{token}")
    public Response get(@PathParam("token") String id) {
        return Etags.answer(tenancy.onResource(request.principal(), id, scope -> views.view(scope, own(scope, id))));
    }

    @DELETE
    @Self
    @Path("/{token}")
    public Response revoke(@PathParam("token") String id, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onResource(request.principal(), id, scope -> {
            ApiTokenEntity row = own(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            tokens.revoke(scope, row);
            return null;
        });
        return Response.noContent().build();
    }

    @POST
    @Self
    @Path("/{token}/actions/rotate")
    @Consumes("application/json")
    public Response rotate(@PathParam("token") String id, byte[] body) {
        TokenForms.ApiTokenRotate form = bodies.read(body, TokenForms.ApiTokenRotate.class);
        Duration overlap = TokenLimits.overlap(form.overlap());
        Duration life = form.expiresIn() == null ? null : TokenLimits.life(form.expiresIn());
        return idempotency.onceRequired(
                body,
                () -> tenancy.onResource(request.principal(), id, scope -> {
                    ApiTokens.Made made = tokens.rotate(scope, own(scope, id), overlap, life);
                    return idempotency.settle(
                            TokenViews.once(views.view(scope, made.token()), made.secret(), "/v1/me/tokens/" + id));
                }));
    }

    private ApiTokenEntity own(Scope scope, String id) {
        ApiTokenEntity row = rows.get(scope, id);
        if (!row.personal() || !row.ownerId.equals(scope.principal().userId())) {
            throw ProblemException.notFound();
        }
        return row;
    }
}
