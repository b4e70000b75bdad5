package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells who is behind the `Authorization` header. Each call looks again, so what was taken away is gone with the next call. */
@ApplicationScoped
public class BearerTokens {
    private static final Pattern BEARER = Pattern.compile("(?i)bearer +(\\S+)");

    @Inject
    Tenancy tenancy;

    @Inject
    ApiTokenRepository tokens;

    @Inject
    EntityManager database;

    @Inject
    Clock clock;

    /** Where a call comes from. */
    public record Origin(String ip, String userAgent) {}

    private static Optional<String> secret(String authorization) {
        Matcher bearer = BEARER.matcher(authorization.strip());
        return bearer.matches() ? Optional.of(bearer.group(1)) : Optional.empty();
    }

    /** The principal, or 401 when the token is not good, or 403 from a wrong address. */
    public Principal authenticate(String authorization, Origin origin) {
        String text = secret(authorization)
                .orElseThrow(() -> ProblemException.of(
                        ErrorCode.UNAUTHENTICATED,
                        "Send `Authorization: Bearer pst_…`, with one token and nothing else."));
        String hash = TokenFormat.hashOf(text)
                .orElseThrow(
                        () -> ProblemException.of(
                                ErrorCode.UNAUTHENTICATED,
                                "This is not a whole API token: its checksum does not fit. Copy it again, from pst_ to the end."));
        Instant now = clock.instant();
        return tenancy.bySecret(hash, () -> tokens.organizationOf(hash), org -> admit(hash, org, origin, now))
                .orElseThrow(() -> ProblemException.of(
                        ErrorCode.UNAUTHENTICATED,
                        "There is no such API token. It may have been deleted with its owner."));
    }

    private Principal admit(String hash, String org, Origin origin, Instant now) {
        ApiTokenRepository.Secret secret = tokens.secret(hash).orElseThrow(BearerTokens::revoked);
        ApiTokenEntity token = tokens.findById(secret.tokenId());
        switch (token.state(now)) {
            case REVOKED -> throw revoked();
            case DISABLED -> throw refused(ErrorCode.TOKEN_REVOKED, "The token is disabled.", token);
            case EXPIRED ->
                throw refused(ErrorCode.TOKEN_EXPIRED, "The token expired. Rotate it or make a new one.", token);
            case ACTIVE -> {}
        }
        if (secret.validUntil() != null && !now.isBefore(secret.validUntil())) {
            throw refused(
                    ErrorCode.TOKEN_REVOKED, "The token was rotated, and the time of this secret is over.", token);
        }
        List<String> cidrs = ApiTokenEntity.list(token.cidrs);
        if (!cidrs.isEmpty()
                && cidrs.stream().noneMatch(cidr -> Cidr.parse(cidr).contains(origin.ip()))) {
            throw refused(ErrorCode.IP_NOT_ALLOWED, "The token may not be used from " + origin.ip() + ".", token);
        }
        Principal owner = token.personal() ? person(token, org) : machine(token);
        if (token.lastUsedAt == null || token.lastUsedAt.isBefore(now.minusSeconds(60))) {
            tokens.used(token.id, now, origin.ip(), origin.userAgent());
        }
        return owner;
    }

    private Principal person(ApiTokenEntity token, String org) {
        List<?> rows = database.createNativeQuery("select u.sub, u.email, u.name from app_user u join membership m"
                        + " on m.user_id = u.id where u.id = ?1 and m.org_id = ?2")
                .setParameter(1, token.ownerId)
                .setParameter(2, org)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Principal(
                        Principal.Kind.USER,
                        token.ownerId,
                        (String) row[0],
                        (String) row[1],
                        (String) row[2],
                        token.grant()))
                .findFirst()
                .orElseThrow(() -> refused(
                        ErrorCode.TOKEN_REVOKED,
                        "The token's owner is no longer a member of the organisation.",
                        token));
    }

    private Principal machine(ApiTokenEntity token) {
        ServiceAccountEntity account = database.find(ServiceAccountEntity.class, token.ownerId);
        if (account == null || account.disabled) {
            throw refused(ErrorCode.TOKEN_REVOKED, "The token's service account is disabled.", token);
        }
        return Principal.serviceAccount(account.id, account.name, token.grant());
    }

    private static ProblemException revoked() {
        return ProblemException.of(ErrorCode.TOKEN_REVOKED, "The token was revoked. Make a new one.");
    }

    private static ProblemException refused(ErrorCode code, String detail, ApiTokenEntity token) {
        return ProblemException.of(code, detail).param("token_id", token.id);
    }
}
