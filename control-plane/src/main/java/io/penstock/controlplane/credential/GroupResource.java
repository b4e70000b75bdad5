package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.account.Accounts;
import io.penstock.controlplane.account.SyncQueue;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.Commands;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
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
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Signing-key groups. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class GroupResource {
    private static final Duration DEFAULT_OVERLAP = Duration.ofDays(3);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(365);

    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    GroupRepository groups;

    @Inject
    UserRepository users;

    @Inject
    Accounts factory;

    @Inject
    AccountService accountService;

    @Inject
    CredentialViews views;

    @Inject
    TemplateCheck check;

    @Inject
    SyncQueue queue;

    @Inject
    Locator locator;

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

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    /** A new group. */
    public record SigningKeyGroupCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            ScopeTemplate template) {}

    /** What may be changed. A template replaces the whole template. */
    public record SigningKeyGroupPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            ScopeTemplate template) {}

    /** How long JWTs of the previous key stay good. */
    public record RotateKeyRequest(String overlap) {}

    @GET
    @Requires(Permission.SIGNING_KEYS_READ)
    @Path("/accounts/{account}/signing-key-groups")
    public Paging.Page<CredentialViews.SigningKeyGroup> list(
            @PathParam("account") String account, @QueryParam("filter[name]") String name, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), account, scope -> {
            accounts.get(scope, account);
            List<GroupEntity> rows = groups.named(scope, "accountId", account, window, name);
            var page = paging.page(window, rows, row -> row.id, row -> row);
            return new Paging.Page<>(views.groups(page.data()), page.page());
        });
    }

    @POST
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/accounts/{account}/signing-key-groups")
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        SigningKeyGroupCreate form = bodies.read(body, SigningKeyGroupCreate.class);
        check.validate(form.template());
        Function<Scope, Outcome<CredentialViews.SigningKeyGroup>> work = scope -> {
            accounts.get(scope, account);
            return Outcome.created(views.group(factory.createGroup(
                    scope, account, factory.nextGroupId(), form.name(), form.description(), form.template())));
        };
        return commands.create(account, dryRun, body, "/v1/signing-key-groups/", work);
    }

    @GET
    @Requires(Permission.SIGNING_KEYS_READ)
    @Path("/signing-key-groups/{group}")
    public Response get(@PathParam("group") String id) {
        return Etags.answer(tenancy.onResource(
                request.principal(), id, scope -> views.group(load(scope, id, Permission.SIGNING_KEYS_READ))));
    }

    @PATCH
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/signing-key-groups/{group}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("group") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        SigningKeyGroupPatch patch = bodies.read(body, SigningKeyGroupPatch.class);
        check.validate(patch.template());
        Function<Scope, Outcome<CredentialViews.SigningKeyGroup>> work = scope -> change(scope, id, ifMatch, patch);
        return commands.update(id, dryRun, work);
    }

    private Outcome<CredentialViews.SigningKeyGroup> change(
            Scope scope, String id, String ifMatch, SigningKeyGroupPatch patch) {
        GroupEntity row = load(scope, id, Permission.SIGNING_KEYS_WRITE);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        CredentialViews.SigningKeyGroup before = views.group(row);
        row.name = patch.name() == null ? row.name : patch.name();
        row.description = patch.description() == null ? row.description : patch.description();
        row.template = patch.template() == null
                ? row.template
                : factory.write(patch.template().withDefaults());
        Outcome<CredentialViews.SigningKeyGroup> outcome = Outcome.changed(before, views.group(row));
        if (dryRuns.view(outcome).changes().isEmpty()) {
            return outcome;
        }
        row.desiredGeneration++;
        row.syncState = "syncing";
        row.syncSince = clock.instant();
        row.updatedAt = clock.instant();
        groups.flush();
        queue.enqueue(scope.orgId(), row.accountId);
        audit.success(
                scope,
                "signing_key_group.updated",
                "/v1/signing-key-groups/" + id,
                Map.of("name", row.name, "template_changed", patch.template() != null));
        outcome = Outcome.changed(before, views.group(row));
        boolean disconnects = !before.template().equals(outcome.after().template()) && before.userCount() > 0;
        return disconnects
                ? outcome.affecting(Map.of("users", before.userCount()))
                        .warning("Clients of the group's users are disconnected and come back under the new template.")
                : outcome;
    }

    @POST
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/signing-key-groups/{group}/actions/rotate")
    @Consumes("application/json")
    public Response rotate(@PathParam("group") String id, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        RotateKeyRequest form = bodies.read(body, RotateKeyRequest.class);
        Duration overlap = form.overlap() == null
                ? DEFAULT_OVERLAP
                : Issuing.span("overlap", form.overlap(), Duration.ZERO, LONGEST_OVERLAP, "from 0s to 8760h");
        CredentialViews.SigningKeyGroup before = tenancy.onResource(
                request.principal(), id, scope -> views.group(load(scope, id, Permission.SIGNING_KEYS_WRITE)));
        if (dryRun) {
            return Response.ok(DryRuns.action(
                            Map.of("users", before.userCount()),
                            "JWTs signed with the present key are good for another " + overlap.toHours()
                                    + " hours; issue new ones before that."))
                    .build();
        }
        return idempotency.once(body, () -> {
            accountService.rotateGroup(
                    new AccountService.Reason(
                            request.principal().userId(), "signing_key_group.rotate", request.requestId()),
                    before.accountId(),
                    id,
                    overlap.toSeconds());
            CredentialViews.SigningKeyGroup group = tenancy.onResource(request.principal(), id, scope -> {
                GroupEntity row = load(scope, id, Permission.SIGNING_KEYS_WRITE);
                queue.enqueue(scope.orgId(), row.accountId);
                audit.success(
                        scope,
                        "signing_key_group.rotated",
                        "/v1/signing-key-groups/" + id,
                        Map.of("name", row.name, "overlap_seconds", overlap.toSeconds()));
                return views.group(row);
            });
            return new Idempotency.Answer(200, group, group, group.etag(), null);
        });
    }

    @DELETE
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/signing-key-groups/{group}")
    public Response delete(
            @PathParam("group") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        GroupEntity group = tenancy.onResource(request.principal(), id, scope -> removable(scope, id, ifMatch));
        if (dryRun) {
            return Response.ok(dryRuns.of(id, scope -> Outcome.deleted(views.group(removable(scope, id, ifMatch)))))
                    .build();
        }
        // The keys go first: a row without keys can be deleted again, keys without a row would sign unseen.
        accountService.deleteGroup(
                new AccountService.Reason(
                        request.principal().userId(), "signing_key_group.delete", request.requestId()),
                group.accountId,
                id);
        tenancy.onResource(request.principal(), id, scope -> {
            groups.deleteById(id);
            locator.remove(id);
            audit.success(
                    scope, "signing_key_group.deleted", "/v1/signing-key-groups/" + id, Map.of("name", group.name));
            return null;
        });
        return Response.noContent().build();
    }

    private GroupEntity removable(Scope scope, String id, String ifMatch) {
        GroupEntity row = load(scope, id, Permission.SIGNING_KEYS_WRITE);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        long left = users.count("groupId", id);
        if (left > 0) {
            throw ProblemException.of(
                            ErrorCode.HAS_DEPENDENTS, "The group has users. Delete them first, or let the group be.")
                    .param("users", left);
        }
        return row;
    }

    private GroupEntity load(Scope scope, String id, Permission needed) {
        GroupEntity row = groups.get(scope, id);
        scope.require(needed);
        return row;
    }
}
