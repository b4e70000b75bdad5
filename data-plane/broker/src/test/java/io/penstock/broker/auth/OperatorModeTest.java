package io.penstock.broker.auth;

import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.now;
import static io.penstock.broker.testing.TestingOperator.pair;
import static io.penstock.broker.testing.TestingOperator.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingOperator;
import io.penstock.broker.testing.TestingWire;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.Permissions;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserClaims;
import io.penstock.claims.UserLimits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperatorModeTest {
    private static final TestingOperator OPERATOR = new TestingOperator();
    private static final NKeyPair ACCOUNT = pair(KeyType.ACCOUNT);
    private static final NKeyPair NO_BEARER = pair(KeyType.ACCOUNT);
    private static final NKeyPair EXPIRED = pair(KeyType.ACCOUNT);
    private static final NKeyPair PLAIN_KEY = pair(KeyType.ACCOUNT);
    private static final NKeyPair SCOPED_KEY = pair(KeyType.ACCOUNT);
    private static final NKeyPair DENY_SCOPED_KEY = pair(KeyType.ACCOUNT);
    private static final NKeyPair REVOKED_USER = pair(KeyType.USER);
    private static final NKeyPair USER = pair(KeyType.USER);
    private static TestingBroker broker;

    @BeforeAll
    static void start() throws Exception {
        OPERATOR.preload(
                ACCOUNT,
                AccountClaims.builder(ACCOUNT.publicKey(), "acme")
                        .signingKeys(List.of(
                                new SigningKey(PLAIN_KEY.publicKey(), null),
                                scoped(SCOPED_KEY, rules(List.of("jobs.{{name()}}.>"), List.of())),
                                scoped(DENY_SCOPED_KEY, rules(List.of(), List.of("{{tag(none)}}.x")))))
                        .revocations(Map.of(REVOKED_USER.publicKey(), now() + 10))
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
        broker = TestingBroker.start(OPERATOR.config(ResolverConfig.memory()));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static SigningKey scoped(NKeyPair key, Permissions permissions) {
        return new SigningKey(
                key.publicKey(), new SigningKey.Scope("worker", UserLimits.UNLIMITED.withPermissions(permissions), ""));
    }

    private static Permissions rules(List<String> publishAllow, List<String> publishDeny) {
        return new Permissions(new Permissions.Rules(publishAllow, publishDeny), Permissions.Rules.NONE, null);
    }

    private record Refusal(String name, String jwt, NKeyPair signer) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static UserClaims plain() {
        return claims(USER, ACCOUNT, UserLimits.UNLIMITED);
    }

    private static UserLimits limits(
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

    private static UserClaims expiring(UserClaims claims, long at) {
        return claims.withRegistered(claims.registered().expiringAt(at));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void everyFailureIsTheSameViolation(Refusal refusal) throws Exception {
        try (TestingWire wire = dial(broker.port(), refusal.jwt(), refusal.signer())) {
            assertThat(wire.next()).isEqualTo("-ERR 'Authorization Violation'");
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void admitsUsersOfTheAccountAndOfItsSigningKeys() throws Exception {
        for (NKeyPair signer : List.of(ACCOUNT, PLAIN_KEY)) {
            try (TestingWire wire = dial(broker.port(), encode(plain(), signer), USER)) {
                wire.flush();
                assertThat(wire.isQuiet()).isTrue();
            }
        }
    }

    @Test
    void scopedUsersGetTheTemplateFilledIn() throws Exception {
        String jwt = encode(claims(USER, ACCOUNT, UserLimits.SCOPED), SCOPED_KEY);
        try (TestingWire wire = dial(broker.port(), jwt, USER)) {
            wire.flush();
            wire.publish("jobs.w1.a", "", "x");
            assertThat(wire.isQuiet()).isTrue();
            wire.publish("jobs.w2.a", "", "x");
            assertThat(wire.next()).isEqualTo("-ERR 'Permissions Violation for Publish to \"jobs.w2.a\"'");
        }
    }

    @Test
    void bearersNeedNoSignature() throws Exception {
        String jwt = user(USER, ACCOUNT, null, limits(List.of(), List.of(), true, List.of()));
        try (TestingWire wire = TestingWire.connect(broker.port(), "\"jwt\":\"" + jwt + "\"")) {
            wire.flush();
            assertThat(wire.isQuiet()).isTrue();
        }
    }

    @Test
    void standardBase64SignaturesAreTaken() throws Exception {
        try (TestingWire wire = TestingWire.open(broker.port())) {
            String signature =
                    Base64.getEncoder().encodeToString(USER.sign(wire.nonce().getBytes(StandardCharsets.US_ASCII)));
            wire.send("CONNECT {\"verbose\":false,\"jwt\":\"" + encode(plain(), ACCOUNT) + "\",\"sig\":\"" + signature
                    + "\"}");
            wire.flush();
            assertThat(wire.isQuiet()).isTrue();
        }
    }

    @Test
    void signatureOfAnotherConnectionsNonceIsRefused() throws Exception {
        try (TestingWire first = TestingWire.open(broker.port());
                TestingWire second = TestingWire.open(broker.port())) {
            second.send("CONNECT {" + TestingOperator.login(encode(plain(), ACCOUNT), USER, first.nonce()) + "}");
            assertThat(second.next()).isEqualTo("-ERR 'Authorization Violation'");
        }
    }

    @Test
    void connectionEndsWhenTheUserExpires() throws Exception {
        String jwt = encode(expiring(plain(), now() + 2), ACCOUNT);
        try (TestingWire wire = dial(broker.port(), jwt, USER)) {
            wire.flush();
            assertThat(wire.next()).isEqualTo("-ERR 'User Authentication Expired'");
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void onlyPinnedAccountsMayLogInWhereThereAreAny() throws Exception {
        NKeyPair other = pair(KeyType.ACCOUNT);
        TestingOperator operator = new TestingOperator();
        operator.preload(
                ACCOUNT, AccountClaims.builder(ACCOUNT.publicKey(), "a").build());
        operator.preload(other, AccountClaims.builder(other.publicKey(), "b").build());
        AuthConfig config = operator.config(ResolverConfig.memory(), ACCOUNT.publicKey());
        try (TestingBroker pinned = TestingBroker.start(config);
                TestingWire good = dial(pinned.port(), encode(plain(), ACCOUNT), USER);
                TestingWire bad = dial(pinned.port(), encode(claims(USER, other, UserLimits.UNLIMITED), other), USER)) {
            good.flush();
            assertThat(bad.next()).isEqualTo("-ERR 'Authorization Violation'");
            assertThat(pinned.access().pinnedAccountFailures()).isEqualTo(1);
        }
    }

    @Test
    void strictOperatorsWantSigningKeysOfAccountsToo() throws Exception {
        TestingOperator operator = new TestingOperator().strict().withoutSystemJwt();
        operator.preload(
                ACCOUNT,
                AccountClaims.builder(ACCOUNT.publicKey(), "a")
                        .signingKeys(List.of(new SigningKey(PLAIN_KEY.publicKey(), null)))
                        .build());
        operator.preload(
                operator.system,
                AccountClaims.builder(operator.system.publicKey(), "SYS").build());
        try (TestingBroker strict = TestingBroker.start(operator.config(ResolverConfig.memory()));
                TestingWire byKey = dial(strict.port(), encode(plain(), PLAIN_KEY), USER);
                TestingWire byIdentity = dial(strict.port(), encode(plain(), ACCOUNT), USER)) {
            byKey.flush();
            assertThat(byIdentity.next()).isEqualTo("-ERR 'Authorization Violation'");
        }
    }
}
