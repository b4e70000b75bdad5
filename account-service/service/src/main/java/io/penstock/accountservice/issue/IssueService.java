package io.penstock.accountservice.issue;

import io.penstock.accountservice.account.AccountLocks;
import io.penstock.accountservice.account.GroupService;
import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.IssuanceEntity;
import io.penstock.accountservice.store.Issuances;
import io.penstock.accountservice.store.Revocations;
import io.penstock.claims.CredentialsFile;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.NKeys;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Issues user tokens. A seed made here goes into the one answer and is wiped. */
@ApplicationScoped
public class IssueService {
    private static final int MAX_TAGS = 64;

    private final Accounts accounts;
    private final GroupService groups;
    private final Issuances issuances;
    private final Revocations revocations;
    private final UserSigner signer;
    private final IssueLimits limits;
    private final AuditLog audit;
    private final ServiceConfig config;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    IssueService(
            Accounts accounts,
            GroupService groups,
            Issuances issuances,
            Revocations revocations,
            UserSigner signer,
            IssueLimits limits,
            AuditLog audit,
            ServiceConfig config,
            Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.issuances = issuances;
        this.revocations = revocations;
        this.signer = signer;
        this.limits = limits;
        this.audit = audit;
        this.config = config;
        this.clock = clock;
    }

    /** Issues one token; the same issuance id again is a conflict, since a secret is delivered once. */
    public Issued issue(Statement statement, String accountId, String groupId, IssueRequest request) {
        check(request);
        limits.check(accountId);
        if (request.publicKey() != null) {
            return issueTo(statement, accountId, groupId, request, request.publicKey(), null);
        }
        try (NKeyPair pair = NKeyPair.generate(KeyType.USER, random)) {
            return issueTo(statement, accountId, groupId, request, pair.publicKey(), pair);
        }
    }

    private Issued issueTo(
            Statement statement,
            String accountId,
            String groupId,
            IssueRequest request,
            String userPublicKey,
            NKeyPair generated) {
        UserSigner.Signed signed = QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = AccountLocks.active(accounts, accountId);
            GroupEntity group = groups.visible(accountId, groupId);
            GroupService.requireActive(group);
            refuseRepetition(accountId, request.issuanceId());
            long now = clock.instant().getEpochSecond();
            // A node voids what was issued in the very second of a revocation: a token issued after one is later.
            long issuedAt = Math.max(now, revocations.lastRevokedSecond(accountId, userPublicKey) + 1);
            long expiresAt = issuedAt + request.ttlSeconds();
            UserSigner.Signed result =
                    signer.sign(account, group, userPublicKey, request.name(), request.tags(), issuedAt, expiresAt);
            record(
                    statement,
                    accountId,
                    groupId,
                    request,
                    userPublicKey,
                    result,
                    issuedAt,
                    expiresAt,
                    generated != null);
            return result;
        });
        return answer(request.issuanceId(), userPublicKey, signed.jwt(), generated);
    }

    private void refuseRepetition(String accountId, String issuanceId) {
        IssuanceEntity earlier = issuances.findById(issuanceId);
        if (earlier == null) {
            return;
        }
        if (!earlier.accountId.equals(accountId)) {
            throw ProblemException.conflict("issuance_id_taken", "the issuance id is taken");
        }
        Map<String, Object> known = new HashMap<>();
        known.put("issuance_id", earlier.issuanceId);
        known.put("user_public_key", earlier.userPublicKey);
        known.put("jti", earlier.jti);
        known.put("issued_at", Instant.ofEpochSecond(earlier.issuedAt));
        known.put("expires_at", Instant.ofEpochSecond(earlier.expiresAt));
        throw ProblemException.conflict(
                "secret_already_delivered", "issuance " + issuanceId + " was delivered before", known);
    }

    private void record(
            Statement statement,
            String accountId,
            String groupId,
            IssueRequest request,
            String userPublicKey,
            UserSigner.Signed signed,
            long issuedAt,
            long expiresAt,
            boolean generated) {
        IssuanceEntity issuance = new IssuanceEntity();
        issuance.issuanceId = request.issuanceId();
        issuance.accountId = accountId;
        issuance.groupId = groupId;
        issuance.keyVersion = signed.key().version;
        issuance.signingPublicKey = signed.key().publicKey;
        issuance.userId = request.userId();
        issuance.name = request.name();
        issuance.userPublicKey = userPublicKey;
        issuance.keyGeneratedHere = generated;
        issuance.jti = jti(signed.jwt());
        issuance.issuedAt = issuedAt;
        issuance.expiresAt = expiresAt;
        issuance.issuedBy = request.issuedBy();
        issuance.channel = request.channel();
        issuance.tags = String.join(",", request.tags());
        issuance.createdAt = clock.instant();
        issuances.persistAndFlush(issuance);
        audit.append(
                statement,
                "user.issued",
                accountId,
                Map.of(
                        "issuance_id",
                        request.issuanceId(),
                        "group",
                        groupId,
                        "key_version",
                        signed.key().version,
                        "user_public_key",
                        userPublicKey,
                        "jti",
                        issuance.jti,
                        "expires_at",
                        expiresAt));
    }

    private static Issued answer(String issuanceId, String userPublicKey, String jwt, NKeyPair generated) {
        SecretText creds = null;
        if (generated != null) {
            byte[] seed = generated.seed();
            creds = new SecretText(CredentialsFile.write(jwt, seed));
            Arrays.fill(seed, (byte) 0);
        }
        try {
            var registered = JwtDecoder.decodeUser(jwt).registered();
            return new Issued(
                    issuanceId,
                    userPublicKey,
                    registered.id(),
                    jwt,
                    Instant.ofEpochSecond(registered.issuedAt()),
                    Instant.ofEpochSecond(registered.expiresAt()),
                    creds);
        } catch (InvalidTokenException e) {
            throw new IllegalStateException("the token just issued does not verify", e);
        }
    }

    private static String jti(String jwt) {
        try {
            return JwtDecoder.decodeUser(jwt).registered().id();
        } catch (InvalidTokenException e) {
            throw new IllegalStateException("the token just issued does not verify", e);
        }
    }

    private void check(IssueRequest request) {
        if (request == null || !KeyRef.isId(request.issuanceId()) || !KeyRef.isId(request.userId())) {
            throw ProblemException.invalid("issuance_id and user_id have 1 to 64 letters, digits, _ and -");
        }
        if (request.name() == null || request.name().isBlank() || request.name().length() > 256) {
            throw ProblemException.invalid("name must have 1 to 256 characters");
        }
        if (request.publicKey() != null && !NKeys.isPublicKey(KeyType.USER, request.publicKey())) {
            throw ProblemException.invalid("public_key must be a user's public nkey (U…)");
        }
        long longest = config.issue().maxTtl().toSeconds();
        if (request.ttlSeconds() == null || request.ttlSeconds() < 1 || request.ttlSeconds() > longest) {
            throw ProblemException.invalid("ttl_seconds must be 1 to " + longest + ": every token expires");
        }
        if (request.tags().size() > MAX_TAGS || request.tags().stream().anyMatch(IssueService::isBadTag)) {
            throw ProblemException.invalid("tags: at most " + MAX_TAGS + " of 1 to 256 characters without commas");
        }
        if (request.channel() == null
                || !KeyRef.isId(request.channel())
                || request.channel().length() > 32) {
            throw ProblemException.invalid("channel has 1 to 32 letters, digits, _ and -");
        }
        if (request.issuedBy() == null || request.issuedBy().isBlank()) {
            throw ProblemException.invalid("issued_by must be given");
        }
    }

    private static boolean isBadTag(String tag) {
        return tag == null || tag.isBlank() || tag.length() > 256 || tag.contains(",");
    }
}
