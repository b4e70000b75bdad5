package io.penstock.broker.auth;

import io.penstock.broker.AuthResult;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.Identity;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import io.penstock.broker.resolver.LoadedAccount;
import io.penstock.broker.resolver.TrustChain;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserClaims;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides what a user JWT is worth in its account, check by check in the fixed order. Pure. */
final class UserVerifier {
    private final TrustChain trust;

    UserVerifier(TrustChain trust) {
        this.trust = trust;
    }

    /**
     * Admits a user to an account, or refuses it.
     *
     * @param claims of a JWT whose own signature has been verified
     * @param jwt the token itself
     * @param request the CONNECT whose signature of the nonce is checked, or null when a connection that has proven its
     *     key before is looked at again
     */
    AuthResult.Accepted admit(
            UserClaims claims,
            String jwt,
            LoadedAccount account,
            ConnectRequest request,
            ConnectionInfo connection,
            Instant now)
            throws RefusedException {
        AccountClaims issuer = account.claims();
        if (!trust.trusts(issuer.issuer())) {
            throw new RefusedException("account " + account.key() + " is not signed by a trusted operator");
        }
        io.penstock.claims.UserLimits limits = effectiveLimits(claims, account);
        if (limits.proxyRequired()) {
            throw new RefusedException("user " + claims.subject() + " must come through a trusted proxy");
        }
        if (account.isExpired(now)) {
            throw new RefusedException("account " + account.key() + " has expired");
        }
        if (limits.bearerToken() && issuer.limits().disallowBearer()) {
            throw new RefusedException("account " + account.key() + " does not allow bearer tokens");
        }
        if (!ConnectionTypes.allow(limits.connectionTypes(), connection.type())) {
            throw new RefusedException("user " + claims.subject() + " may not connect by " + connection.type());
        }
        if (request != null && !limits.bearerToken()) {
            NonceSignature.require(claims.subject(), connection.nonce(), request.signature());
        }
        if (issuer.isRevoked(claims.subject(), claims.registered().issuedAt())) {
            throw new RefusedException.Revoked("user " + claims.subject() + " has been revoked");
        }
        if (!SourceRanges.allow(limits.sources(), connection.remoteHost())) {
            throw new RefusedException("user " + claims.subject() + " may not come from " + connection.remoteHost());
        }
        Duration stay = TimeWindows.remaining(windows(limits), limits.timesLocation(), now)
                .orElseThrow(() -> new RefusedException("user " + claims.subject() + " may not connect at this time"));
        return accept(claims, jwt, limits, account, stay.isZero() ? null : now.plus(stay));
    }

    private static List<TimeWindows.Window> windows(io.penstock.claims.UserLimits limits) {
        return limits.times().stream()
                .map(range -> new TimeWindows.Window(range.start(), range.end()))
                .toList();
    }

    /** The user's own limits, or those of the scope it was signed in. */
    private io.penstock.claims.UserLimits effectiveLimits(UserClaims claims, LoadedAccount account)
            throws RefusedException {
        AccountClaims issuer = account.claims();
        if (claims.issuer().equals(issuer.subject())) {
            if (!account.isProvisional() && trust.demandsSigningKeys(issuer.issuer())) {
                throw new RefusedException("user " + claims.subject() + " is signed by the identity key of account "
                        + account.key() + "; the operator demands a signing key");
            }
            return claims.limits();
        }
        Optional<SigningKey> key = issuer.signingKey(claims.issuer());
        if (key.isEmpty()) {
            throw new RefusedException("user " + claims.subject() + " is signed by " + claims.issuer()
                    + ", which is no signing key of account " + account.key());
        }
        SigningKey.Scope scope = key.get().scope();
        if (scope == null) {
            return claims.limits();
        }
        if (!claims.limits().isEmpty()) {
            throw new RefusedException(
                    "user " + claims.subject() + " of a scoped signing key carries permissions or limits of its own");
        }
        ScopeTemplate.Values values = new ScopeTemplate.Values(
                claims.registered().name(),
                claims.subject(),
                claims.tags(),
                issuer.registered().name(),
                issuer.subject(),
                issuer.tags());
        PermissionsConfig filled =
                ScopeTemplate.expand(PermissionRules.of(scope.template().permissions()), values);
        return scope.template().withPermissions(PermissionRules.toClaims(filled));
    }

    private static AuthResult.Accepted accept(
            UserClaims claims,
            String jwt,
            io.penstock.claims.UserLimits limits,
            LoadedAccount account,
            Instant windowEnd) {
        Permissions permissions = PermissionRules.compile(
                PermissionRules.of(limits.permissions()),
                PermissionRules.of(account.claims().defaultPermissions()));
        Instant userEnd = earlier(instant(claims.registered().expiresAt()), windowEnd);
        Instant accountEnd = instant(account.expires());
        boolean accountFirst = accountEnd != null && (userEnd == null || accountEnd.isBefore(userEnd));
        Identity identity = new Identity(
                claims.subject(),
                claims.subject(),
                jwt,
                claims.issuer(),
                claims.registered().name(),
                claims.tags(),
                earlier(userEnd, accountEnd),
                accountFirst ? Identity.ACCOUNT_EXPIRED : Identity.USER_EXPIRED);
        UserLimits bounds = new UserLimits(limits.subscriptions(), limits.payload());
        return new AuthResult.Accepted(account.account(), identity, permissions, bounds);
    }

    private static Instant instant(long unixSeconds) {
        return unixSeconds == 0 ? null : Instant.ofEpochSecond(unixSeconds);
    }

    private static Instant earlier(Instant a, Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isBefore(b) ? a : b;
    }
}
