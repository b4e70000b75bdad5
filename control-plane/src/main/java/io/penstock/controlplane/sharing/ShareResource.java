package io.penstock.controlplane.sharing;

import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.operation.Commands;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Shown;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Shares, seen from their exporter. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ShareResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    ExportRepository exports;

    @Inject
    ShareRepository repository;

    @Inject
    Shares shares;

    @Inject
    AccountService accountService;

    @Inject
    AccountTouch accountTouch;

    @Inject
    Commands commands;

    @Inject
    DryRuns dryRuns;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** A share as its exporter sees it. */
    public record Share(
            String id,
            String exportId,
            String accountId,
            String targetAccountId,
            String targetPublicKey,
            String state,
            Instant expiresAt,
            Instant decidedAt,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** A new share. */
    public record ShareCreate(
            String targetAccountId,

            @Pattern(regexp = "A[A-Z2-7]{55}", message = "a public account nkey: A and 55 more characters")
            String targetPublicKey,

            Boolean autoAccept,
            String expiresIn) {}

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/exports/{export}/shares")
    public Paging.Page<Share> list(@PathParam("export") String export, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), export, scope -> {
            exports.get(scope, export);
            return paging.page(
                    window,
                    repository.window(scope, "exportId", export, window, "state <> 'revoked'"),
                    row -> row.id,
                    Shares::view);
        });
    }

    @POST
    @Requires(Permission.SHARING_WRITE)
    @Path("/exports/{export}/shares")
    @Consumes("application/json")
    public Response create(@PathParam("export") String export, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        ShareCreate form = bodies.read(body, ShareCreate.class);
        if (dryRun) {
            return Response.ok(dryRuns.of(
                            export, scope -> shares.write(scope, shares.plan(scope, export, form), "not signed")))
                    .build();
        }
        return idempotency.once(body, () -> {
            Shares.Plan plan =
                    tenancy.onResource(request.principal(), export, scope -> shares.plan(scope, export, form));
            String token = accountService.activate(
                    new AccountService.Reason(request.principal().userId(), "share.create", request.requestId()),
                    plan.exporterAccountId(),
                    plan.activation());
            return tenancy.onResource(request.principal(), export, scope -> {
                Share made = shares.write(scope, plan, token).after();
                return idempotency.settle(Idempotency.Answer.created("/v1/shares/", made));
            });
        });
    }

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/shares/{share}")
    public Response get(@PathParam("share") String id) {
        Share share = tenancy.onResource(request.principal(), id, scope -> Shares.view(shares.get(scope, id)));
        return Etags.answer(share);
    }

    @DELETE
    @Requires(Permission.SHARING_WRITE)
    @Path("/shares/{share}")
    public Response delete(
            @PathParam("share") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        List<AccountTouch.Importer> importers = new ArrayList<>();
        Function<Scope, Outcome<Share>> work = scope -> shares.revoke(scope, id, ifMatch, importers);
        return commands.delete(id, dryRun, work, () -> accountTouch.importers(importers));
    }
}
