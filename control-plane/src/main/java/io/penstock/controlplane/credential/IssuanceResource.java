package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;

/** The ledger of what was issued. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class IssuanceResource {
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
    Revoking revoking;

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

    @Inject
    Audit audit;

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/issuances/{issuance}")
    public CredentialViews.Issuance issuance(@PathParam("issuance") String id) {
        return tenancy.onResource(request.principal(), id, scope -> views.issuance(issuances.get(scope, id)));
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/issuances/{issuance}/actions/revoke")
    @Consumes("application/json")
    public Response revokeIssuance(
            @PathParam("issuance") String id, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        String reason = bodies.read(body, RevokeRequest.class).text();
        IssuanceEntity row = tenancy.onResource(request.principal(), id, scope -> issuances.get(scope, id));
        if (dryRun) {
            return Response.ok(DryRuns.action(Map.of("credentials", "issued".equals(row.state) ? 1L : 0L)))
                    .build();
        }
        return idempotency.once(body, () -> {
            int revoked = revoking.revoke("credential.revoke", row.accountId, List.of(id), reason);
            CredentialViews.Issuance issuance = tenancy.onResource(request.principal(), id, scope -> {
                audit.success(
                        scope,
                        "credential.revoked",
                        "/v1/users/" + row.userId,
                        Map.of("user", row.userName, "issuances", revoked, "reason", reason));
                return views.issuance(issuances.get(scope, id));
            });
            return new Idempotency.Answer(200, issuance, issuance, null, null);
        });
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/users/{user}/issuances")
    public Paging.Page<CredentialViews.Issuance> ofUser(@PathParam("user") String id, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        UserEntity user = tenancy.onResource(request.principal(), id, scope -> users.get(scope, id));
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
        String org = tenancy.onResource(request.principal(), id, scope -> accounts.get(scope, id).orgId);
        ledger.refresh(org, id);
        return tenancy.onResource(
                request.principal(),
                id,
                scope -> paging.page(
                        window, issuances.newest(scope, "accountId", id, window), row -> row.id, views::issuance));
    }
}
