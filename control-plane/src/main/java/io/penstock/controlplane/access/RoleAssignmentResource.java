package io.penstock.controlplane.access;

import io.penstock.controlplane.access.PrincipalNames.PrincipalRef;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Shown;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who has which role where. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class RoleAssignmentResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    RoleAssignmentRepository rows;

    @Inject
    RoleAssignments roles;

    @Inject
    ServiceAccountRepository serviceAccounts;

    @Inject
    ProjectRepository projects;

    @Inject
    PrincipalNames names;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** An assignment as it is shown. */
    public record RoleAssignment(
            String id,
            String organizationId,
            String projectId,
            PrincipalRef principal,
            String role,
            Instant createdAt,
            String createdBy,
            String etag)
            implements Shown {}

    /** A new assignment. */
    public record RoleAssignmentCreate(
            @Size(max = 64, message = "at most 64 characters")
            String principalId,

            @Size(max = 254, message = "at most 254 characters")
            String email,

            @NotNull(message = "a role is needed") String role,

            @Size(max = 64, message = "at most 64 characters")
            String projectId) {}

    @GET
    @Requires(value = Permission.MEMBERS_READ, somewhere = true)
    @Path("/orgs/{org}/role-assignments")
    public Paging.Page<RoleAssignment> list(
            @PathParam("org") String org,
            @QueryParam("filter[principal]") String principal,
            @QueryParam("filter[project]") String project,
            @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onOrganization(request.principal(), org, scope -> {
            Optional<Set<String>> visible = scope.rights().projectsFor(Permission.MEMBERS_READ);
            List<RoleAssignmentEntity> all = rows.list("orgId = ?1 order by id", scope.orgId()).stream()
                    .filter(row -> visible.isEmpty()
                            || (row.projectId != null && visible.get().contains(row.projectId)))
                    .filter(row -> principal == null || principal.equals(row.principalId))
                    .filter(row -> project == null || project.equals(row.projectId))
                    .toList();
            return paging.slice(window, views(scope, all), RoleAssignment::id);
        });
    }

    @POST
    @Requires(value = Permission.MEMBERS_WRITE, somewhere = true)
    @Path("/orgs/{org}/role-assignments")
    @Consumes("application/json")
    public Response create(@PathParam("org") String org, byte[] body) {
        RoleAssignmentCreate form = bodies.read(body, RoleAssignmentCreate.class);
        Role role = role(form.role());
        return idempotency.once(
                body,
                () -> tenancy.onOrganization(request.principal(), org, scope -> {
                    String project = project(scope, form.projectId());
                    PrincipalRef principal = principal(scope, form);
                    requireConfined(scope, principal, project);
                    roles.requireMayGive(scope, role, project);
                    Principal.Kind kind =
                            "user".equals(principal.kind()) ? Principal.Kind.USER : Principal.Kind.SERVICE_ACCOUNT;
                    RoleAssignment made = view(roles.give(scope, kind, principal.id(), role, project), principal);
                    return idempotency.settle(Idempotency.Answer.created("/v1/role-assignments/", made));
                }));
    }

    @GET
    @Requires(Permission.MEMBERS_READ)
    @Path("/role-assignments/{assignment}")
    public Response get(@PathParam("assignment") String id) {
        RoleAssignment found = tenancy.onResource(
                request.principal(),
                id,
                scope -> views(scope, List.of(rows.get(scope, id))).getFirst());
        return Etags.answer(found);
    }

    @DELETE
    @Requires(Permission.MEMBERS_WRITE)
    @Path("/role-assignments/{assignment}")
    public Response delete(@PathParam("assignment") String id, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onResource(request.principal(), id, scope -> {
            RoleAssignmentEntity row = rows.get(scope, id);
            Etags.check(ifMatch, row.etag());
            roles.take(scope, row);
            return null;
        });
        return Response.noContent().build();
    }

    static Role role(String code) {
        return Role.find(code)
                .orElseThrow(() -> ProblemException.invalidField(
                        ErrorCode.VALIDATION_FAILED, "role", "enum", "owner, admin, developer, viewer or billing"));
    }

    private String project(Scope scope, String id) {
        if (id != null
                && projects.find("orgId = ?1 and id = ?2", scope.orgId(), id).count() == 0) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "project_id", "exists", "the organisation has no such project");
        }
        return id;
    }

    private PrincipalRef principal(Scope scope, RoleAssignmentCreate form) {
        if ((form.principalId() == null) == (form.email() == null)) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "principal_id", "one", "give principal_id or email, not both");
        }
        Optional<PrincipalRef> found = form.principalId() == null
                ? names.memberByEmail(scope, form.email())
                : names.find(scope, form.principalId());
        String field = form.principalId() == null ? "email" : "principal_id";
        return found.orElseThrow(() -> ProblemException.invalidField(
                ErrorCode.VALIDATION_FAILED,
                field,
                "exists",
                "no member and no service account of the organisation; people are invited first"));
    }

    private void requireConfined(Scope scope, PrincipalRef principal, String project) {
        if (!"service_account".equals(principal.kind())) {
            return;
        }
        String home = serviceAccounts.get(scope, principal.id()).projectId;
        if (home != null && !home.equals(project)) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED,
                    "project_id",
                    "confined",
                    "the service account is confined to the project " + home);
        }
    }

    private List<RoleAssignment> views(Scope scope, List<RoleAssignmentEntity> list) {
        Map<String, PrincipalRef> known = names.find(
                scope, list.stream().map(row -> row.principalId).distinct().toList());
        return list.stream()
                .map(row -> view(
                        row,
                        known.getOrDefault(
                                row.principalId,
                                new PrincipalRef(row.principalKind, row.principalId, row.principalId))))
                .toList();
    }

    private static RoleAssignment view(RoleAssignmentEntity row, PrincipalRef principal) {
        return new RoleAssignment(
                row.id, row.orgId, row.projectId, principal, row.role, row.createdAt, row.createdBy, row.etag());
    }
}
