package io.penstock.controlplane.account;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.BrokerUsage;
import io.penstock.controlplane.operation.Commands;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.operation.Operations;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.project.ProjectEntity;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Shown;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
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
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Accounts. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class AccountResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    ProjectRepository projects;

    @Inject
    AccountRepository accounts;

    @Inject
    Accounts factory;

    @Inject
    AccountViews views;

    @Inject
    AccountChanges changes;

    @Inject
    AccountDeletion deletion;

    @Inject
    AccountUse use;

    @Inject
    Commands commands;

    @Inject
    DryRuns dryRuns;

    @Inject
    BrokerUsage usage;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    @ConfigProperty(name = "penstock.client-urls")
    List<String> clientUrls;

    @ConfigProperty(name = "penstock.websocket-urls")
    Optional<List<String>> websocketUrls;

    @ConfigProperty(name = "penstock.tls-required", defaultValue = "false")
    boolean tlsRequired;

    /** An account as it is shown. */
    public record Account(
            String id,
            String organizationId,
            String projectId,
            String name,
            String publicKey,
            String state,
            AccountLimits limits,
            boolean deletionProtection,
            PermissionSet defaultPermissions,
            List<SubjectMapping> mappings,
            Instant deletedAt,
            Instant purgeAt,
            BrokerUsage.AccountUsage usage,
            SyncView sync,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Shown {
        Account with(BrokerUsage.AccountUsage measured) {
            return new Account(
                    id,
                    organizationId,
                    projectId,
                    name,
                    publicKey,
                    state,
                    limits,
                    deletionProtection,
                    defaultPermissions,
                    mappings,
                    deletedAt,
                    purgeAt,
                    measured,
                    sync,
                    createdAt,
                    updatedAt,
                    etag);
        }
    }

    /** A new account. */
    public record AccountCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            AccountLimitsPatch limits,
            Boolean deletionProtection,
            PermissionSet defaultPermissions,
            List<SubjectMapping> mappings) {}

    /** What may be changed. */
    public record AccountPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            AccountLimitsPatch limits,
            Boolean deletionProtection,
            PermissionSet defaultPermissions,
            List<SubjectMapping> mappings) {}

    /** Where clients connect. */
    public record ConnectInfo(
            List<String> clientUrls,
            List<String> websocketUrls,
            boolean tlsRequired,
            String accountPublicKey,
            String serverVersion) {}

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/projects/{project}/accounts")
    public Paging.Page<Account> list(
            @PathParam("project") String project,
            @QueryParam("filter[name]") String name,
            @QueryParam("filter[state]") String state,
            @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        if (state != null && !"deleted".equals(state)) {
            throw ProblemException.invalidQuery("filter[state]", "can be `deleted`");
        }
        String condition = "deletedAt is " + (state == null ? "null" : "not null");
        return tenancy.onResource(request.principal(), project, scope -> {
            projects.get(scope, project);
            scope.require(Permission.ACCOUNTS_READ);
            List<AccountEntity> rows = name == null
                    ? accounts.window(scope, "projectId", project, window, condition)
                    : accounts.window(scope, "projectId", project, window, condition + " and name = ?4", name);
            return paging.page(window, rows, row -> row.id, views::account);
        });
    }

    @POST
    @Requires(Permission.ACCOUNTS_WRITE)
    @Path("/projects/{project}/accounts")
    @Consumes("application/json")
    public Response create(@PathParam("project") String project, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        AccountCreate form = bodies.read(body, AccountCreate.class);
        changes.validate(form.defaultPermissions(), form.mappings());
        return commands.create(
                project, dryRun, body, "/v1/accounts/", scope -> Outcome.created(make(scope, project, form)));
    }

    private Account make(Scope scope, String project, AccountCreate form) {
        ProjectEntity parent = projects.get(scope, project);
        scope.require(Permission.ACCOUNTS_WRITE);
        AccountEntity row = factory.create(
                scope,
                project,
                factory.nextAccountId(),
                form.name(),
                fresh -> changes.apply(fresh, form, parent.isProduction()));
        factory.createGroup(scope, row.id, factory.nextGroupId(), Accounts.DEFAULT_GROUP, "", null);
        return views.account(row);
    }

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/accounts/{account}")
    public Response get(@PathParam("account") String id) {
        Account account = tenancy.onResource(
                request.principal(), id, scope -> views.account(load(scope, id, Permission.ACCOUNTS_READ)));
        return Etags.answer(account.with(usage.of(id).orElse(null)));
    }

    @PATCH
    @Requires(Permission.ACCOUNTS_WRITE)
    @Path("/accounts/{account}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("account") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode raw = bodies.object(body);
        AccountPatch patch = bodies.read(body, AccountPatch.class);
        changes.validate(patch.defaultPermissions(), patch.mappings());
        AccountUse.Use now = patch.limits() == null ? null : use.now(id);
        Function<Scope, Outcome<Account>> work = scope -> changes.update(scope, id, ifMatch, raw, patch, now);
        return commands.update(id, dryRun, work);
    }

    @DELETE
    @Requires(Permission.ACCOUNTS_WRITE)
    @Path("/accounts/{account}")
    public Response delete(
            @PathParam("account") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        if (dryRun) {
            tenancy.onResource(request.principal(), id, scope -> load(scope, id, Permission.ACCOUNTS_WRITE));
            Map<String, Object> now = use.now(id).affected();
            return Response.ok(dryRuns.of(
                            id,
                            scope -> deletion.delete(scope, id, ifMatch, now).outcome()))
                    .build();
        }
        return accepted(tenancy.onResource(
                request.principal(),
                id,
                scope -> deletion.delete(scope, id, ifMatch, Map.of()).operation()));
    }

    @POST
    @Requires(Permission.ACCOUNTS_WRITE)
    @Path("/accounts/{account}/actions/restore")
    @Consumes("application/json")
    public Response restore(@PathParam("account") String id, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        bodies.nothing(body);
        if (dryRun) {
            return Response.ok(
                            dryRuns.of(id, scope -> deletion.restore(scope, id).outcome()))
                    .build();
        }
        return idempotency.once(
                body,
                () -> tenancy.onResource(request.principal(), id, scope -> {
                    Operations.View operation = deletion.restore(scope, id).operation();
                    return idempotency.settle(new Idempotency.Answer(
                            202, operation, operation, null, "/v1/operations/" + operation.id()));
                }));
    }

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/accounts/{account}/connect-info")
    public ConnectInfo connectInfo(@PathParam("account") String id) {
        AccountEntity row =
                tenancy.onResource(request.principal(), id, scope -> load(scope, id, Permission.ACCOUNTS_READ));
        return new ConnectInfo(
                clientUrls,
                websocketUrls.orElse(List.of()),
                tlsRequired,
                row.publicKey,
                usage.serverVersion().orElse(null));
    }

    private AccountEntity load(Scope scope, String id, Permission needed) {
        AccountEntity row = accounts.get(scope, id);
        scope.require(needed);
        return row;
    }

    private static Response accepted(Operations.View operation) {
        return Response.accepted(operation)
                .location(URI.create("/v1/operations/" + operation.id()))
                .build();
    }
}
