package io.penstock.controlplane.access;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Rights;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives and takes roles, by three rules: nobody gives or takes what they do not have themselves, nobody raises themselves (which follows),
 * and an organisation keeps an owner. Every method runs in its caller's transaction.
 */
@ApplicationScoped
public class RoleAssignments {
    @Inject
    RoleAssignmentRepository rows;

    @Inject
    EntityManager database;

    @Inject
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** Refuses with 403 unless the caller may give, or take, this role there. */
    public void requireMayGive(Scope scope, Role role, String projectId) {
        scope.require(Permission.MEMBERS_WRITE, projectId);
        if (!mayGive(scope.rights(), role, projectId)) {
            throw ProblemException.of(
                            ErrorCode.PERMISSION_DENIED,
                            "The role " + role.code() + " may more than you. Ask somebody who has it.")
                    .param("role", role.code());
        }
    }

    static boolean mayGive(Rights rights, Role role, String projectId) {
        return rights.allows(Permission.MEMBERS_WRITE, projectId)
                && rights.in(projectId).containsAll(role.permissions());
    }

    /** Makes the row without asking whether the caller may: for the first owner and for accepted invitations. */
    public RoleAssignmentEntity give(
            Scope scope, Principal.Kind kind, String principalId, Role role, String projectId) {
        RoleAssignmentEntity row = new RoleAssignmentEntity();
        row.id = ids.next("ra");
        row.orgId = scope.orgId();
        row.principalKind = kind.code();
        row.principalId = principalId;
        row.role = role.code();
        row.projectId = projectId;
        row.createdAt = clock.instant();
        row.createdBy = scope.principal().userId();
        rows.persistAndFlush(row);
        locator.add(row.id, scope.orgId(), projectId == null ? scope.orgId() : projectId);
        audit.success(scope, "role.given", "/v1/role-assignments/" + row.id, details(row));
        return row;
    }

    /** Takes one away, if the caller may, and if an owner is left. */
    public void take(Scope scope, RoleAssignmentEntity row) {
        lock(scope);
        requireMayGive(scope, row.role(), row.projectId);
        remove(scope, row);
        requireOwner(scope);
    }

    /** Takes all away, for somebody who leaves or is deleted. */
    void takeAll(Scope scope, List<RoleAssignmentEntity> all, boolean ownerNeeded) {
        lock(scope);
        all.forEach(row -> remove(scope, row));
        if (ownerNeeded) {
            requireOwner(scope);
        }
    }

    /** Replaces the roles in the whole organisation by one. */
    public void replace(Scope scope, String userId, Role role) {
        lock(scope);
        List<RoleAssignmentEntity> before = rows.of(scope.orgId(), userId).stream()
                .filter(row -> row.projectId == null)
                .toList();
        boolean has = false;
        for (RoleAssignmentEntity row : before) {
            if (row.role() == role) {
                has = true;
            } else {
                requireMayGive(scope, row.role(), null);
                remove(scope, row);
            }
        }
        if (!has) {
            requireMayGive(scope, role, null);
            give(scope, Principal.Kind.USER, userId, role, null);
        }
        requireOwner(scope);
    }

    private void remove(Scope scope, RoleAssignmentEntity row) {
        rows.delete(row);
        rows.flush();
        locator.remove(row.id);
        audit.success(scope, "role.taken", "/v1/role-assignments/" + row.id, details(row));
    }

    /** Two who would each take the other's ownership away wait here; `no key`, since every audit event refers to the row. */
    private void lock(Scope scope) {
        database.createNativeQuery("select id from organization where id = ?1 for no key update")
                .setParameter(1, scope.orgId())
                .getResultList();
    }

    private void requireOwner(Scope scope) {
        if (rows.owners(scope.orgId()) == 0) {
            throw ProblemException.of(
                    ErrorCode.LAST_OWNER, "An organisation needs an owner. Make somebody else owner first.");
        }
    }

    private static Map<String, Object> details(RoleAssignmentEntity row) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("principal_id", row.principalId);
        out.put("role", row.role);
        out.put("project_id", row.projectId);
        return out;
    }
}
