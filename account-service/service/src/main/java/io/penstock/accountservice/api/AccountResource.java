package io.penstock.accountservice.api;

import io.penstock.accountservice.account.AccountService;
import io.penstock.accountservice.account.AccountSpec;
import io.penstock.accountservice.account.RevocationService;
import io.penstock.accountservice.issue.Activations;
import io.penstock.accountservice.issue.Ledger;
import io.penstock.accountservice.issue.ManagementCredentials;
import io.penstock.accountservice.statement.CurrentStatement;
import io.penstock.accountservice.store.SyncState;
import io.penstock.accountservice.sync.SyncQueue;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;

/** Accounts, their revocations and their ledgers. */
@Path("/internal/v1/accounts/{accountId}")
@RunOnVirtualThread
public class AccountResource {
    private final AccountService accounts;
    private final RevocationService revocations;
    private final ManagementCredentials management;
    private final Activations activations;
    private final Ledger ledger;
    private final Views views;
    private final SyncQueue queue;
    private final CurrentStatement statement;

    AccountResource(
            AccountService accounts,
            RevocationService revocations,
            ManagementCredentials management,
            Activations activations,
            Ledger ledger,
            Views views,
            SyncQueue queue,
            CurrentStatement statement) {
        this.accounts = accounts;
        this.revocations = revocations;
        this.management = management;
        this.activations = activations;
        this.ledger = ledger;
        this.views = views;
        this.queue = queue;
        this.statement = statement;
    }

    @PUT
    public Response put(@PathParam("accountId") String accountId, AccountSpec spec) {
        AccountService.Put put = accounts.put(statement.get(), accountId, spec);
        if (put.changed()) {
            queue.requestAndWait(accountId);
        }
        return Response.status(put.created() ? 201 : 200)
                .entity(views.summary(accountId))
                .build();
    }

    @GET
    public Response get(@PathParam("accountId") String accountId) {
        return Response.ok(views.detail(accountId)).build();
    }

    @DELETE
    public Response delete(@PathParam("accountId") String accountId) {
        if (accounts.delete(statement.get(), accountId)) {
            queue.requestAndWait(accountId);
        }
        return Response.accepted(views.summary(accountId)).build();
    }

    /** What is to be revoked; `before` is a unix second, now when it is null. */
    public record RevocationRequest(String userPublicKey, String reason, Long before) {}

    /** What was revoked. */
    public record RevocationAnswer(long revokedAt, long generation, long revision, SyncState syncState) {}

    @POST
    @Path("/revocations")
    public Response revoke(@PathParam("accountId") String accountId, RevocationRequest request) {
        String reason = request == null || request.reason() == null ? "" : request.reason();
        String key = request == null ? null : request.userPublicKey();
        Long before = request == null ? null : request.before();
        long second = revocations.revoke(statement.get(), accountId, key, reason, before);
        queue.requestAndWait(accountId);
        AccountView view = views.summary(accountId);
        return Response.status(201)
                .entity(new RevocationAnswer(second, view.desiredGeneration(), view.revision(), view.syncState()))
                .build();
    }

    @DELETE
    @Path("/revocations/{userPublicKey}")
    public Response lift(@PathParam("accountId") String accountId, @PathParam("userPublicKey") String userPublicKey) {
        revocations.lift(statement.get(), accountId, userPublicKey);
        queue.requestAndWait(accountId);
        return Response.ok(views.summary(accountId)).build();
    }

    @POST
    @Path("/activations")
    public Response activate(@PathParam("accountId") String accountId, Activations.Request request) {
        return Response.status(201)
                .entity(activations.issue(statement.get(), accountId, request))
                .build();
    }

    @POST
    @Path("/management-credential")
    public Response managementCredential(
            @PathParam("accountId") String accountId, ManagementCredentials.Request request) {
        return Response.status(201)
                .entity(management.issue(statement.get(), accountId, request))
                .build();
    }

    @GET
    @Path("/issuances")
    public Ledger.Page issuances(
            @PathParam("accountId") String accountId,
            @QueryParam("user_id") String userId,
            @QueryParam("cursor") String cursor) {
        return ledger.list(accountId, userId, cursor);
    }
}
