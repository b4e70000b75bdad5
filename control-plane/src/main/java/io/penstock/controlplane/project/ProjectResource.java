package io.penstock.controlplane.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.account.AccountRepository;
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
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Projects. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ProjectResource {
    private static final String ENVIRONMENT = "development|production";
    private static final String ENVIRONMENT_RULE = "development or production";

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
    Ids ids;

    @Inject
    Clock clock;

    /** A project as it is shown. */
    public record Project(
            String id,
            String organizationId,
            String name,
            String description,
            String environment,
            boolean deletionProtection,
            Instant createdAt,
            Instant updatedAt,
            long accountCount,
            String etag)
            implements Shown {}

    /** A new project. */
    public record ProjectCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            @Pattern(regexp = ENVIRONMENT, message = ENVIRONMENT_RULE)
            String environment,

            Boolean deletionProtection) {}

    /** What may be changed. */
    public record ProjectPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 500, message = "at most 500 characters")
            String description,

            @Pattern(regexp = ENVIRONMENT, message = ENVIRONMENT_RULE)
            String environment,

            Boolean deletionProtection) {}

    @GET
    @Requires(value = Permission.PROJECTS_READ, somewhere = true)
    @Path("/orgs/{org}/projects")
    public Paging.Page<Project> list(
            @PathParam("org") String org, @QueryParam("filter[name]") String name, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onOrganization(request.principal(), org, scope -> {
            Optional<Set<String>> visible = scope.rights().projectsFor(Permission.PROJECTS_READ);
            List<ProjectEntity> rows = projects.window(scope, visible, name, window);
            Map<String, Long> counts = accounts.countByProject(scope.orgId());
            return paging.page(window, rows, row -> row.id, row -> view(row, counts.getOrDefault(row.id, 0L)));
        });
    }

    @POST
    @Requires(Permission.PROJECTS_WRITE)
    @Path("/orgs/{org}/projects")
    @Consumes("application/json")
    public Response create(@PathParam("org") String org, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        ProjectCreate form = bodies.read(body, ProjectCreate.class);
        if (dryRun) {
            return Response.ok(dryRuns.ofOrganization(org, scope -> Outcome.created(make(scope, form))))
                    .build();
        }
        return idempotency.once(
                body,
                () -> tenancy.onOrganization(request.principal(), org, scope -> {
                    Project made = make(scope, form);
                    return idempotency.settle(Idempotency.Answer.created("/v1/projects/", made));
                }));
    }

    private Project make(Scope scope, ProjectCreate form) {
        ProjectEntity row = projects.create(scope, ids.next("proj"), form.name(), clock.instant());
        row.description = form.description() == null ? "" : form.description();
        row.environment = form.environment() == null ? "development" : form.environment();
        row.deletionProtection = form.deletionProtection() != null && form.deletionProtection();
        projects.flush();
        audit.success(scope, "project.created", "/v1/projects/" + row.id, Map.of("name", row.name));
        return view(row, 0);
    }

    @GET
    @Requires(Permission.PROJECTS_READ)
    @Path("/projects/{project}")
    public Response get(@PathParam("project") String id) {
        return Etags.answer(tenancy.onResource(request.principal(), id, scope -> view(projects.get(scope, id))));
    }

    @PATCH
    @Requires(Permission.PROJECTS_WRITE)
    @Path("/projects/{project}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("project") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ProjectPatch patch = bodies.read(body, ProjectPatch.class);
        Function<Scope, Outcome<Project>> work = scope -> change(scope, id, ifMatch, patch);
        return commands.update(id, dryRun, work);
    }

    private Outcome<Project> change(Scope scope, String id, String ifMatch, ProjectPatch patch) {
        ProjectEntity row = projects.get(scope, id);
        Etags.check(ifMatch, Etags.ofVersion(row.version));
        Project before = view(row);
        row.name = patch.name() == null ? row.name : patch.name();
        row.description = patch.description() == null ? row.description : patch.description();
        row.environment = patch.environment() == null ? row.environment : patch.environment();
        row.deletionProtection =
                patch.deletionProtection() == null ? row.deletionProtection : patch.deletionProtection();
        Outcome<Project> outcome = Outcome.changed(before, view(row));
        JsonNode changes = dryRuns.view(outcome).changes();
        if (changes.isEmpty()) {
            return outcome;
        }
        row.updatedAt = clock.instant();
        projects.flush();
        audit.success(scope, "project.updated", "/v1/projects/" + id, Map.of("changes", changes));
        return Outcome.changed(before, view(row));
    }

    @DELETE
    @Requires(Permission.PROJECTS_WRITE)
    @Path("/projects/{project}")
    public Response delete(
            @PathParam("project") String id,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        Function<Scope, Outcome<Project>> work = scope -> remove(scope, id, ifMatch);
        return commands.delete(id, dryRun, work);
    }

    /** Beside deleted accounts that can be restored the project stays too, unseen, and comes back with one of them. */
    private Outcome<Project> remove(Scope scope, String id, String ifMatch) {
        ProjectEntity row = projects.get(scope, id);
        Etags.check(ifMatch, Etags.ofVersion(row.version));
        if (row.deletionProtection) {
            throw ProblemException.of(
                    ErrorCode.DELETION_PROTECTED,
                    "The project is protected from deletion. Set deletion_protection to false first.");
        }
        long left = accounts.inProject(id, false);
        if (left > 0) {
            throw ProblemException.of(ErrorCode.HAS_DEPENDENTS, "The project has accounts. Delete them first.")
                    .param("accounts", left);
        }
        Project before = view(row);
        if (accounts.inProject(id, true) > 0) {
            row.deletedAt = clock.instant();
        } else {
            projects.delete(row);
            locator.remove(id);
        }
        projects.flush();
        audit.success(scope, "project.deleted", "/v1/projects/" + id, Map.of("name", row.name));
        return Outcome.deleted(before);
    }

    private Project view(ProjectEntity row) {
        return view(row, accounts.inProject(row.id, false));
    }

    private static Project view(ProjectEntity row, long accountCount) {
        return new Project(
                row.id,
                row.orgId,
                row.name,
                row.description,
                row.environment,
                row.deletionProtection,
                row.createdAt,
                row.updatedAt,
                accountCount,
                Etags.ofVersion(row.version));
    }
}
