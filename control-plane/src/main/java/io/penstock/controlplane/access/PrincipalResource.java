package io.penstock.controlplane.access;

import io.penstock.controlplane.access.PrincipalNames.PrincipalRef;
import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Rights;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.tenancy.TokenGrant;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Self;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who calls, what roles there are, and what somebody may do. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class PrincipalResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    Organizations organizations;

    @Inject
    RoleAssignmentRepository assignments;

    @Inject
    PrincipalNames names;

    /** The token of the call. */
    public record PrincipalToken(
            String id, String name, List<String> scopes, List<String> projectIds, Instant expiresAt) {}

    /** What the caller may do in one organisation. */
    public record PrincipalOrganization(
            String id,
            String name,
            String role,
            List<String> permissions,
            Map<String, List<String>> projectPermissions) {}

    /** The caller. Its schema is called `Principal`. */
    public record PrincipalView(
            String kind,
            String id,
            String name,
            String email,
            PrincipalToken token,
            List<PrincipalOrganization> organizations) {}

    /** A role and its permissions. */
    public record RoleDefinition(String name, List<String> permissions) {}

    /** All roles. */
    public record RoleList(List<RoleDefinition> data) {}

    /** A decision and why. */
    public record PermissionCheck(
            boolean allowed,
            String permission,
            String resource,
            PrincipalRef principal,
            String reason,
            List<String> trace) {}

    @GET
    @Self(tokens = true)
    @Path("/principal")
    public PrincipalView principal() {
        Principal who = request.principal();
        TokenGrant token = who.token();
        List<PrincipalOrganization> all = organizations.memberships(who).stream()
                .map(membership -> tenancy.onResource(who, membership.id(), scope -> organization(membership, scope)))
                .toList();
        return new PrincipalView(
                who.kind().code(),
                who.userId(),
                who.name(),
                who.email(),
                token == null
                        ? null
                        : new PrincipalToken(
                                token.tokenId(),
                                token.name(),
                                token.scopes(),
                                token.projectIds().stream().sorted().toList(),
                                token.expiresAt()),
                all);
    }

    private static PrincipalOrganization organization(Organizations.Membership membership, Scope scope) {
        Map<String, List<String>> projects = new TreeMap<>();
        for (String project : scope.rights().projects()) {
            projects.put(project, codes(scope.rights().in(project)));
        }
        return new PrincipalOrganization(
                membership.id(),
                membership.name(),
                membership.role(),
                codes(scope.rights().in(null)),
                projects);
    }

    private static List<String> codes(Collection<Permission> permissions) {
        return permissions.stream().sorted().map(Permission::code).toList();
    }

    @GET
    @Self(tokens = true)
    @Path("/roles")
    public RoleList roles() {
        return new RoleList(Arrays.stream(Role.values())
                .map(role -> new RoleDefinition(role.code(), codes(role.permissions())))
                .toList());
    }

    @GET
    @Requires(value = Permission.ORGANIZATION_READ, somewhere = true)
    @Path("/orgs/{org}/permissions/check")
    public PermissionCheck check(
            @PathParam("org") String org,
            @QueryParam("permission") String permission,
            @QueryParam("resource") String resource,
            @QueryParam("principal") String principal) {
        Permission wanted = Permission.of(permission == null ? "" : permission)
                .orElseThrow(() -> ProblemException.invalidQuery(
                        "permission", "must be a permission such as streams:write; see GET /v1/roles"));
        String orgId = tenancy.onOrganization(request.principal(), org, Scope::orgId);
        String id = resource == null ? orgId : resource;
        return tenancy.onResource(request.principal(), id, scope -> {
            if (!scope.orgId().equals(orgId)) {
                throw ProblemException.notFound();
            }
            return check(
                    scope, wanted, id, principal == null ? scope.principal().userId() : principal);
        });
    }

    private PermissionCheck check(Scope scope, Permission wanted, String resource, String principal) {
        boolean self = principal.equals(scope.principal().userId());
        if (!self) {
            scope.require(Permission.MEMBERS_READ);
        }
        PrincipalRef asked = names.find(scope, principal).orElseThrow(ProblemException::notFound);
        Rights byRole = assignments.rights(scope.orgId(), principal);
        PermissionExplained why =
                PermissionExplained.of(byRole, self ? scope.principal().token() : null, wanted, scope.projectId());
        return new PermissionCheck(why.allowed(), wanted.code(), resource, asked, why.reason(), why.trace());
    }
}
