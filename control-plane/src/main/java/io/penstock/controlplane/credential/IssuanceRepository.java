package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Issuances of one organisation's accounts. */
@ApplicationScoped
public class IssuanceRepository extends TenantRepository<IssuanceEntity> {
    List<IssuanceEntity> ofUsers(List<String> userIds) {
        return userIds.isEmpty() ? List.of() : list("userId in ?1", userIds);
    }

    List<IssuanceEntity> open(String userId) {
        return list("userId = ?1 and state = 'issued' order by id", userId);
    }

    /** Those of a key in an account that are good now. */
    List<IssuanceEntity> ofKey(String accountId, String userPublicKey, Instant now) {
        return list(
                "accountId = ?1 and userPublicKey = ?2 and state = 'issued' and expiresAt > ?3",
                accountId,
                userPublicKey,
                now);
    }

    /** Every JWT of a key, or of all with `*`, that has not expired, revoked or not. */
    List<IssuanceEntity> ofKeys(String accountId, String userPublicKey, Instant now) {
        return "*".equals(userPublicKey)
                ? list("accountId = ?1 and jti is not null and expiresAt > ?2", accountId, now)
                : list(
                        "accountId = ?1 and userPublicKey = ?2 and jti is not null and expiresAt > ?3",
                        accountId,
                        userPublicKey,
                        now);
    }

    /** The one that was made for this key of the caller's, if it did not fail. */
    Optional<IssuanceEntity> ofIssueKey(String userId, String issueKey) {
        return find("userId = ?1 and issueKey = ?2 and state <> 'failed'", userId, issueKey)
                .firstResultOptional();
    }

    public List<IssuanceEntity> ofAccount(String accountId) {
        return list("accountId", accountId);
    }
}
