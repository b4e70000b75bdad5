package io.penstock.controlplane.org;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Self;
import io.penstock.controlplane.web.Shown;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
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

/** Organisations. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class OrganizationResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    Organizations organizations;

    @Inject
    OrganizationRepository repository;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    /** An organisation as it is shown. */
    public record Organization(
            String id, String name, String state, String role, Instant createdAt, Instant updatedAt, String etag)
            implements Shown {}

    /** What may be changed. */
    public record OrganizationPatch(
            @Size(min = 1, max = 80, message = "1 to 80 characters")
            String name) {}

    @GET
    @Self(tokens = true)
    @Path("/orgs")
    public Paging.Page<Organization> list(@Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        List<Organization> all = organizations.memberships(request.principal()).stream()
                .map(membership -> tenancy.onResource(request.principal(), membership.id(), this::loadIfAllowed))
                .flatMap(Optional::stream)
                .toList();
        return paging.slice(window, all, Organization::id);
    }

    @GET
    @Requires(value = Permission.ORGANIZATION_READ, somewhere = true)
    @Path("/orgs/{org}")
    public Response get(@PathParam("org") String org) {
        return Etags.answer(tenancy.onOrganization(request.principal(), org, this::load));
    }

    @PATCH
    @Requires(Permission.ORGANIZATION_WRITE)
    @Path("/orgs/{org}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(@PathParam("org") String org, @HeaderParam("If-Match") String ifMatch, byte[] body) {
        OrganizationPatch patch = bodies.read(body, OrganizationPatch.class);
        return Etags.answer(tenancy.onOrganization(request.principal(), org, scope -> {
            OrganizationEntity row = repository.findById(scope.orgId());
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            if (patch.name() != null && !patch.name().equals(row.name)) {
                audit.success(
                        scope,
                        "organization.updated",
                        "/v1/orgs/" + row.id,
                        Map.of("name", Map.of("from", row.name, "to", patch.name())));
                row.name = patch.name();
                row.updatedAt = clock.instant();
                repository.flush();
            }
            return view(row, scope);
        }));
    }

    private Optional<Organization> loadIfAllowed(Scope scope) {
        boolean allowed = scope.rights().allowsSomewhere(Permission.ORGANIZATION_READ);
        return allowed ? Optional.of(load(scope)) : Optional.empty();
    }

    private Organization load(Scope scope) {
        return view(repository.findById(scope.orgId()), scope);
    }

    private static Organization view(OrganizationEntity row, Scope scope) {
        return new Organization(
                row.id,
                row.name,
                row.state,
                scope.rights().organizationRole() == null
                        ? null
                        : scope.rights().organizationRole().code(),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }
}
