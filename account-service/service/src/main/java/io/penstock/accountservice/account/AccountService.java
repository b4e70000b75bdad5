package io.penstock.accountservice.account;

import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.AccountState;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.SyncState;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;

/** Accounts as the control plane wants them. */
@ApplicationScoped
public class AccountService {
    private final Accounts accounts;
    private final GroupService groups;
    private final ClaimsBuilder claims;
    private final Specs specs;
    private final AuditLog audit;
    private final EntityManager entities;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    AccountService(
            Accounts accounts,
            GroupService groups,
            ClaimsBuilder claims,
            Specs specs,
            AuditLog audit,
            EntityManager entities,
            Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.claims = claims;
        this.specs = specs;
        this.audit = audit;
        this.entities = entities;
        this.clock = clock;
    }

    /**
     * What a wish led to.
     *
     * @param created whether the account is new
     * @param changed whether its claims have to change
     */
    public record Put(boolean created, boolean changed) {}

    /** Creates or changes an account. The same wish again changes nothing. */
    public Put put(Statement statement, String accountId, AccountSpec spec) {
        check(accountId, spec);
        return QuarkusTransaction.requiringNew().call(() -> {
            // Two first requests for one id must not both create it.
            entities.createNativeQuery("select pg_advisory_xact_lock(hashtextextended(:key, 7))")
                    .setParameter("key", "create|" + accountId)
                    .getSingleResult();
            AccountEntity account = accounts.lock(accountId).orElse(null);
            return account == null ? create(statement, accountId, spec) : change(statement, account, spec);
        });
    }

    private Put create(Statement statement, String accountId, AccountSpec spec) {
        AccountEntity account = new AccountEntity();
        account.accountId = accountId;
        account.publicKey = newIdentity();
        account.createdAt = clock.instant();
        account.revision = 1;
        take(account, spec);
        accounts.persistAndFlush(account);
        groups.createManagementGroup(account);
        AccountClaims _ = claims.build(account);
        audit.append(
                statement,
                "account.created",
                accountId,
                Map.of("public_key", account.publicKey, "generation", account.generation));
        return new Put(true, true);
    }

    private Put change(Statement statement, AccountEntity account, AccountSpec spec) {
        AccountLocks.requireAlive(account);
        if (spec.generation() < account.generation) {
            throw ProblemException.conflict(
                    "version_mismatch", "generation " + spec.generation() + " is older than " + account.generation);
        }
        // As records, so that a field this version adds does not make an old wish another one.
        boolean same = spec.equals(specs.of(account));
        if (spec.generation() == account.generation && !same) {
            throw ProblemException.conflict(
                    "version_mismatch", "generation " + account.generation + " is known with another content");
        }
        if (same) {
            return new Put(false, account.syncState() != SyncState.SYNCED);
        }
        take(account, spec);
        account.revision++;
        AccountClaims _ = claims.build(account);
        audit.append(
                statement,
                "account.changed",
                account.accountId,
                Map.of("generation", account.generation, "state", account.state.name()));
        return new Put(false, true);
    }

    private void take(AccountEntity account, AccountSpec spec) {
        account.name = spec.name();
        account.state = spec.state();
        account.generation = spec.generation();
        account.spec = specs.write(spec);
    }

    /** The account; a problem when it is not there or gone. */
    public AccountEntity get(String accountId) {
        AccountEntity account = accounts.findById(accountId);
        if (account == null) {
            throw ProblemException.notFound("there is no account " + accountId);
        }
        return account;
    }

    /** Starts the deletion. False when it is under way or done. */
    public boolean delete(Statement statement, String accountId) {
        return QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = accounts.lock(accountId)
                    .orElseThrow(() -> ProblemException.notFound("there is no account " + accountId));
            if (account.state == AccountState.DELETED || account.state == AccountState.DELETING) {
                return false;
            }
            account.state = AccountState.DELETING;
            account.revision++;
            audit.append(statement, "account.deletion_started", accountId, Map.of());
            return true;
        });
    }

    private static void check(String accountId, AccountSpec spec) {
        if (!KeyRef.isId(accountId) || accountId.equals("operator") || accountId.equals("system")) {
            throw ProblemException.invalid("an account id has 1 to 64 letters, digits, _ and -");
        }
        if (spec == null || spec.generation() == null || spec.generation() < 1) {
            throw ProblemException.invalid("generation must be 1 or more");
        }
        if (spec.name() == null || spec.name().isBlank() || spec.name().length() > 256) {
            throw ProblemException.invalid("name must have 1 to 256 characters");
        }
        if (spec.state() != AccountState.ACTIVE && spec.state() != AccountState.SUSPENDED) {
            throw ProblemException.invalid("state must be active or suspended");
        }
    }

    /**
     * A public key whose private half is wiped at once. The operator signs the account, its signing keys sign the
     * users: with the identity key one could only do harm.
     */
    private String newIdentity() {
        try (NKeyPair pair = NKeyPair.generate(KeyType.ACCOUNT, random)) {
            return pair.publicKey();
        }
    }
}
