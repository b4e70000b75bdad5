package io.penstock.broker.auth;

import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.now;
import static io.penstock.broker.testing.TestingOperator.pair;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingOperator;
import io.penstock.broker.testing.TestingWire;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountClaimsBuilder;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.GenericClaims;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.Permissions;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveUpdateTest {
    @TempDir
    static Path folder;

    private static TestingOperator operator;
    private static TestingBroker broker;

    private final NKeyPair account = pair(KeyType.ACCOUNT);
    private final NKeyPair key = pair(KeyType.ACCOUNT);
    private final NKeyPair user = pair(KeyType.USER);
    private TestingWire system;

    @BeforeAll
    static void start() throws Exception {
        operator = new TestingOperator();
        broker = TestingBroker.start(operator.config(resolver(false)));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    // Every test has an account of its own.
    @BeforeEach
    void connect() throws Exception {
        system = operator.dialSystem(broker.port());
    }

    @AfterEach
    void disconnect() throws Exception {
        system.close();
    }

    private static ResolverConfig resolver(boolean allowDelete) {
        return new ResolverConfig(
                ResolverConfig.Kind.FULL,
                folder.resolve("jwt"),
                null,
                allowDelete,
                false,
                ResolverConfig.DEFAULT_INTERVAL,
                Duration.ZERO,
                0,
                ResolverConfig.DEFAULT_TIMEOUT);
    }

    private AccountClaimsBuilder account() {
        return AccountClaims.builder(account.publicKey(), "acme")
                .signingKeys(List.of(new SigningKey(key.publicKey(), null)));
    }

    private String push(AccountClaims claims) throws Exception {
        return push(operator.sign(claims));
    }

    private String push(String jwt) throws Exception {
        return system.request("$SYS.REQ.CLAIMS.UPDATE", jwt).payload();
    }

    private TestingWire admitted(NKeyPair signer) throws Exception {
        TestingWire wire = dial(broker.port(), encode(claims(user, account, UserLimits.UNLIMITED), signer), user);
        wire.flush();
        return wire;
    }

    @Test
    void pushedAccountsWorkAtOnceAndAreOnDisk() throws Exception {
        String jwt = operator.sign(account().build());

        assertThat(push(jwt))
                .contains("\"data\":{\"account\":\"" + account.publicKey()
                        + "\",\"code\":200,\"message\":\"jwt updated\"}")
                .contains("\"id\":\"" + broker.id() + "\"");
        assertThat(folder.resolve("jwt").resolve(account.publicKey() + ".jwt")).hasContent(jwt);
        admitted(account).close();
    }

    @Test
    void accountsSurviveARestart() throws Exception {
        push(account().build());
        broker.close();
        system.close();

        broker = TestingBroker.start(operator.config(resolver(false)));
        system = operator.dialSystem(broker.port());
        admitted(account).close();
    }

    @Test
    void revokedUsersAreClosed() throws Exception {
        push(account().build());
        try (TestingWire wire = admitted(account)) {
            push(account().revocations(Map.of(user.publicKey(), now() + 1)).build());

            assertThat(wire.next()).isEqualTo("-ERR 'User Authentication Revoked'");
            assertThat(wire.isClosed()).isTrue();
        }
        try (TestingWire again =
                dial(broker.port(), encode(claims(user, account, UserLimits.UNLIMITED), account), user)) {
            assertThat(again.next()).isEqualTo("-ERR 'Authorization Violation'");
        }
    }

    @Test
    void starRevokesEveryoneIssuedBefore() throws Exception {
        push(account().build());
        try (TestingWire wire = admitted(key)) {
            push(account().revocations(Map.of("*", now() + 1)).build());

            assertThat(wire.next()).isEqualTo("-ERR 'User Authentication Revoked'");
        }
    }

    @Test
    void usersOfARemovedSigningKeyAreClosedAndOthersStay() throws Exception {
        push(account().build());
        try (TestingWire byKey = admitted(key);
                TestingWire byAccount = admitted(account)) {
            push(account().signingKeys(List.of()).build());

            assertThat(byKey.next()).isEqualTo("-ERR 'Authorization Violation'");
            assertThat(byKey.isClosed()).isTrue();
            assertThat(byAccount.isQuiet()).isTrue();
        }
    }

    @Test
    void scopeChangesReachLiveConnections() throws Exception {
        push(account().signingKeys(List.of(scoped(List.of("a.>")))).build());
        try (TestingWire wire = dial(broker.port(), encode(claims(user, account, UserLimits.SCOPED), key), user)) {
            wire.flush();
            wire.publish("a.x", "", "1");
            assertThat(wire.isQuiet()).isTrue();

            push(account().signingKeys(List.of(scoped(List.of("b.>")))).build());
            awaitAllowed(wire, "b.x");
            wire.publish("a.x", "", "1");
            assertThat(wire.next()).isEqualTo("-ERR 'Permissions Violation for Publish to \"a.x\"'");
        }
    }

    // The new permissions wait on the connection's event loop behind what it is doing when they come.
    private static void awaitAllowed(TestingWire wire, String subject) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        String answer;
        do {
            wire.publish(subject, "", "1");
            wire.send("PING");
            answer = wire.next();
            if (!"PONG".equals(answer)) {
                assertThat(wire.next()).isEqualTo("PONG");
            }
        } while (!"PONG".equals(answer) && System.nanoTime() < deadline);
        assertThat(answer).isEqualTo("PONG");
    }

    private SigningKey scoped(List<String> publish) {
        Permissions permissions =
                new Permissions(new Permissions.Rules(publish, List.of()), Permissions.Rules.NONE, null);
        return new SigningKey(
                key.publicKey(), new SigningKey.Scope("r", UserLimits.UNLIMITED.withPermissions(permissions), ""));
    }

    @Test
    void lowerConnectionLimitClosesTheNewest() throws Exception {
        push(account().build());
        try (TestingWire first = admitted(account);
                TestingWire second = admitted(account)) {
            AccountLimits one = new AccountLimits(
                    -1, -1, -1, -1, -1, true, false, 1, -1, AccountLimits.UNLIMITED.jetStream(), Map.of());
            push(account().limits(one).build());

            assertThat(second.next()).isEqualTo("-ERR 'maximum account active connections exceeded'");
            assertThat(first.isQuiet()).isTrue();
        }
    }

    @Test
    void olderClaimsAreAnsweredButNotTaken() throws Exception {
        push(operator.sign(account().build(), now()));
        String older = operator.sign(account().signingKeys(List.of()).build(), now() - 100);

        assertThat(push(older)).contains("jwt updated");
        admitted(key).close();
    }

    @Test
    void badClaimsAreRefusedWithTheReason() throws Exception {
        NKeyPair stranger = pair(KeyType.OPERATOR);
        AccountClaims claims = account().build();

        assertThat(push("nonsense")).contains("\"account\":\"n/a\"").contains("jwt update resulted in error");
        assertThat(push(JwtEncoder.encode(claims, stranger, now())))
                .contains("\"code\":500")
                .contains("not signed by a trusted operator");
        assertThat(system.request(
                                "$SYS.REQ.ACCOUNT." + operator.system.publicKey() + ".CLAIMS.UPDATE",
                                operator.sign(claims))
                        .payload())
                .contains("subject does not match jwt content");
    }

    @Test
    void looksUpAndListsAccounts() throws Exception {
        String jwt = operator.sign(account().build());
        system.request("$SYS.REQ.ACCOUNT." + account.publicKey() + ".CLAIMS.UPDATE", jwt);

        assertThat(system.request("$SYS.REQ.ACCOUNT." + account.publicKey() + ".CLAIMS.LOOKUP", "")
                        .payload())
                .isEqualTo(jwt);
        assertThat(system.request("$SYS.REQ.ACCOUNT." + pair(KeyType.ACCOUNT).publicKey() + ".CLAIMS.LOOKUP", "")
                        .payload())
                .isEmpty();
        assertThat(system.request("$SYS.REQ.CLAIMS.LIST", "").payload())
                .contains(account.publicKey())
                .contains(operator.system.publicKey());
    }

    @Test
    void packSendsEverythingToAServerThatDiffers() throws Exception {
        push(account().build());
        system.send("SUB inbox.pack 9");
        system.publish("$SYS.REQ.CLAIMS.PACK", "inbox.pack", "x".repeat(32));

        List<String> packed = new ArrayList<>();
        String line = system.message().payload();
        while (!line.isEmpty()) {
            packed.add(line);
            line = system.message().payload();
        }
        assertThat(packed)
                .anyMatch(one -> one.startsWith(account.publicKey() + "|"))
                .anyMatch(one -> one.startsWith(operator.system.publicKey() + "|"));
    }

    @Test
    void deletesOnlyWhereAllowedAndOnlyForTheOperator() throws Exception {
        push(account().build());
        GenericClaims request =
                GenericClaims.deleteAccounts(operator.signing.publicKey(), List.of(account.publicKey()));
        String signed = JwtEncoder.encode(request, operator.signing, now());
        assertThat(system.request("$SYS.REQ.CLAIMS.DELETE", signed).payload())
                .contains("delete must be enabled in server config");

        broker.close();
        system.close();
        broker = TestingBroker.start(operator.config(resolver(true)));
        system = operator.dialSystem(broker.port());
        try (TestingWire wire = admitted(account)) {
            assertThat(system.request("$SYS.REQ.CLAIMS.DELETE", signed).payload())
                    .contains("\"code\":200,\"message\":\"deleted 1 accounts\"");
            assertThat(wire.isClosed()).isTrue();
        }
        NKeyPair stranger = pair(KeyType.OPERATOR);
        GenericClaims foreign = GenericClaims.deleteAccounts(stranger.publicKey(), List.of(account.publicKey()));
        assertThat(system.request("$SYS.REQ.CLAIMS.DELETE", JwtEncoder.encode(foreign, stranger, now()))
                        .payload())
                .contains("not trusted");
        assertThat(Files.exists(folder.resolve("jwt").resolve(account.publicKey() + ".jwt.deleted")))
                .isTrue();
    }

    @Test
    void firstStartWithoutAnyAccountLetsTheSystemAccountIn() throws Exception {
        TestingOperator fresh = new TestingOperator().strict().withoutSystemJwt();
        NKeyPair systemKey = pair(KeyType.ACCOUNT);
        AccountClaims claims = AccountClaims.builder(fresh.system.publicKey(), "SYS")
                .signingKeys(List.of(new SigningKey(systemKey.publicKey(), null)))
                .build();
        try (TestingBroker first = TestingBroker.start(fresh.config(ResolverConfig.full(folder.resolve("fresh"))));
                TestingWire pusher = fresh.dialSystem(first.port())) {
            assertThat(pusher.request("$SYS.REQ.CLAIMS.UPDATE", JwtEncoder.encode(claims, fresh.identity, now()))
                            .payload())
                    .contains("operator requires issuer to be a signing key");
            pusher.send("SUB inbox.1 1");
            pusher.publish("$SYS.REQ.CLAIMS.UPDATE", "inbox.1", fresh.sign(claims));

            assertThat(pusher.next())
                    .satisfiesAnyOf(
                            line -> assertThat(line).startsWith("MSG inbox.1"),
                            line -> assertThat(line).isEqualTo("-ERR 'Authorization Violation'"));
            try (TestingWire again = dial(
                    first.port(),
                    encode(claims(fresh.systemUser, fresh.system, UserLimits.UNLIMITED), systemKey),
                    fresh.systemUser)) {
                again.flush();
            }
        }
    }
}
