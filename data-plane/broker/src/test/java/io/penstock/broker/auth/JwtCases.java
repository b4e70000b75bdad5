package io.penstock.broker.auth;

import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.now;
import static io.penstock.broker.testing.TestingOperator.pair;
import static io.penstock.broker.testing.TestingOperator.user;

import io.penstock.broker.testing.TestingOperator;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.Permissions;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserClaims;
import io.penstock.claims.UserLimits;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An operator with accounts of several kinds, and every way in which one of their users can be refused. */
final class JwtCases {
    static final TestingOperator OPERATOR = new TestingOperator();
    static final NKeyPair ACCOUNT = pair(KeyType.ACCOUNT);
    static final NKeyPair PLAIN_KEY = pair(KeyType.ACCOUNT);
    static final NKeyPair SCOPED_KEY = pair(KeyType.ACCOUNT);
    static final NKeyPair USER = pair(KeyType.USER);
    private static final NKeyPair NO_BEARER = pair(KeyType.ACCOUNT);
    private static final NKeyPair EXPIRED = pair(KeyType.ACCOUNT);
    private static final NKeyPair DENY_SCOPED_KEY = pair(KeyType.ACCOUNT);
    private static final NKeyPair REVOKED_USER = pair(KeyType.USER);

    static {
        OPERATOR.preload(
                ACCOUNT,
                AccountClaims.builder(ACCOUNT.publicKey(), "acme")
                        .signingKeys(List.of(
                                new SigningKey(PLAIN_KEY.publicKey(), null),
                                scoped(SCOPED_KEY, rules(List.of("jobs.{{name()}}.>"), List.of())),
                                scoped(DENY_SCOPED_KEY, rules(List.of(), List.of("{{tag(none)}}.x")))))
                        .revocations(Map.of(REVOKED_USER.publicKey(), now() + 3600))
                        .build());
        AccountLimits noBearer = new AccountLimits(
                -1, -1, -1, -1, -1, true, true, -1, -1, AccountLimits.UNLIMITED.jetStream(), Map.of());
        OPERATOR.preload(
                NO_BEARER,
                AccountClaims.builder(NO_BEARER.publicKey(), "strict")
                        .limits(noBearer)
                        .build());
        AccountClaims expired =
                AccountClaims.builder(EXPIRED.publicKey(), "old").build();
        OPERATOR.preload(EXPIRED, expired.withRegistered(expired.registered().expiringAt(now() - 5)));
    }

    private JwtCases() {}

    private static SigningKey scoped(NKeyPair key, Permissions permissions) {
        return new SigningKey(
                key.publicKey(), new SigningKey.Scope("worker", UserLimits.UNLIMITED.withPermissions(permissions), ""));
    }

    private static Permissions rules(List<String> publishAllow, List<String> publishDeny) {
        return new Permissions(new Permissions.Rules(publishAllow, publishDeny), Permissions.Rules.NONE, null);
    }

    /** A user that must not get in. */
    record Refusal(String name, String jwt, NKeyPair signer) {
        @Override
        public String toString() {
            return name;
        }
    }

    static UserClaims plain() {
        return claims(USER, ACCOUNT, UserLimits.UNLIMITED);
    }

    static UserLimits limits(
            List<String> sources, List<UserLimits.TimeRange> times, boolean bearer, List<String> types) {
        return new UserLimits(Permissions.NONE, sources, times, "UTC", -1, -1, -1, bearer, false, types);
    }

    static Stream<Refusal> refusals() {
        NKeyPair stranger = pair(KeyType.ACCOUNT);
        UserClaims plain = plain();
        String good = encode(plain, ACCOUNT);
        String forged = good.substring(0, good.lastIndexOf('.') + 1)
                + encode(plain, stranger).split("\\.")[2];
        UserLimits proxied =
                new UserLimits(Permissions.NONE, List.of(), List.of(), "", -1, -1, -1, false, true, List.of());
        return Stream.of(
                new Refusal("no JWT", "", USER),
                new Refusal("nonsense", "a.b.c", USER),
                new Refusal("expired", encode(expiring(plain, now() - 1), ACCOUNT), USER),
                new Refusal(
                        "not yet valid",
                        encode(plain.withRegistered(plain.registered().startingAt(now() + 100)), ACCOUNT),
                        USER),
                new Refusal("forged signature", forged, USER),
                new Refusal("unknown account", encode(claims(USER, stranger, UserLimits.UNLIMITED), stranger), USER),
                new Refusal("issuer is no key of the account", encode(plain, stranger), USER),
                new Refusal("wrong seed signs the nonce", good, pair(KeyType.USER)),
                new Refusal(
                        "revoked", encode(claims(REVOKED_USER, ACCOUNT, UserLimits.UNLIMITED), ACCOUNT), REVOKED_USER),
                new Refusal(
                        "scoped with own permissions",
                        encode(
                                claims(
                                        USER,
                                        ACCOUNT,
                                        UserLimits.SCOPED.withPermissions(rules(List.of("a"), List.of()))),
                                SCOPED_KEY),
                        USER),
                new Refusal("scoped with own limits", encode(plain, SCOPED_KEY), USER),
                new Refusal(
                        "template that cannot be filled",
                        encode(claims(USER, ACCOUNT, UserLimits.SCOPED), DENY_SCOPED_KEY),
                        USER),
                new Refusal(
                        "wrong connection type",
                        user(USER, ACCOUNT, null, limits(List.of(), List.of(), false, List.of("WEBSOCKET"))),
                        USER),
                new Refusal(
                        "only unknown connection types",
                        user(USER, ACCOUNT, null, limits(List.of(), List.of(), false, List.of("PIGEON"))),
                        USER),
                new Refusal(
                        "source address",
                        user(USER, ACCOUNT, null, limits(List.of("10.0.0.0/8"), List.of(), false, List.of())),
                        USER),
                new Refusal(
                        "time of day",
                        user(
                                USER,
                                ACCOUNT,
                                null,
                                limits(
                                        List.of(),
                                        List.of(new UserLimits.TimeRange("00:00:00", "00:00:00")),
                                        false,
                                        List.of())),
                        USER),
                new Refusal("proxy required", user(USER, ACCOUNT, null, proxied), USER),
                new Refusal(
                        "bearer where the account disallows it",
                        user(USER, NO_BEARER, null, limits(List.of(), List.of(), true, List.of())),
                        USER),
                new Refusal("expired account", encode(claims(USER, EXPIRED, UserLimits.UNLIMITED), EXPIRED), USER));
    }

    static UserClaims expiring(UserClaims claims, long at) {
        return claims.withRegistered(claims.registered().expiringAt(at));
    }
}
