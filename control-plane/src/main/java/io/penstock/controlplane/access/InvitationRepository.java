package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Optional;

/** Invitations of one organisation; or the one whose secret was presented. */
@ApplicationScoped
public class InvitationRepository extends TenantRepository<InvitationEntity> {
    @Inject
    EntityManager database;

    /** The row, locked until the transaction ends, or 404. */
    InvitationEntity locked(Scope scope, String id) {
        return find("orgId = ?1 and id = ?2", scope.orgId(), id)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .firstResultOptional()
                .orElseThrow(ProblemException::notFound);
    }

    Optional<InvitationEntity> lockedBySecret(String hash) {
        return find("secretHash", hash).withLock(LockModeType.PESSIMISTIC_WRITE).firstResultOptional();
    }

    Optional<String> organizationOf(String hash) {
        List<?> found = database.createNativeQuery("select org_id from invitation where secret_hash = ?1")
                .setParameter(1, hash)
                .getResultList();
        return found.stream().map(org -> (String) org).findFirst();
    }
}
