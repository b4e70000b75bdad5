package io.penstock.controlplane.account;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.broker.BrokerUsage;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.Consumes;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    SyncQueue queue;

    @Inject
    BrokerUsage usage;

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
            BrokerUsage.AccountUsage usage,
            SyncView sync,
            Instant createdAt,
            Instant updatedAt,
            String etag) {
        Account with(BrokerUsage.AccountUsage measured) {
            return new Account(
                    id,
                    organizationId,
                    projectId,
                    name,
                    publicKey,
                    state,
                    limits,
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
            String name) {}

    /** What may be changed. */
    public record AccountPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name) {}

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
    public Paging.Page<Account> list(@PathParam("project") String project, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onResource(request.principal(), project, scope -> {
            projects.get(scope, project);
            scope.require(Permission.ACCOUNTS_READ);
            return paging.page(window, accounts.window(scope, "projectId", project, window), row -> row.id, this::view);
        });
    }

    @POST
    @Requires(Permission.ACCOUNTS_WRITE)
    @Path("/projects/{project}/accounts")
    @Consumes("application/json")
    public Response create(@PathParam("project") String project, byte[] body) {
        AccountCreate form = bodies.read(body, AccountCreate.class);
        return idempotency.once(body, () -> {
            Account made = tenancy.onResource(request.principal(), project, scope -> {
                projects.get(scope, project);
                scope.require(Permission.ACCOUNTS_WRITE);
                AccountEntity row = factory.create(scope, project, factory.nextAccountId(), form.name());
                factory.createGroup(scope, row.id, factory.nextGroupId(), Accounts.DEFAULT_GROUP, "", null);
                return view(row);
            });
            return Idempotency.Answer.created(made, made.etag(), "/v1/accounts/" + made.id());
        });
    }

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/accounts/{account}")
    public Response get(@PathParam("account") String id) {
        Account account =
                tenancy.onResource(request.principal(), id, scope -> view(load(scope, id, Permission.ACCOUNTS_READ)));
        return answer(account.with(usage.of(id).orElse(null)));
    }

    @PATCH
    @Requires(Permission.ACCOUNTS_WRITE)
    @Path("/accounts/{account}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(@PathParam("account") String id, @HeaderParam("If-Match") String ifMatch, byte[] body) {
        AccountPatch patch = bodies.read(body, AccountPatch.class);
        return answer(tenancy.onResource(request.principal(), id, scope -> {
            AccountEntity row = load(scope, id, Permission.ACCOUNTS_WRITE);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            if (patch.name() != null && !patch.name().equals(row.name)) {
                audit.success(
                        scope,
                        "account.updated",
                        "/v1/accounts/" + id,
                        Map.of("name", Map.of("from", row.name, "to", patch.name())));
                row.name = patch.name();
                row.desiredGeneration++;
                row.syncState = "syncing";
                row.syncSince = clock.instant();
                row.updatedAt = clock.instant();
                queue.enqueue(scope.orgId(), id);
                accounts.flush();
            }
            return view(row);
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

    private Account view(AccountEntity row) {
        return new Account(
                row.id,
                row.orgId,
                row.projectId,
                row.name,
                row.publicKey,
                row.state,
                factory.limits(row),
                null,
                new SyncView(
                        row.desiredGeneration, row.observedGeneration, row.syncState, row.syncError, row.syncSince),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    private static Response answer(Account account) {
        return Response.ok(account).header("ETag", account.etag()).build();
    }
}
