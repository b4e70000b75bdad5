package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.account.Accounts;
import io.penstock.controlplane.account.SyncQueue;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.util.Map;

/** Signing-key groups. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class GroupResource {
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

    @GET
    @Requires(Permission.SIGNING_KEYS_READ)
    @Path("/accounts/{account}/signing-key-groups")
    public Paging.Page<CredentialViews.SigningKeyGroup> list(
            @PathParam("account") String account, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), account, scope -> {
            accounts.get(scope, account);
            scope.require(Permission.SIGNING_KEYS_READ);
            return paging.page(window, groups.window(scope, "accountId", account, window), row -> row.id, views::group);
        });
    }

    @POST
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/accounts/{account}/signing-key-groups")
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, byte[] body) {
        SigningKeyGroupCreate form = bodies.read(body, SigningKeyGroupCreate.class);
        check.validate(form.template());
        return idempotency.once(body, () -> {
            CredentialViews.SigningKeyGroup made = tenancy.onResource(request.principal(), account, scope -> {
                accounts.get(scope, account);
                scope.require(Permission.SIGNING_KEYS_WRITE);
                return views.group(factory.createGroup(
                        scope, account, factory.nextGroupId(), form.name(), form.description(), form.template()));
            });
            return Idempotency.Answer.created(made, made.etag(), "/v1/signing-key-groups/" + made.id());
        });
    }

    @GET
    @Requires(Permission.SIGNING_KEYS_READ)
    @Path("/signing-key-groups/{group}")
    public Response get(@PathParam("group") String id) {
        return answer(tenancy.onResource(
                request.principal(), id, scope -> views.group(load(scope, id, Permission.SIGNING_KEYS_READ))));
    }

    @PATCH
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/signing-key-groups/{group}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(@PathParam("group") String id, @HeaderParam("If-Match") String ifMatch, byte[] body) {
        SigningKeyGroupPatch patch = bodies.read(body, SigningKeyGroupPatch.class);
        check.validate(patch.template());
        return answer(tenancy.onResource(request.principal(), id, scope -> {
            GroupEntity row = load(scope, id, Permission.SIGNING_KEYS_WRITE);
            Etags.require(ifMatch, Etags.ofVersion(row.version));
            row.name = patch.name() == null ? row.name : patch.name();
            row.description = patch.description() == null ? row.description : patch.description();
            row.template = patch.template() == null
                    ? row.template
                    : factory.write(patch.template().withDefaults());
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
            return views.group(row);
        }));
    }

    @DELETE
    @Requires(Permission.SIGNING_KEYS_WRITE)
    @Path("/signing-key-groups/{group}")
    public Response delete(@PathParam("group") String id, @HeaderParam("If-Match") String ifMatch) {
        GroupEntity group = tenancy.onResource(request.principal(), id, scope -> {
            GroupEntity row = load(scope, id, Permission.SIGNING_KEYS_WRITE);
            Etags.require(ifMatch, Etags.ofVersion(row.version));
            long left = users.count("groupId", id);
            if (left > 0) {
                throw ProblemException.of(ErrorCode.HAS_DEPENDENTS, "The group has users. A group with users stays.")
                        .param("users", left);
            }
            return row;
        });
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

    private GroupEntity load(Scope scope, String id, Permission needed) {
        GroupEntity row = groups.get(scope, id);
        scope.require(needed);
        return row;
    }

    private static Response answer(CredentialViews.SigningKeyGroup group) {
        return Response.ok(group).header("ETag", group.etag()).build();
    }
}
