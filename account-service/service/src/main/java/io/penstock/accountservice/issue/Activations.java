package io.penstock.accountservice.issue;

import io.penstock.accountservice.account.AccountLocks;
import io.penstock.accountservice.account.ManagementGroup;
import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.Groups;
import io.penstock.accountservice.store.KeyVersionEntity;
import io.penstock.claims.ActivationClaims;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import io.penstock.claims.ShareKind;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * Issues activations: leave for one other account to import a private export. Signed by the account's internal key, which is never
 * rotated with the tenant's groups, so that a rotation does not stop imports.
 */
@ApplicationScoped
public class Activations {
    private final Accounts accounts;
    private final Groups groups;
    private final KeyVault vault;
    private final IssueLimits limits;
    private final AuditLog audit;
    private final Clock clock;

    Activations(Accounts accounts, Groups groups, KeyVault vault, IssueLimits limits, AuditLog audit, Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.vault = vault;
        this.limits = limits;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * What to allow.
     *
     * @param importerPublicKey the account that may import
     * @param subject what it may import
     * @param type `stream` or `service`
     * @param notBefore the token carries this unix second or a later one, so that an earlier revocation does not void it
     * @param expiresAt unix second, null for no end
     */
    public record Request(String importerPublicKey, String subject, String type, Long notBefore, Long expiresAt) {}

    /** An activation token; not secret, since it is good for its importer alone. */
    public record Activation(String token, Instant issuedAt, Instant expiresAt) {}

    /** Issues one. */
    public Activation issue(Statement statement, String accountId, Request request) {
        ShareKind kind = check(request);
        limits.check(accountId);
        return QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = AccountLocks.alive(accounts, accountId);
            GroupEntity group = groups.ofAccount(accountId, ManagementGroup.ID)
                    .orElseThrow(() -> new IllegalStateException("account " + accountId + " has no internal key"));
            KeyVersionEntity key = groups.activeVersion(group).orElseThrow();
            long earliest = request.notBefore() == null ? 0 : request.notBefore();
            long issuedAt = Math.max(clock.instant().getEpochSecond(), earliest);
            ActivationClaims claims =
                    ActivationClaims.of(request.importerPublicKey(), account.publicKey, request.subject(), kind);
            if (request.expiresAt() != null) {
                claims = claims.withRegistered(claims.registered().expiringAt(request.expiresAt()));
            }
            if (claims.validate(clock.instant()).isBlocking(false)) {
                throw ProblemException.invalid("subject is not a subject: " + request.subject());
            }
            KeyRef ref = new KeyRef(accountId, group.groupId, key.version);
            String token = JwtEncoder.encode(claims, vault.signer(ref, key.publicKey), issuedAt);
            audit.append(
                    statement,
                    "activation.issued",
                    accountId,
                    Map.of(
                            "importer",
                            request.importerPublicKey(),
                            "subject",
                            request.subject(),
                            "issued_at",
                            issuedAt));
            return new Activation(
                    token,
                    Instant.ofEpochSecond(issuedAt),
                    request.expiresAt() == null ? null : Instant.ofEpochSecond(request.expiresAt()));
        });
    }

    private static ShareKind check(Request request) {
        if (request == null || !NKeys.isPublicKey(KeyType.ACCOUNT, String.valueOf(request.importerPublicKey()))) {
            throw ProblemException.invalid("importer_public_key must be an account's public nkey (A…)");
        }
        if (request.subject() == null || request.subject().isBlank()) {
            throw ProblemException.invalid("subject must be given");
        }
        return switch (String.valueOf(request.type())) {
            case "stream" -> ShareKind.STREAM;
            case "service" -> ShareKind.SERVICE;
            default -> throw ProblemException.invalid("type must be stream or service");
        };
    }
}
