package io.penstock.broker.sharing;

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
import io.penstock.claims.ActivationClaims;
import io.penstock.claims.Export;
import io.penstock.claims.Import;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.ShareKind;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserLimits;
import io.penstock.claims.WeightedMapping;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sharing as accounts' JWTs declare it, changed while messages flow. */
class ClaimsSharingTest {
    @TempDir
    static Path folder;

    private static TestingOperator operator;
    private static TestingBroker broker;

    private final NKeyPair shop = pair(KeyType.ACCOUNT);
    private final NKeyPair shopKey = pair(KeyType.ACCOUNT);
    private final NKeyPair partner = pair(KeyType.ACCOUNT);
    private final NKeyPair user = pair(KeyType.USER);
    private TestingWire system;

    @BeforeAll
    static void start() throws Exception {
        operator = new TestingOperator();
        broker = TestingBroker.start(operator.config(ResolverConfig.full(folder)));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    // Every test has accounts of its own.
    @BeforeEach
    void connect() throws Exception {
        system = operator.dialSystem(broker.port());
    }

    @AfterEach
    void disconnect() throws Exception {
        system.close();
    }

    private void push(AccountClaimsBuilder claims) throws Exception {
        assertThat(system.request("$SYS.REQ.CLAIMS.UPDATE", operator.sign(claims.build()))
                        .payload())
                .contains("jwt updated");
    }

    private TestingWire as(NKeyPair account) throws Exception {
        TestingWire wire = dial(broker.port(), encode(claims(user, account, UserLimits.UNLIMITED), account), user);
        wire.flush();
        return wire;
    }

    private AccountClaimsBuilder shop(Export... exports) {
        return AccountClaims.builder(shop.publicKey(), "shop")
                .signingKeys(List.of(new SigningKey(shopKey.publicKey(), null)))
                .exports(List.of(exports));
    }

    private AccountClaimsBuilder partner(Import... imports) {
        return AccountClaims.builder(partner.publicKey(), "partner").imports(List.of(imports));
    }

    private static Export privateStream(Map<String, Long> revocations) {
        return new Export(
                "orders", "orders.>", ShareKind.STREAM, true, revocations, "", 0, null, 0, false, false, "", "");
    }

    private Import orders(String token) {
        return new Import("orders", "orders.>", shop.publicKey(), token, "", "shop.>", ShareKind.STREAM, false, false);
    }

    private String activation(long expires) {
        ActivationClaims claims =
                ActivationClaims.of(partner.publicKey(), shop.publicKey(), "orders.>", ShareKind.STREAM);
        return encode(claims.withRegistered(claims.registered().expiringAt(expires)), shopKey);
    }

    private static void assertFlows(TestingWire from, TestingWire to, String payload) throws Exception {
        from.publish("orders.a.b", "", payload);
        from.flush();
        TestingWire.Message message = to.message();
        assertThat(message.subject()).isEqualTo("shop.a.b");
        assertThat(message.payload()).isEqualTo(payload);
    }

    private static void assertStopped(TestingWire from, TestingWire to) throws Exception {
        from.publish("orders.a.b", "", "must not come");
        from.flush();
        assertThat(to.isQuiet()).isTrue();
    }

    @Test
    void activationOpensAPrivateStreamUntilItIsRevoked() throws Exception {
        push(shop(privateStream(Map.of())));
        push(partner(orders(activation(0))));
        try (TestingWire from = as(shop);
                TestingWire to = as(partner)) {
            to.send("SUB shop.> 1");
            to.flush();
            assertFlows(from, to, "1");

            push(shop(privateStream(Map.of(partner.publicKey(), now() + 1))));
            assertStopped(from, to);

            push(shop(privateStream(Map.of())));
            assertFlows(from, to, "2");
        }
    }

    @Test
    void activationEndsByItself() throws Exception {
        push(shop(privateStream(Map.of())));
        push(partner());
        try (TestingWire from = as(shop);
                TestingWire to = as(partner)) {
            to.send("SUB shop.> 1");
            to.flush();
            // Everybody is there: a busy machine too gets a message through before it ends.
            push(partner(orders(activation(now() + 8))));
            assertFlows(from, to, "1");

            long deadline = System.nanoTime() + 60_000_000_000L;
            boolean flows = true;
            while (flows && System.nanoTime() < deadline) {
                from.publish("orders.a.b", "", "x");
                from.flush();
                to.send("PING");
                flows = to.next().startsWith("MSG");
                if (flows) {
                    assertThat(to.next()).isEqualTo("x");
                    assertThat(to.next()).isEqualTo("PONG");
                }
            }
            assertThat(flows).isFalse();
        }
    }

    @Test
    void importWaitsForItsExporter() throws Exception {
        push(partner(orders(activation(0))));
        try (TestingWire to = as(partner)) {
            to.send("SUB shop.> 1");
            to.flush();
            assertThat(system.request("$SYS.REQ.ACCOUNT." + partner.publicKey() + ".INFO", "")
                            .payload())
                    .contains("\"complete\":false");
            push(shop(privateStream(Map.of())));
            try (TestingWire from = as(shop)) {
                assertFlows(from, to, "1");
            }
        }
    }

    @Test
    void exporterOnDiskIsBroughtInByTheImport() throws Exception {
        push(shop(privateStream(Map.of())));
        push(partner(orders(activation(0))));
        try (TestingWire to = as(partner)) {
            to.send("SUB shop.> 1");
            to.flush();
            try (TestingWire from = as(shop)) {
                assertFlows(from, to, "1");
            }
        }
    }

    @Test
    void withdrawnExportStopsItsImports() throws Exception {
        push(shop(privateStream(Map.of())));
        push(partner(orders(activation(0))));
        try (TestingWire from = as(shop);
                TestingWire to = as(partner)) {
            to.send("SUB > 1");
            to.flush();
            assertFlows(from, to, "1");
            push(shop());
            assertStopped(from, to);
        }
    }

    @Test
    void publicServiceAnswersAndSharesTheRequesterWhenAsked() throws Exception {
        push(shop(Export.of("price", "price.*", ShareKind.SERVICE)));
        push(partner(
                new Import("price", "price.*", shop.publicKey(), "", "", "ask.*", ShareKind.SERVICE, true, false)));
        try (TestingWire s = as(shop);
                TestingWire b = as(partner)) {
            s.send("SUB price.* 1");
            s.flush();
            b.send("SUB inbox.1 9");
            b.publish("ask.apple", "inbox.1", "");
            TestingWire.Message request = s.message();

            assertThat(request.subject()).isEqualTo("price.apple");
            assertThat(request.headers())
                    .contains("\"acc\":\"" + partner.publicKey() + "\"")
                    .contains("\"user\":\"" + user.publicKey() + "\"")
                    .contains("\"kind\":\"Client\"");
            s.publish(request.reply(), "", "3");
            assertThat(b.message().payload()).isEqualTo("3");
        }
    }

    @Test
    void mappingsOfTheAccountApply() throws Exception {
        push(shop().mappings(Map.of("in.*", List.of(new WeightedMapping("out.{{wildcard(1)}}", 0, "")))));
        try (TestingWire wire = as(shop)) {
            wire.send("SUB out.* 1");
            wire.publish("in.x", "", "m");
            assertThat(wire.message().subject()).isEqualTo("out.x");
        }
    }
}
