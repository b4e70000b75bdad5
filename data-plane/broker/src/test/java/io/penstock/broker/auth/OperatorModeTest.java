package io.penstock.broker.auth;

import static io.penstock.broker.auth.JwtCases.ACCOUNT;
import static io.penstock.broker.auth.JwtCases.OPERATOR;
import static io.penstock.broker.auth.JwtCases.PLAIN_KEY;
import static io.penstock.broker.auth.JwtCases.SCOPED_KEY;
import static io.penstock.broker.auth.JwtCases.USER;
import static io.penstock.broker.auth.JwtCases.expiring;
import static io.penstock.broker.auth.JwtCases.limits;
import static io.penstock.broker.auth.JwtCases.plain;
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
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserLimits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperatorModeTest {
    private static TestingBroker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = TestingBroker.start(OPERATOR.config(ResolverConfig.memory()));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @ParameterizedTest
    @MethodSource("io.penstock.broker.auth.JwtCases#refusals")
    void everyFailureIsTheSameViolation(JwtCases.Refusal refusal) throws Exception {
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
