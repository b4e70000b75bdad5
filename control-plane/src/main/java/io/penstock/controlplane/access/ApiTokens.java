package io.penstock.controlplane.access;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Rights;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes, rotates and ends tokens. Every method runs in its caller's transaction; secrets leave by the return value only. */
@ApplicationScoped
public class ApiTokens {
    /** Tokens that work, of one owner. */
    private static final int MOST = 10;

    private final SecureRandom random = new SecureRandom();

    @Inject
    ApiTokenRepository tokens;

    @Inject
    RoleAssignmentRepository assignments;

    @Inject
    ProjectRepository projects;

    @Inject
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** What a token shall be. */
    record Wish(String name, List<String> scopes, List<String> projectIds, List<String> cidrs, Duration life) {}

    /** A token with its secret, which is nowhere else. */
    record Made(ApiTokenEntity token, String secret) {
        @Override
        public String toString() {
            return "Made[" + token.id + "]";
        }
    }

    Made create(Scope scope, TokenFormat.Kind kind, String ownerId, String projectId, Wish wish) {
        if (tokens.live(ownerId, clock.instant()) >= MOST) {
            throw ProblemException.of(
                    ErrorCode.STATE_CONFLICT, "It has " + MOST + " tokens already. Revoke one that is not needed.");
        }
        Instant now = clock.instant();
        ApiTokenEntity token = new ApiTokenEntity();
        token.id = ids.next("tok");
        token.orgId = scope.orgId();
        token.ownerKind = kind == TokenFormat.Kind.PERSONAL ? "user" : "service_account";
        token.ownerId = ownerId;
        token.name = wish.name();
        token.scopes = ApiTokenEntity.text(wish.scopes());
        token.projectIds = ApiTokenEntity.text(checkedProjects(scope, wish.projectIds()));
        token.cidrs = ApiTokenEntity.text(wish.cidrs());
        token.lifeSeconds = wish.life().toSeconds();
        token.expiresAt = now.plus(wish.life());
        token.createdAt = now;
        token.createdBy = scope.principal().userId();
        token.updatedAt = now;
        requireNoMoreThanCaller(scope, token);
        String secret = TokenFormat.make(kind, random);
        token.prefix = secret.substring(0, TokenFormat.PREFIX);
        tokens.persistAndFlush(token);
        tokens.addSecret(token, TokenFormat.hash(secret), now);
        locator.add(token.id, scope.orgId(), projectId == null ? scope.orgId() : projectId);
        audit.success(scope, "token.created", resource(token), details(token));
        return new Made(token, secret);
    }

    /** Who makes a token, widens it or gives it a new secret holds it, so it must not do what they could not do themselves. */
    void requireNoMoreThanCaller(Scope scope, ApiTokenEntity token) {
        Rights owner = assignments.rights(scope.orgId(), token.ownerId).limitedTo(token.grant());
        if (!scope.rights().covers(owner)) {
            throw ProblemException.of(
                    ErrorCode.PERMISSION_DENIED,
                    "With these scopes the token could do more than you. Leave out what you do not have yourself.");
        }
    }

    Made rotate(Scope scope, ApiTokenEntity token, Duration overlap, Duration life) {
        requireNotRevoked(token);
        requireNoMoreThanCaller(scope, token);
        Instant now = clock.instant();
        TokenFormat.Kind kind = token.personal() ? TokenFormat.Kind.PERSONAL : TokenFormat.Kind.SERVICE_ACCOUNT;
        String secret = TokenFormat.make(kind, random);
        Instant oldEnd = now.plus(overlap).isBefore(token.expiresAt) ? now.plus(overlap) : token.expiresAt;
        tokens.endSecrets(token.id, oldEnd);
        tokens.addSecret(token, TokenFormat.hash(secret), now);
        token.prefix = secret.substring(0, TokenFormat.PREFIX);
        token.lifeSeconds = life == null ? token.lifeSeconds : life.toSeconds();
        token.expiresAt = now.plusSeconds(token.lifeSeconds);
        token.updatedAt = now;
        tokens.flush();
        Map<String, Object> details = details(token);
        details.put("overlap_seconds", overlap.toSeconds());
        audit.success(scope, "token.rotated", resource(token), details);
        return new Made(token, secret);
    }

    /** Harmless when repeated. */
    void revoke(Scope scope, ApiTokenEntity token) {
        if (token.revokedAt != null) {
            return;
        }
        Instant now = clock.instant();
        token.revokedAt = now;
        token.updatedAt = now;
        tokens.endSecrets(token.id, now);
        tokens.flush();
        audit.success(scope, "token.revoked", resource(token), Map.of("name", token.name, "prefix", token.prefix));
    }

    void revokeAll(Scope scope, String ownerId) {
        tokens.notRevoked(ownerId).stream()
                .filter(token -> token.orgId.equals(scope.orgId()))
                .forEach(token -> revoke(scope, token));
    }

    void requireNotRevoked(ApiTokenEntity token) {
        if (token.revokedAt != null) {
            throw ProblemException.of(ErrorCode.STATE_CONFLICT, "The token was revoked. Make a new one.");
        }
    }

    List<String> checkedProjects(Scope scope, List<String> given) {
        List<String> wanted =
                given == null ? List.of() : given.stream().distinct().toList();
        for (String id : wanted) {
            if (projects.find("orgId = ?1 and id = ?2", scope.orgId(), id).count() == 0) {
                throw ProblemException.invalidField(
                        ErrorCode.VALIDATION_FAILED, "project_ids", "exists", "the organisation has no project " + id);
            }
        }
        return wanted;
    }

    static String resource(ApiTokenEntity token) {
        return "/v1/tokens/" + token.id;
    }

    static Map<String, Object> details(ApiTokenEntity token) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("name", token.name);
        out.put("owner_id", token.ownerId);
        out.put("prefix", token.prefix);
        out.put("scopes", ApiTokenEntity.list(token.scopes));
        out.put("project_ids", ApiTokenEntity.list(token.projectIds));
        out.put("cidrs", ApiTokenEntity.list(token.cidrs));
        out.put("expires_at", token.expiresAt);
        return out;
    }
}
