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
import java.time.temporal.ChronoUnit;
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
    private final RevocationJournal journal;
    private final AuditLog audit;
    private final Clock clock;

    RevocationService(
            Accounts accounts,
            Revocations revocations,
            Issuances issuances,
            RevocationJournal journal,
            AuditLog audit,
            Clock clock) {
        this.accounts = accounts;
        this.revocations = revocations;
        this.issuances = issuances;
        this.journal = journal;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Voids every token of a user (or of all, `*`) issued until a unix second, or until now without one; returns that second. One
     * that an earlier revocation already voids stays void: the later second counts.
     */
    public long revoke(Statement statement, String accountId, String userPublicKey, String reason, Long before) {
        checkKey(userPublicKey);
        if (before != null && (before < 1 || before > clock.instant().getEpochSecond() + 1)) {
            throw ProblemException.invalid("before must be a unix second that is not in the future");
        }
        RevocationEvent revoked = QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = AccountLocks.alive(accounts, accountId);
            long now = clock.instant().getEpochSecond();
            // A token issued just after an earlier revocation carries that second plus one, which may be ahead of now.
            RevocationEvent earlier = revocations.inForce(accountId).get(userPublicKey);
            long second = before == null
                    ? Math.max(now, revocations.lastRevokedSecond(accountId, userPublicKey) + 1)
                    : Math.max(before, earlier == null ? 0 : earlier.revokedAt);
            RevocationEvent event =
                    append(statement, account, userPublicKey, RevocationEvent.Kind.REVOKED, second, reason);
            audit.append(
                    statement,
                    "revocation.added",
                    accountId,
                    Map.of("user_public_key", userPublicKey, "revoked_at", second, "reason", reason));
            return event;
        });
        journal.append(revoked);
        return revoked.revokedAt;
    }

    /** Takes a revocation back; a problem when none is in force. */
    public void lift(Statement statement, String accountId, String userPublicKey) {
        checkKey(userPublicKey);
        RevocationEvent lifted = QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = AccountLocks.alive(accounts, accountId);
            RevocationEvent inForce = revocations.inForce(accountId).get(userPublicKey);
            if (inForce == null) {
                throw ProblemException.notFound("no revocation of " + userPublicKey + " is in force");
            }
            audit.append(statement, "revocation.lifted", accountId, Map.of("user_public_key", userPublicKey));
            return append(statement, account, userPublicKey, RevocationEvent.Kind.LIFTED, inForce.revokedAt, "lifted");
        });
        journal.append(lifted);
    }

    /**
     * Drops revocations from the claims when every token they could concern has expired. Keys the ledger does not know
     * stay: nobody can say when their tokens expire. True when the claims changed.
     */
    boolean prune(String accountId) {
        List<RevocationEvent> pruned = QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = accounts.lock(accountId).orElseThrow();
            long now = clock.instant().getEpochSecond();
            List<RevocationEvent> entries = new ArrayList<>();
            for (RevocationEvent event : revocations.inForce(accountId).values()) {
                OptionalLong last = issuances.lastExpiry(accountId, event.userPublicKey);
                boolean allKeys = event.userPublicKey.equals("*");
                if (!allKeys && last.isPresent() && last.getAsLong() + PRUNE_MARGIN_SECONDS < now) {
                    entries.add(append(
                            Statement.SELF,
                            account,
                            event.userPublicKey,
                            RevocationEvent.Kind.PRUNED,
                            event.revokedAt,
                            "every token of the key has expired"));
                }
            }
            return entries;
        });
        pruned.forEach(journal::append);
        return !pruned.isEmpty();
    }

    private RevocationEvent append(
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
        // PostgreSQL keeps microseconds, and the journal's copy must compare equal.
        event.createdAt = clock.instant().truncatedTo(ChronoUnit.MICROS);
        revocations.persist(event);
        account.revision++;
        return event;
    }

    private static void checkKey(String userPublicKey) {
        if (userPublicKey == null || (!userPublicKey.equals("*") && !NKeys.isPublicKey(KeyType.USER, userPublicKey))) {
            throw ProblemException.invalid("user_public_key must be a user's public nkey (U…) or *");
        }
    }
}
