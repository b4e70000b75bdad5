package io.penstock.controlplane.access;

import io.penstock.controlplane.access.PrincipalNames.PrincipalRef;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Shown;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tokens as they are shown. */
@ApplicationScoped
public class TokenViews {
    private static final String DELIVERED = "secret_already_delivered";

    @Inject
    ApiTokenRepository tokens;

    @Inject
    PrincipalNames names;

    @Inject
    Clock clock;

    /** A token's metadata. */
    public record ApiToken(
            String id,
            String organizationId,
            String kind,
            PrincipalRef owner,
            String name,
            String prefix,
            List<String> scopes,
            List<String> projectIds,
            List<String> cidrs,
            String state,
            Instant expiresAt,
            Instant previousValidUntil,
            Instant lastUsedAt,
            String lastUsedIp,
            Instant createdAt,
            String createdBy,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** The one answer that holds a token's secret. */
    public record ApiTokenResult(ApiToken token, String secret, String code) {
        @Override
        public String toString() {
            return "ApiTokenResult[" + token.id() + "]";
        }
    }

    List<ApiToken> views(Scope scope, List<ApiTokenEntity> rows) {
        Map<String, PrincipalRef> owners = names.find(
                scope, rows.stream().map(row -> row.ownerId).distinct().toList());
        return rows.stream()
                .map(row -> view(
                        row,
                        owners.getOrDefault(row.ownerId, new PrincipalRef(row.ownerKind, row.ownerId, row.ownerId))))
                .toList();
    }

    ApiToken view(Scope scope, ApiTokenEntity row) {
        return views(scope, List.of(row)).getFirst();
    }

    private ApiToken view(ApiTokenEntity row, PrincipalRef owner) {
        Instant now = clock.instant();
        return new ApiToken(
                row.id,
                row.orgId,
                row.personal() ? "personal" : "service_account",
                owner,
                row.name,
                row.prefix,
                ApiTokenEntity.list(row.scopes),
                ApiTokenEntity.list(row.projectIds),
                ApiTokenEntity.list(row.cidrs),
                row.state(now).code(),
                row.expiresAt,
                row.revokedAt == null ? tokens.previousValidUntil(row.id, now) : null,
                row.lastUsedAt,
                row.lastUsedIp,
                row.createdAt,
                row.createdBy,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    /** Gives the secret to the caller, and to the store of repeats an answer without it. */
    static Idempotency.Answer once(ApiToken token, String secret, String location) {
        return new Idempotency.Answer(
                201,
                new ApiTokenResult(token, secret, null),
                new ApiTokenResult(token, null, DELIVERED),
                null,
                location);
    }
}
