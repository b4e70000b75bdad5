package io.penstock.broker.resolver;

import io.penstock.broker.Account;
import io.penstock.claims.AccountClaims;
import java.time.Instant;

/**
 * An account this server works with, and the claims in force. Immutable: an update makes a new one.
 *
 * @param jwt empty when {@link #isProvisional provisional}
 * @param applied when these claims came into force here
 */
public record LoadedAccount(Account account, AccountClaims claims, String jwt, Instant applied) {
    public String key() {
        return claims.subject();
    }

    /** Whether it stands in for a system account whose JWT nobody has pushed yet. */
    public boolean isProvisional() {
        return jwt.isEmpty();
    }

    /** Unix seconds at which the account ends, 0 for never. */
    public long expires() {
        return claims.registered().expiresAt();
    }

    public boolean isExpired(Instant now) {
        return claims.isExpired(now);
    }
}
