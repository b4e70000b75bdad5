package io.penstock.accountservice.issue;

import io.penstock.accountservice.account.AccountLocks;
import io.penstock.accountservice.account.ManagementGroup;
import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.Groups;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Short-lived users with which the control plane works on a tenant's streams. Possible while suspended too. */
@ApplicationScoped
public class ManagementCredentials {
    private static final long LONGEST_SECONDS = 600;

    private final Accounts accounts;
    private final Groups groups;
    private final UserSigner signer;
    private final IssueLimits limits;
    private final AuditLog audit;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    ManagementCredentials(
            Accounts accounts, Groups groups, UserSigner signer, IssueLimits limits, AuditLog audit, Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.signer = signer;
        this.limits = limits;
        this.audit = audit;
        this.clock = clock;
    }

    /** What is asked for. */
    public record Request(Long ttlSeconds, String purpose) {}

    /** A user of the account's JetStream API. */
    public record Credential(String jwt, SecretText seed, Instant expiresAt) {}

    /** Makes one. */
    public Credential issue(Statement statement, String accountId, Request request) {
        if (request == null
                || request.ttlSeconds() == null
                || request.ttlSeconds() < 1
                || request.ttlSeconds() > LONGEST_SECONDS) {
            throw ProblemException.invalid("ttl_seconds must be 1 to " + LONGEST_SECONDS);
        }
        if (request.purpose() == null
                || request.purpose().isBlank()
                || request.purpose().length() > 256) {
            throw ProblemException.invalid("purpose must have 1 to 256 characters");
        }
        limits.check(accountId);
        try (NKeyPair pair = NKeyPair.generate(KeyType.USER, random)) {
            long now = clock.instant().getEpochSecond();
            long expiresAt = now + request.ttlSeconds();
            String jwt = QuarkusTransaction.requiringNew().call(() -> {
                AccountEntity account = AccountLocks.alive(accounts, accountId);
                GroupEntity group = groups.ofAccount(accountId, ManagementGroup.ID)
                        .orElseThrow(
                                () -> new IllegalStateException("account " + accountId + " has no management key"));
                UserSigner.Signed signed = signer.sign(
                        account, group, pair.publicKey(), "penstock-control-plane", List.of(), now, expiresAt);
                audit.append(
                        statement,
                        "management_credential.issued",
                        accountId,
                        Map.of(
                                "purpose", request.purpose(),
                                "user_public_key", pair.publicKey(),
                                "expires_at", expiresAt));
                return signed.jwt();
            });
            return new Credential(jwt, new SecretText(pair.seed()), Instant.ofEpochSecond(expiresAt));
        }
    }
}
