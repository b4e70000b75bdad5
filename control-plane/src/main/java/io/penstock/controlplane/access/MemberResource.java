package io.penstock.controlplane.access;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;

/** Members of an organisation. */
@Path("/v1/orgs/{org}/members")
@Produces("application/json")
@RunOnVirtualThread
public class MemberResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    Members members;

    @Inject
    RoleAssignments roles;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Audit audit;

    /** What may be changed. */
    public record MemberPatch(
            @NotNull(message = "a role is needed") String role) {}

    @GET
    @Requires(Permission.MEMBERS_READ)
    public Paging.Page<Members.Member> list(@PathParam("org") String org, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return paging.slice(window, tenancy.onOrganization(request.principal(), org, members::all), Members.Member::id);
    }

    @GET
    @Requires(Permission.MEMBERS_READ)
    @Path("/{member}")
    public Response get(@PathParam("org") String org, @PathParam("member") String member) {
        return Etags.answer(tenancy.onOrganization(request.principal(), org, scope -> members.get(scope, member)));
    }

    @PATCH
    @Requires(Permission.MEMBERS_WRITE)
    @Path("/{member}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("org") String org,
            @PathParam("member") String member,
            @HeaderParam("If-Match") String ifMatch,
            byte[] body) {
        Role role =
                RoleAssignmentResource.role(bodies.read(body, MemberPatch.class).role());
        return Etags.answer(tenancy.onOrganization(request.principal(), org, scope -> {
            Etags.check(ifMatch, members.get(scope, member).etag());
            roles.replace(scope, member, role);
            return members.get(scope, member);
        }));
    }

    /** Everybody may leave; removing somebody else is a right. */
    @DELETE
    @Requires(value = Permission.ORGANIZATION_READ, somewhere = true)
    @Path("/{member}")
    public Response remove(
            @PathParam("org") String org, @PathParam("member") String member, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onOrganization(request.principal(), org, scope -> {
            if (!member.equals(scope.principal().userId()) || scope.principal().token() != null) {
                scope.require(Permission.MEMBERS_WRITE);
            }
            Members.Member before = members.get(scope, member);
            Etags.check(ifMatch, before.etag());
            members.remove(scope, member);
            audit.success(
                    scope,
                    "member.removed",
                    "/v1/orgs/" + scope.orgId() + "/members/" + member,
                    Map.of("email", before.email()));
            return null;
        });
        return Response.noContent().build();
    }
}
