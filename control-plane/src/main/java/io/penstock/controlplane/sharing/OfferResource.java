package io.penstock.controlplane.sharing;

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
import io.penstock.controlplane.web.Tagged;
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
import java.time.Instant;
import java.util.function.Function;

/** Shares, seen from the account they are offered to. */
@Path("/v1/accounts/{account}/offers")
@Produces("application/json")
@RunOnVirtualThread
public class OfferResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    Offers offers;

    @Inject
    DryRuns dryRuns;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** A share as its target sees it. */
    public record Offer(
            String shareId,
            String accountId,
            String exporterAccountId,
            String exporterPublicKey,
            String name,
            String subject,
            String type,
            String description,
            String responseType,
            int accountTokenPosition,
            String state,
            Instant expiresAt,
            long importCount,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Tagged {}

    @GET
    @Requires(Permission.SHARING_READ)
    public Paging.Page<Offer> list(@PathParam("account") String account, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), account, scope -> offers.list(scope, account, paging, window));
    }

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/{share}")
    public Response get(@PathParam("account") String account, @PathParam("share") String share) {
        Offer offer = tenancy.onResource(request.principal(), account, scope -> offers.get(scope, account, share));
        return Etags.answer(offer);
    }

    @POST
    @Requires(Permission.SHARING_WRITE)
    @Path("/{share}/actions/accept")
    @Consumes("application/json")
    public Response accept(
            @PathParam("account") String account,
            @PathParam("share") String share,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        return decide(account, share, true, dryRun, body);
    }

    @POST
    @Requires(Permission.SHARING_WRITE)
    @Path("/{share}/actions/decline")
    @Consumes("application/json")
    public Response decline(
            @PathParam("account") String account,
            @PathParam("share") String share,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        return decide(account, share, false, dryRun, body);
    }

    private Response decide(String account, String share, boolean accept, boolean dryRun, byte[] body) {
        bodies.nothing(body);
        Function<Scope, Outcome<Offer>> work = scope -> offers.decide(scope, account, share, accept);
        if (dryRun) {
            return Response.ok(dryRuns.of(account, work)).build();
        }
        return idempotency.once(
                body,
                () -> tenancy.onResource(request.principal(), account, scope -> {
                    Offer offer = work.apply(scope).after();
                    return idempotency.settle(new Idempotency.Answer(200, offer, offer, offer.etag(), null));
                }));
    }
}
