package io.penstock.controlplane.operation;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;

/** Operations. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class OperationResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    OperationRepository repository;

    @Inject
    Operations operations;

    @Inject
    Paging paging;

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/operations/{operation}")
    public Operations.View get(@PathParam("operation") String id) {
        return tenancy.onResource(request.principal(), id, scope -> operations.view(scope, repository.get(scope, id)));
    }

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/accounts/{account}/operations")
    public Paging.Page<Operations.View> list(@PathParam("account") String account, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), account, scope -> {
            accounts.any(scope, account);
            return paging.page(
                    window,
                    repository.newest(scope, "accountId", account, window),
                    row -> row.id,
                    row -> operations.view(scope, row));
        });
    }
}
