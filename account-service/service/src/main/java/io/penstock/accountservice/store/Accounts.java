package io.penstock.accountservice.store;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Optional;

/** Accounts in the database. */
@ApplicationScoped
public class Accounts implements PanacheRepositoryBase<AccountEntity, String> {
    /** The account, locked until the transaction ends. */
    public Optional<AccountEntity> lock(String accountId) {
        return Optional.ofNullable(findById(accountId, LockModeType.PESSIMISTIC_WRITE));
    }

    /** Ids of all accounts that should be on the nodes, or still have to leave them. */
    public List<String> liveIds() {
        return getEntityManager()
                .createQuery(
                        "select accountId from AccountEntity where state <> :gone order by accountId", String.class)
                .setParameter("gone", AccountState.DELETED)
                .getResultList();
    }

    /** Ids of accounts whose latest change is not confirmed by all nodes. */
    public List<String> unsyncedIds() {
        return getEntityManager()
                .createQuery(
                        "select accountId from AccountEntity where syncedRevision <> revision and state <> :gone",
                        String.class)
                .setParameter("gone", AccountState.DELETED)
                .getResultList();
    }
}
