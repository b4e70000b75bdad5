package io.penstock.controlplane.access;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Ids;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Service accounts. A new one may do nothing until it gets a role. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ServiceAccountResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    ServiceAccountRepository rows;

    @Inject
    ProjectRepository projects;

    @Inject
    ApiTokenRepository tokens;

    @Inject
    RoleAssignmentRepository assignments;

    @Inject
    RoleAssignments roles;

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
    Ids ids;

    @Inject
    Clock clock;

    /** A service account as it is shown. */
    public record ServiceAccount(
            String id,
            String organizationId,
            String projectId,
            String name,
            String description,
            boolean disabled,
            long tokenCount,
            Instant createdAt,
            String createdBy,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** A new service account. */
    public record ServiceAccountCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            @Size(max = 64, message = "at most 64 characters")
            String projectId) {}

    /** What may be changed. */
    public record ServiceAccountPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            Boolean disabled) {}

    @GET
    @Requires(value = Permission.SERVICE_ACCOUNTS_READ, somewhere = true)
    @Path("/orgs/{org}/service-accounts")
    public Paging.Page<ServiceAccount> list(@PathParam("org") String org, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onOrganization(request.principal(), org, scope -> {
            Optional<Set<String>> visible = scope.rights().projectsFor(Permission.SERVICE_ACCOUNTS_READ);
            List<ServiceAccountEntity> found = visible.isEmpty()
                    ? rows.window(scope, "orgId", scope.orgId(), window)
                    : rows.window(scope, visible.get(), window);
            return paging.page(window, found, row -> row.id, this::view);
        });
    }

    @POST
    @Requires(value = Permission.SERVICE_ACCOUNTS_WRITE, somewhere = true)
    @Path("/orgs/{org}/service-accounts")
    @Consumes("application/json")
    public Response create(@PathParam("org") String org, byte[] body) {
        ServiceAccountCreate form = bodies.read(body, ServiceAccountCreate.class);
        return idempotency.once(
                body,
                () -> tenancy.onOrganization(request.principal(), org, scope -> {
                    ServiceAccount made = view(create(scope, form));
                    return idempotency.settle(Idempotency.Answer.created("/v1/service-accounts/", made));
                }));
    }

    private ServiceAccountEntity create(Scope scope, ServiceAccountCreate form) {
        String project = form.projectId();
        scope.require(Permission.SERVICE_ACCOUNTS_WRITE, project);
        if (project != null
                && projects.find("orgId = ?1 and id = ?2", scope.orgId(), project)
                                .count()
                        == 0) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "project_id", "exists", "the organisation has no such project");
        }
        Instant now = clock.instant();
        ServiceAccountEntity row = new ServiceAccountEntity();
        row.id = ids.next("sa");
        row.orgId = scope.orgId();
        row.projectId = project;
        row.name = form.name();
        row.description = form.description() == null ? "" : form.description();
        row.createdAt = now;
        row.createdBy = scope.principal().userId();
        row.updatedAt = now;
        rows.persistAndFlush(row);
        locator.add(row.id, scope.orgId(), project == null ? scope.orgId() : project);
        audit.success(scope, "service_account.created", resource(row), Map.of("name", row.name));
        return row;
    }

    @GET
    @Requires(Permission.SERVICE_ACCOUNTS_READ)
    @Path("/service-accounts/{service_account}")
    public Response get(@PathParam("service_account") String id) {
        return Etags.answer(tenancy.onResource(request.principal(), id, scope -> view(rows.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.SERVICE_ACCOUNTS_WRITE)
    @Path("/service-accounts/{service_account}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("service_account") String id, @HeaderParam("If-Match") String ifMatch, byte[] body) {
        ServiceAccountPatch patch = bodies.read(body, ServiceAccountPatch.class);
        return Etags.answer(tenancy.onResource(request.principal(), id, scope -> {
            ServiceAccountEntity row = rows.get(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            List<Object> before = List.of(row.name, row.description, row.disabled);
            row.name = patch.name() == null ? row.name : patch.name();
            row.description = patch.description() == null ? row.description : patch.description();
            row.disabled = patch.disabled() == null ? row.disabled : patch.disabled();
            if (!before.equals(List.of(row.name, row.description, row.disabled))) {
                row.updatedAt = clock.instant();
                rows.flush();
                audit.success(
                        scope,
                        "service_account.updated",
                        resource(row),
                        Map.of("name", row.name, "description", row.description, "disabled", row.disabled));
            }
            return view(row);
        }));
    }

    /** Its tokens and roles go with it; the audit log keeps them. */
    @DELETE
    @Requires(Permission.SERVICE_ACCOUNTS_WRITE)
    @Path("/service-accounts/{service_account}")
    public Response delete(@PathParam("service_account") String id, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onResource(request.principal(), id, scope -> {
            ServiceAccountEntity row = rows.get(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            List<RoleAssignmentEntity> held = assignments.of(scope.orgId(), id);
            roles.takeAll(scope, held, true);
            for (ApiTokenEntity token : tokens.list("ownerId", id)) {
                tokens.delete(token);
                locator.remove(token.id);
            }
            rows.delete(row);
            rows.flush();
            locator.remove(id);
            audit.success(scope, "service_account.deleted", resource(row), Map.of("name", row.name));
            return null;
        });
        return Response.noContent().build();
    }

    private ServiceAccount view(ServiceAccountEntity row) {
        return new ServiceAccount(
                row.id,
                row.orgId,
                row.projectId,
                row.name,
                row.description,
                row.disabled,
                tokens.count("ownerId = ?1 and revokedAt is null", row.id),
                row.createdAt,
                row.createdBy,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    private static String resource(ServiceAccountEntity row) {
        return "/v1/service-accounts/" + row.id;
    }
}
