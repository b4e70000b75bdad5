package io.penstock.controlplane.project;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Permission;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Projects. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ProjectResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    ProjectRepository projects;

    @Inject
    AccountRepository accounts;

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

    /** A project as it is shown. */
    public record Project(
            String id,
            String organizationId,
            String name,
            Instant createdAt,
            Instant updatedAt,
            long accountCount,
            String etag) {}

    /** A new project. */
    public record ProjectCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name) {}

    /** What may be changed. */
    public record ProjectPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name) {}

    @GET
    @Requires(value = Permission.PROJECTS_READ, somewhere = true)
    @Path("/orgs/{org}/projects")
    public Paging.Page<Project> list(@PathParam("org") String org, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onOrganization(request.principal(), org, scope -> {
            Optional<Set<String>> visible = scope.rights().projectsFor(Permission.PROJECTS_READ);
            List<ProjectEntity> rows = visible.isEmpty()
                    ? projects.window(scope, "orgId", scope.orgId(), window)
                    : projects.window(scope, visible.get(), window);
            return paging.page(window, rows, row -> row.id, this::view);
        });
    }

    @POST
    @Requires(Permission.PROJECTS_WRITE)
    @Path("/orgs/{org}/projects")
    @Consumes("application/json")
    public Response create(@PathParam("org") String org, byte[] body) {
        ProjectCreate form = bodies.read(body, ProjectCreate.class);
        return idempotency.once(body, () -> {
            Project made = tenancy.onOrganization(request.principal(), org, scope -> {
                ProjectEntity row = projects.create(scope, ids.next("proj"), form.name(), clock.instant());
                audit.success(scope, "project.created", "/v1/projects/" + row.id, Map.of("name", row.name));
                return view(row);
            });
            return Idempotency.Answer.created(made, made.etag(), "/v1/projects/" + made.id());
        });
    }

    @GET
    @Requires(Permission.PROJECTS_READ)
    @Path("/projects/{project}")
    public Response get(@PathParam("project") String id) {
        return answer(tenancy.onResource(request.principal(), id, scope -> view(projects.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.PROJECTS_WRITE)
    @Path("/projects/{project}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(@PathParam("project") String id, @HeaderParam("If-Match") String ifMatch, byte[] body) {
        ProjectPatch patch = bodies.read(body, ProjectPatch.class);
        return answer(tenancy.onResource(request.principal(), id, scope -> {
            ProjectEntity row = projects.get(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            if (patch.name() != null && !patch.name().equals(row.name)) {
                audit.success(
                        scope,
                        "project.updated",
                        "/v1/projects/" + id,
                        Map.of("name", Map.of("from", row.name, "to", patch.name())));
                row.name = patch.name();
                row.updatedAt = clock.instant();
                projects.flush();
            }
            return view(row);
        }));
    }

    @DELETE
    @Requires(Permission.PROJECTS_WRITE)
    @Path("/projects/{project}")
    public Response delete(@PathParam("project") String id, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onResource(request.principal(), id, scope -> {
            ProjectEntity row = projects.get(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            long left = accounts.count("projectId", id);
            if (left > 0) {
                throw ProblemException.of(
                                ErrorCode.HAS_DEPENDENTS, "The project has accounts. Delete or move them first.")
                        .param("accounts", left);
            }
            projects.delete(row);
            locator.remove(id);
            audit.success(scope, "project.deleted", "/v1/projects/" + id, Map.of("name", row.name));
            return null;
        });
        return Response.noContent().build();
    }

    private Project view(ProjectEntity row) {
        return new Project(
                row.id,
                row.orgId,
                row.name,
                row.createdAt,
                row.updatedAt,
                accounts.count("projectId", row.id),
                Etags.ofVersion(row.version));
    }

    private static Response answer(Project project) {
        return Response.ok(project).header("ETag", project.etag()).build();
    }
}
