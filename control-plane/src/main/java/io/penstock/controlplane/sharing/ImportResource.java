package io.penstock.controlplane.sharing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.account.SyncView;
import io.penstock.controlplane.operation.Commands;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Shown;
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
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Imports of accounts. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ImportResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    ImportRepository repository;

    @Inject
    Imports imports;

    @Inject
    Commands commands;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    /** An import as it is shown. */
    public record Import(
            String id,
            String accountId,
            String name,
            String subject,
            String type,
            String localSubject,
            boolean shareConnectionInfo,
            boolean allowTrace,
            String remoteAccountId,
            String remotePublicKey,
            String shareId,
            String activation,
            String state,
            Instant expiresAt,
            SyncView sync,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** A new import. */
    public record ImportCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            String subject,

            @NotNull(message = "a type is needed") @Pattern(regexp = "stream|service", message = "stream or service")
            String type,

            String localSubject,
            Boolean shareConnectionInfo,
            Boolean allowTrace,
            String remoteAccountId,

            @Pattern(regexp = "A[A-Z2-7]{55}", message = "a public account nkey: A and 55 more characters")
            String remotePublicKey,

            String shareId,

            @Size(max = 65_536, message = "at most 65536 characters")
            String activationToken) {}

    /** What may be changed. */
    public record ImportPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            String subject,
            String localSubject,
            Boolean shareConnectionInfo,
            Boolean allowTrace,

            @Size(max = 65_536, message = "at most 65536 characters")
            String activationToken) {}

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/accounts/{account}/imports")
    public Paging.Page<Import> list(
            @PathParam("account") String account, @QueryParam("filter[name]") String name, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), account, scope -> {
            accounts.get(scope, account);
            List<ImportEntity> rows = repository.named(scope, "accountId", account, window, name);
            var page = paging.page(window, rows, row -> row.id, row -> row);
            return new Paging.Page<>(imports.views(scope, page.data()), page.page());
        });
    }

    @POST
    @Requires(Permission.SHARING_WRITE)
    @Path("/accounts/{account}/imports")
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        ImportCreate form = bodies.read(body, ImportCreate.class);
        Function<Scope, Outcome<Import>> work = scope -> imports.create(scope, account, form);
        return commands.create(account, dryRun, body, "/v1/imports/", work);
    }

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/imports/{import}")
    public Response get(@PathParam("import") String id) {
        return Etags.answer(
                tenancy.onResource(request.principal(), id, scope -> imports.view(scope, repository.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.SHARING_WRITE)
    @Path("/imports/{import}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("import") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode raw = bodies.object(body);
        ImportPatch patch = bodies.read(body, ImportPatch.class);
        Function<Scope, Outcome<Import>> work = scope -> imports.update(scope, id, ifMatch, raw, patch);
        return commands.update(id, dryRun, work);
    }

    @DELETE
    @Requires(Permission.SHARING_WRITE)
    @Path("/imports/{import}")
    public Response delete(
            @PathParam("import") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        Function<Scope, Outcome<Import>> work = scope -> imports.delete(scope, id, ifMatch);
        return commands.delete(id, dryRun, work);
    }
}
