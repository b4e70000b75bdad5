package io.penstock.accountservice.store;

import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The revocation log. */
@ApplicationScoped
public class Revocations implements PanacheRepository<RevocationEvent> {
    /** The latest entry of each key that is in force, by key, in the order of the log. */
    public Map<String, RevocationEvent> inForce(String accountId) {
        Map<String, RevocationEvent> latest = new LinkedHashMap<>();
        List<RevocationEvent> log = list("accountId = ?1 order by id", accountId);
        for (RevocationEvent event : log) {
            latest.remove(event.userPublicKey);
            if (event.kind == RevocationEvent.Kind.REVOKED) {
                latest.put(event.userPublicKey, event);
            }
        }
        return latest;
    }

    /**
     * The last unix second whose tokens of this key are or were ever void: even a lifted revocation may still be on
     * some node, so new tokens stay above it.
     */
    public long lastRevokedSecond(String accountId, String userPublicKey) {
        Long last = getEntityManager()
                .createQuery(
                        "select max(revokedAt) from RevocationEvent where accountId = :account"
                                + " and userPublicKey in (:key, '*')",
                        Long.class)
                .setParameter("account", accountId)
                .setParameter("key", userPublicKey)
                .getSingleResult();
        return last == null ? 0 : last;
    }
}
