package io.penstock.accountservice.store;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** The ledger of issued tokens. */
@ApplicationScoped
public class Issuances implements PanacheRepositoryBase<IssuanceEntity, String> {
    /**
     * A page of an account's issuances, newest first.
     *
     * @param userId only of this user, or null
     * @param before end of the previous page, or null for the first
     * @param beforeId id at the end of the previous page
     */
    public List<IssuanceEntity> page(String accountId, String userId, Instant before, String beforeId, int size) {
        String query = "from IssuanceEntity where accountId = :account"
                + (userId == null ? "" : " and userId = :user")
                + (before == null
                        ? ""
                        : " and (createdAt < :before or (createdAt = :before and issuanceId > :beforeId))")
                + " order by createdAt desc, issuanceId";
        var typed = getEntityManager().createQuery(query, IssuanceEntity.class).setParameter("account", accountId);
        if (userId != null) {
            typed.setParameter("user", userId);
        }
        if (before != null) {
            typed.setParameter("before", before).setParameter("beforeId", beforeId);
        }
        return typed.setMaxResults(size).getResultList();
    }

    /** Unix second after which every issued token of this key (`*` for all keys) is expired; empty when none is known. */
    public OptionalLong lastExpiry(String accountId, String userPublicKey) {
        Long last = getEntityManager()
                .createQuery(
                        "select max(expiresAt) from IssuanceEntity where accountId = :account"
                                + " and (:key = '*' or userPublicKey = :key)",
                        Long.class)
                .setParameter("account", accountId)
                .setParameter("key", userPublicKey)
                .getSingleResult();
        return last == null ? OptionalLong.empty() : OptionalLong.of(last);
    }

    /** Whether a later token was issued to the same key. */
    public boolean isSuperseded(IssuanceEntity issuance) {
        return count(
                        "accountId = ?1 and userPublicKey = ?2 and issuedAt > ?3",
                        issuance.accountId,
                        issuance.userPublicKey,
                        issuance.issuedAt)
                > 0;
    }
}
