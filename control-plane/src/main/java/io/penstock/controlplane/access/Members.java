package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Shown;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The people of an organisation. Every method runs in its caller's transaction. */
@ApplicationScoped
public class Members {
    @Inject
    EntityManager database;

    @Inject
    RoleAssignmentRepository assignments;

    @Inject
    RoleAssignments roles;

    @Inject
    ApiTokens tokens;

    @Inject
    Clock clock;

    /** A person as a member is shown. */
    public record Member(
            String id,
            String organizationId,
            String email,
            String name,
            String role,
            Instant joinedAt,
            Instant lastLoginAt,
            String etag)
            implements Shown {}

    List<Member> all(Scope scope) {
        List<?> rows = database.createNativeQuery("select u.id, u.email, u.name, m.created_at, u.last_login_at"
                        + " from membership m join app_user u on u.id = m.user_id where m.org_id = ?1 order by u.id")
                .setParameter(1, scope.orgId())
                .getResultList();
        var byPrincipal = assignments.list("orgId", scope.orgId()).stream()
                .collect(Collectors.groupingBy(row -> row.principalId));
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> view(scope, row, byPrincipal.getOrDefault(row[0], List.of())))
                .toList();
    }

    Member get(Scope scope, String id) {
        return all(scope).stream()
                .filter(member -> member.id().equals(id))
                .findFirst()
                .orElseThrow(ProblemException::notFound);
    }

    void add(Scope scope, Principal who) {
        database.createNativeQuery("insert into membership (org_id, user_id, created_at) values (?1, ?2, ?3)"
                        + " on conflict do nothing")
                .setParameter(1, scope.orgId())
                .setParameter(2, who.userId())
                .setParameter(3, clock.instant())
                .executeUpdate();
    }

    /** Ends membership, roles and personal tokens. Who removes somebody else must have every right that goes. */
    void remove(Scope scope, String userId) {
        List<RoleAssignmentEntity> held = assignments.of(scope.orgId(), userId);
        if (!userId.equals(scope.principal().userId())) {
            held.forEach(row -> roles.requireMayGive(scope, row.role(), row.projectId));
        }
        remove(scope, userId, true);
    }

    /** As part of a person's own deletion. `ownerNeeded` is false when the organisation ends with its last member. */
    public void removeDeleted(Scope scope, String userId, boolean ownerNeeded) {
        remove(scope, userId, ownerNeeded);
    }

    private void remove(Scope scope, String userId, boolean ownerNeeded) {
        tokens.revokeAll(scope, userId);
        roles.takeAll(scope, assignments.of(scope.orgId(), userId), ownerNeeded);
        database.createNativeQuery("delete from membership where org_id = ?1 and user_id = ?2")
                .setParameter(1, scope.orgId())
                .setParameter(2, userId)
                .executeUpdate();
    }

    public long count(Scope scope) {
        return ((Number) database.createNativeQuery("select count(*) from membership where org_id = ?1")
                        .setParameter(1, scope.orgId())
                        .getSingleResult())
                .longValue();
    }

    public boolean isLastOwner(Scope scope, String userId) {
        boolean owner = assignments.of(scope.orgId(), userId).stream()
                .anyMatch(row -> row.role() == Role.OWNER && row.projectId == null);
        return owner && assignments.owners(scope.orgId()) == 1;
    }

    private static Member view(Scope scope, Object[] row, List<RoleAssignmentEntity> held) {
        String role = held.stream()
                .filter(one -> one.projectId == null)
                .map(RoleAssignmentEntity::role)
                .min(java.util.Comparator.naturalOrder())
                .map(Role::code)
                .orElse(null);
        String state = held.stream().map(one -> one.id).sorted().collect(Collectors.joining(" "));
        return new Member(
                (String) row[0],
                scope.orgId(),
                (String) row[1],
                (String) row[2],
                role,
                (Instant) row[3],
                (Instant) row[4],
                Etags.ofContent(row[0] + " " + Objects.toString(role, "") + " " + state));
    }
}
