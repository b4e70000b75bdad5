package io.penstock.controlplane.signup;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.util.Optional;

/** Sign-ups, found by id, link or address. */
@ApplicationScoped
public class SignupRepository implements PanacheRepositoryBase<SignupEntity, String> {
    Optional<SignupEntity> locked(String id) {
        return findByIdOptional(id, LockModeType.PESSIMISTIC_WRITE);
    }

    Optional<SignupEntity> lockedByLink(byte[] linkHash) {
        return find("linkHash", linkHash)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .firstResultOptional();
    }

    void supersede(String email, String exceptId) {
        update(
                "state = 'superseded' where email = ?1 and id <> ?2 and state in ('pending', 'preparing')",
                email,
                exceptId);
    }

    public Optional<SignupEntity> verified(String directoryId) {
        return find("directoryId = ?1 and state = 'verified' order by createdAt desc", directoryId)
                .firstResultOptional();
    }
}
