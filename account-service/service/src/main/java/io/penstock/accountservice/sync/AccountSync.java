package io.penstock.accountservice.sync;

import io.penstock.accountservice.account.ClaimsBuilder;
import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.operator.OperatorKeys;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.AccountState;
import io.penstock.accountservice.store.Accounts;
import io.penstock.claims.AccountClaims;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Brings one account's claims to the nodes: sign, push, read back, record.
 *
 * <p>A database lock on the account spans all four, so of two workers, in one process or two, the one with the newer
 * claims is also the later one on the nodes.
 */
@ApplicationScoped
public class AccountSync {
    private static final Logger LOG = Logger.getLogger(AccountSync.class);
    /** A token is sent whole in one message; nodes take 1 MiB. */
    private static final int MAX_TOKEN_LENGTH = 800 * 1024;

    private final Accounts accounts;
    private final ClaimsBuilder builder;
    private final OperatorKeys operator;
    private final NodeClaims nodes;
    private final KeyVault vault;
    private final AuditLog audit;
    private final EntityManager entities;
    private final Clock clock;

    AccountSync(
            Accounts accounts,
            ClaimsBuilder builder,
            OperatorKeys operator,
            NodeClaims nodes,
            KeyVault vault,
            AuditLog audit,
            EntityManager entities,
            Clock clock) {
        this.accounts = accounts;
        this.builder = builder;
        this.operator = operator;
        this.nodes = nodes;
        this.vault = vault;
        this.audit = audit;
        this.entities = entities;
        this.clock = clock;
    }

    /** What is to be pushed. */
    private record Signed(String jwt, String hash, long revision, long generation, String deletion, String publicKey) {}

    /** Brings the account's latest claims to all nodes. Throws what stands in the way, after recording it. */
    void run(String accountId) {
        QuarkusTransaction.requiringNew().run(() -> {
            lock(accountId);
            try {
                Signed signed = QuarkusTransaction.requiringNew().call(() -> sign(accountId));
                if (signed != null) {
                    deliver(signed);
                    QuarkusTransaction.requiringNew().run(() -> record(accountId, signed));
                }
            } catch (RuntimeException e) {
                QuarkusTransaction.requiringNew().run(() -> recordFailure(accountId, e.getMessage()));
                throw e;
            }
        });
    }

    /** Whether all nodes hold the account's signed claims. True too for an account that has left them. */
    boolean isOnAllNodes(String accountId) {
        AccountEntity account = QuarkusTransaction.requiringNew().call(() -> accounts.findById(accountId));
        if (account == null || account.jwt == null || account.state == AccountState.DELETED) {
            return true;
        }
        boolean equal = true;
        List<String> found = nodes.lookup(account.publicKey);
        for (String jwt : found) {
            if (!Tokens.hash(jwt).equals(account.jwtHash)) {
                equal = false;
                LOG.warnf(
                        "account %s: a node holds %s instead of the claims signed last (%s)",
                        accountId, jwt.isEmpty() ? "no claims" : "claims " + Tokens.hash(jwt), account.jwtHash);
            }
        }
        return equal && found.size() >= Math.max(1, nodes.nodes());
    }

    private void lock(String accountId) {
        entities.createNativeQuery("select pg_advisory_xact_lock(hashtextextended(:key, 7))")
                .setParameter("key", "sync|" + accountId)
                .getSingleResult();
    }

    private Signed sign(String accountId) {
        AccountEntity account = accounts.lock(accountId).orElse(null);
        if (account == null || account.state == AccountState.DELETED) {
            return null;
        }
        if (account.jwt == null || account.signedRevision != account.revision) {
            AccountClaims claims = builder.build(account);
            long issuedAt = Math.max(clock.instant().getEpochSecond(), account.jwtIat + 1);
            String jwt = operator.signAccount(claims, issuedAt);
            if (jwt.length() > MAX_TOKEN_LENGTH) {
                throw ProblemException.invalid("the claims of account " + accountId + " are too large: " + jwt.length()
                        + " characters of " + MAX_TOKEN_LENGTH + "; revoke all users at once instead of one by one");
            }
            account.jwt = jwt;
            account.jwtHash = Tokens.hash(jwt);
            account.jwtIat = issuedAt;
            account.signedRevision = account.revision;
            account.signedGeneration = account.generation;
        }
        String deletion = account.state == AccountState.DELETING ? operator.signDeletion(account.publicKey) : null;
        return new Signed(
                account.jwt,
                account.jwtHash,
                account.signedRevision,
                account.signedGeneration,
                deletion,
                account.publicKey);
    }

    private void deliver(Signed signed) {
        // An account that is to be deleted loses its signing keys first: that disconnects its users everywhere.
        require(nodes.push(signed.jwt()));
        if (signed.deletion() != null) {
            require(nodes.delete(signed.deletion()));
            return;
        }
        for (String jwt : nodes.lookup(signed.publicKey())) {
            if (!Tokens.hash(jwt).equals(signed.hash())) {
                throw new IllegalStateException("a node confirmed the claims but holds others");
            }
        }
    }

    private static void require(NodeClaims.Outcome outcome) {
        if (!outcome.complete()) {
            throw new IllegalStateException(
                    outcome.errors().isEmpty() ? "no node answered" : String.join("; ", outcome.errors()));
        }
    }

    private void record(String accountId, Signed signed) {
        AccountEntity account = accounts.lock(accountId).orElseThrow();
        account.syncedRevision = Math.max(account.syncedRevision, signed.revision());
        account.observedGeneration = Math.max(account.observedGeneration, signed.generation());
        account.syncedAt = clock.instant();
        account.lastError = null;
        if (signed.deletion() != null && account.state == AccountState.DELETING) {
            vault.destroyOwner(accountId);
            account.state = AccountState.DELETED;
            account.deletedAt = clock.instant();
            audit.append(Statement.SELF, "account.deleted", accountId, Map.of("public_key", account.publicKey));
        }
    }

    private void recordFailure(String accountId, String message) {
        accounts.lock(accountId).ifPresent(account -> account.lastError = message);
    }
}
