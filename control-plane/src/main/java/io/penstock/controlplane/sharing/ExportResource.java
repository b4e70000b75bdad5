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
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Exports of accounts. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ExportResource {
    private static final String RESPONSE = "singleton|stream|chunked";
    private static final String RESPONSE_RULE = "singleton, stream or chunked";

    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    ExportRepository repository;

    @Inject
    Exports exports;

    @Inject
    AccountTouch accountTouch;

    @Inject
    Commands commands;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    /** Latency reports of a service. */
    public record ServiceLatency(
            @NotNull(message = "a percentage is needed")
            @Min(value = 0, message = "0 to 100 percent")
            @Max(value = 100, message = "0 to 100 percent")
            Integer sampling,

            @NotNull(message = "a subject is needed") String subject) {}

    /** An export as it is shown. */
    public record Export(
            String id,
            String accountId,
            String name,
            String subject,
            String type,
            String description,
            String responseType,
            boolean tokenRequired,
            int accountTokenPosition,
            ServiceLatency serviceLatency,
            boolean allowTrace,
            boolean advertise,
            long shareCount,
            SyncView sync,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** A new export. */
    public record ExportCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @NotNull(message = "a subject is needed") String subject,

            @NotNull(message = "a type is needed") @Pattern(regexp = "stream|service", message = "stream or service")
            String type,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            @Pattern(regexp = RESPONSE, message = RESPONSE_RULE)
            String responseType,

            Boolean tokenRequired,
            Integer accountTokenPosition,

            @Valid ServiceLatency serviceLatency,

            Boolean allowTrace,
            Boolean advertise) {}

    /** What may be changed. */
    public record ExportPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            String subject,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            @Pattern(regexp = RESPONSE, message = RESPONSE_RULE)
            String responseType,

            Boolean tokenRequired,
            Integer accountTokenPosition,

            @Valid ServiceLatency serviceLatency,

            Boolean allowTrace,
            Boolean advertise) {}

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/accounts/{account}/exports")
    public Paging.Page<Export> list(
            @PathParam("account") String account, @QueryParam("filter[name]") String name, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), account, scope -> {
            accounts.get(scope, account);
            List<ExportEntity> rows = repository.named(scope, "accountId", account, window, name);
            var page = paging.page(window, rows, row -> row.id, row -> row);
            return new Paging.Page<>(exports.views(page.data()), page.page());
        });
    }

    @POST
    @Requires(Permission.SHARING_WRITE)
    @Path("/accounts/{account}/exports")
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        ExportCreate form = bodies.read(body, ExportCreate.class);
        Function<Scope, Outcome<Export>> work = scope -> exports.create(scope, account, form);
        return commands.create(account, dryRun, body, "/v1/exports/", work);
    }

    @GET
    @Requires(Permission.SHARING_READ)
    @Path("/exports/{export}")
    public Response get(@PathParam("export") String id) {
        return Etags.answer(
                tenancy.onResource(request.principal(), id, scope -> exports.view(repository.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.SHARING_WRITE)
    @Path("/exports/{export}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("export") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode raw = bodies.object(body);
        ExportPatch patch = bodies.read(body, ExportPatch.class);
        Function<Scope, Outcome<Export>> work = scope -> exports.update(scope, id, ifMatch, raw, patch);
        return commands.update(id, dryRun, work);
    }

    @DELETE
    @Requires(Permission.SHARING_WRITE)
    @Path("/exports/{export}")
    public Response delete(
            @PathParam("export") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        List<AccountTouch.Importer> importers = new ArrayList<>();
        Function<Scope, Outcome<Export>> work = scope -> exports.delete(scope, id, ifMatch, importers);
        return commands.delete(id, dryRun, work, () -> accountTouch.importers(importers));
    }
}
