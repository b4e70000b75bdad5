package io.penstock.accountservice.account;

import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.Issuances;
import io.penstock.accountservice.store.RevocationEvent;
import io.penstock.accountservice.store.Revocations;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Revocations: an append-only log, of which the claims show what is in force. */
@ApplicationScoped
public class RevocationService {
    /** Nodes whose clocks run late still see a token as valid for this long after it expired. */
    private static final long PRUNE_MARGIN_SECONDS = 3600;

    private final Accounts accounts;
    private final Revocations revocations;
    private final Issuances issuances;
    private final AuditLog audit;
    private final Clock clock;

    RevocationService(Accounts accounts, Revocations revocations, Issuances issuances, AuditLog audit, Clock clock) {
        this.accounts = accounts;
        this.revocations = revocations;
        this.issuances = issuances;
        this.audit = audit;
        this.clock = clock;
    }

    /** Voids every token of a user (or of all, `*`) issued until now; returns that unix second. */
    public long revoke(Statement statement, String accountId, String userPublicKey, String reason) {
        checkKey(userPublicKey);
        return QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = AccountLocks.alive(accounts, accountId);
            long now = clock.instant().getEpochSecond();
            // A token issued just after an earlier revocation carries that second plus one, which may be ahead of now.
            long second = Math.max(now, revocations.lastRevokedSecond(accountId, userPublicKey) + 1);
            append(statement, account, userPublicKey, RevocationEvent.Kind.REVOKED, second, reason);
            audit.append(
                    statement,
                    "revocation.added",
                    accountId,
                    Map.of("user_public_key", userPublicKey, "revoked_at", second, "reason", reason));
            return second;
        });
    }

    /** Takes a revocation back; a problem when none is in force. */
    public void lift(Statement statement, String accountId, String userPublicKey) {
        checkKey(userPublicKey);
        QuarkusTransaction.requiringNew().run(() -> {
            AccountEntity account = AccountLocks.alive(accounts, accountId);
            RevocationEvent inForce = revocations.inForce(accountId).get(userPublicKey);
            if (inForce == null) {
                throw ProblemException.notFound("no revocation of " + userPublicKey + " is in force");
            }
            append(statement, account, userPublicKey, RevocationEvent.Kind.LIFTED, inForce.revokedAt, "lifted");
            audit.append(statement, "revocation.lifted", accountId, Map.of("user_public_key", userPublicKey));
        });
    }

    /**
     * Drops revocations from the claims when every token they could concern has expired. Keys the ledger does not know
     * stay: nobody can say when their tokens expire. True when the claims changed.
     */
    boolean prune(String accountId) {
        return QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = accounts.lock(accountId).orElseThrow();
            long now = clock.instant().getEpochSecond();
            List<RevocationEvent> dead = new ArrayList<>();
            for (RevocationEvent event : revocations.inForce(accountId).values()) {
                OptionalLong last = issuances.lastExpiry(accountId, event.userPublicKey);
                boolean allKeys = event.userPublicKey.equals("*");
                if (!allKeys && last.isPresent() && last.getAsLong() + PRUNE_MARGIN_SECONDS < now) {
                    dead.add(event);
                }
            }
            for (RevocationEvent event : dead) {
                append(
                        Statement.SELF,
                        account,
                        event.userPublicKey,
                        RevocationEvent.Kind.PRUNED,
                        event.revokedAt,
                        "every token of the key has expired");
            }
            return !dead.isEmpty();
        });
    }

    private void append(
            Statement statement,
            AccountEntity account,
            String userPublicKey,
            RevocationEvent.Kind kind,
            long second,
            String reason) {
        RevocationEvent event = new RevocationEvent();
        event.accountId = account.accountId;
        event.userPublicKey = userPublicKey;
        event.kind = kind;
        event.revokedAt = second;
        event.reason = reason;
        event.actor = statement.subject();
        event.createdAt = clock.instant();
        revocations.persist(event);
        account.revision++;
    }

    private static void checkKey(String userPublicKey) {
        if (userPublicKey == null || (!userPublicKey.equals("*") && !NKeys.isPublicKey(KeyType.USER, userPublicKey))) {
            throw ProblemException.invalid("user_public_key must be a user's public nkey (U…) or *");
        }
    }
}
