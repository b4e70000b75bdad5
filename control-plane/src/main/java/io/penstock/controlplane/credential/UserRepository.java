package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Users of one organisation's accounts. */
@ApplicationScoped
public class UserRepository extends TenantRepository<UserEntity> {
    /** The user; 404 for a deleted one too. */
    @Override
    public UserEntity get(Scope scope, String id) {
        UserEntity row = super.get(scope, id);
        if (row.deletedAt != null) {
            throw ProblemException.notFound();
        }
        return row;
    }

    /** The user, for nobody else to change until the transaction ends: waits for whoever is at it. */
    UserEntity held(Scope scope, String id) {
        UserEntity row = get(scope, id);
        getEntityManager().refresh(row, LockModeType.PESSIMISTIC_WRITE);
        return row;
    }

    /** How many users each group has; groups without are left out. */
    Map<String, Long> countByGroup(Collection<String> groupIds) {
        if (groupIds.isEmpty()) {
            return Map.of();
        }
        return getEntityManager()
                .createQuery(
                        "select groupId, count(*) from UserEntity where groupId in ?1 and deletedAt is null group by groupId",
                        Object[].class)
                .setParameter(1, groupIds)
                .getResultList()
                .stream()
                .collect(Collectors.toMap(row -> (String) row[0], row -> (Long) row[1]));
    }
}
