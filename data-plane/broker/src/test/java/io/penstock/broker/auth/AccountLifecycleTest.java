package io.penstock.broker.auth;

import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.now;
import static io.penstock.broker.testing.TestingOperator.pair;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.penstock.broker.Account;
import io.penstock.broker.internal.AccountListener;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingOperator;
import io.penstock.broker.testing.TestingWire;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountClaimsBuilder;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.JetStreamClaimLimits;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.UserLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What happens around accounts: JetStream on and off, where their JWTs come from, updates in the middle of logins. */
class AccountLifecycleTest {
    private final TestingOperator operator = new TestingOperator();
    private final NKeyPair account = pair(KeyType.ACCOUNT);
    private final NKeyPair user = pair(KeyType.USER);

    private AccountClaimsBuilder account(JetStreamClaimLimits jetStream) {
        return AccountClaims.builder(account.publicKey(), "acme")
                .limits(AccountLimits.UNLIMITED.withJetStream(jetStream));
    }

    private TestingWire connect(int port) throws Exception {
        return dial(port, encode(claims(user, account, UserLimits.UNLIMITED), account), user);
    }

    private static final class TestingListener implements AccountListener {
        final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void accountEnabled(String name, InternalClient client, JetStreamLimits limits) {
            told.add("on " + name + " memory=" + limits.memoryBytes() + " disk=" + limits.storageBytes() + " streams="
                    + limits.streams());
        }

        @Override
        public void accountDisabled(String name) {
            told.add("off " + name);
        }
    }

    @Test
    void jetStreamFollowsTheClaims() throws Exception {
        operator.preload(
                account,
                account(new JetStreamClaimLimits(0, 1024, 3, 0, 0, 0, 0, false)).build());
        TestingListener listener = new TestingListener();
        try (TestingBroker broker = TestingBroker.start(operator.config(ResolverConfig.memory()));
                TestingWire system = operator.dialSystem(broker.port())) {
            broker.broker().accounts().addListener(listener);
            connect(broker.port()).flush();
            assertThat(listener.told).containsExactly("on " + account.publicKey() + " memory=0 disk=1024 streams=3");

            push(system, account(new JetStreamClaimLimits(-1, 2048, 0, 0, 0, 0, 0, false)));
            assertThat(listener.told.getLast())
                    .isEqualTo("on " + account.publicKey() + " memory=-1 disk=2048 streams=-1");

            push(system, account(JetStreamClaimLimits.DISABLED));
            assertThat(listener.told.getLast()).isEqualTo("off " + account.publicKey());
        }
    }

    private void push(TestingWire system, AccountClaimsBuilder claims) throws Exception {
        assertThat(system.request("$SYS.REQ.CLAIMS.UPDATE", operator.sign(claims.build()))
                        .payload())
                .contains("jwt updated");
    }

    @Test
    void accountsComeByHttp() throws Exception {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String jwt = operator.sign(account(JetStreamClaimLimits.DISABLED).build());
        http.createContext("/jwt/v1/accounts/", exchange -> {
            boolean known = exchange.getRequestURI().getPath().endsWith(account.publicKey());
            byte[] body = (known ? jwt : "no such account").getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(known ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        http.start();
        ResolverConfig resolver = new ResolverConfig(
                ResolverConfig.Kind.URL,
                null,
                URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/jwt/v1/accounts/"),
                false,
                false,
                ResolverConfig.DEFAULT_INTERVAL,
                Duration.ZERO,
                0,
                ResolverConfig.DEFAULT_TIMEOUT);
        NKeyPair unknown = pair(KeyType.ACCOUNT);
        try (TestingBroker broker = TestingBroker.start(operator.config(resolver));
                TestingWire good = connect(broker.port());
                TestingWire bad =
                        dial(broker.port(), encode(claims(user, unknown, UserLimits.UNLIMITED), unknown), user)) {
            good.flush();
            assertThat(bad.next()).isEqualTo("-ERR 'Authorization Violation'");
        } finally {
            http.stop(0);
        }
    }

    @Test
    void connectionsWithoutTokenUseTheSentinel() throws Exception {
        operator.preload(account, account(JetStreamClaimLimits.DISABLED).build());
        UserLimits bearer = new UserLimits(
                UserLimits.UNLIMITED.permissions(), List.of(), List.of(), "", -1, -1, -1, true, false, List.of());
        String sentinel = encode(claims(user, account, bearer), account);
        OperatorConfig plain = operator.config(ResolverConfig.memory()).operator();
        OperatorConfig config = new OperatorConfig(
                plain.operatorJwts(), plain.trustedKeys(), plain.resolver(), plain.preload(), List.of(), sentinel);
        AuthConfig auth = new AuthConfig(AuthorizationConfig.NONE, List.of(), List.of(), null, null, false, config);
        try (TestingBroker broker = TestingBroker.start(auth);
                TestingWire wire = TestingWire.connect(broker.port(), "")) {
            wire.flush();
            assertThat(wire.request("$SYS.REQ.USER.INFO", "").payload()).contains(account.publicKey());
        }
    }

    @Test
    void revocationCatchesConnectionsThatAreJustBeingAdmitted() throws Exception {
        operator.preload(account, account(JetStreamClaimLimits.DISABLED).build());
        ExecutorService clients = Executors.newFixedThreadPool(8);
        List<TestingWire> wires = new ArrayList<>();
        try (TestingBroker broker = TestingBroker.start(operator.config(ResolverConfig.memory()));
                TestingWire system = operator.dialSystem(broker.port())) {
            connect(broker.port()).flush();
            List<Future<TestingWire>> dialled = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                dialled.add(clients.submit(() -> connect(broker.port())));
                if (i == 100) {
                    push(
                            system,
                            account(JetStreamClaimLimits.DISABLED).revocations(Map.of(user.publicKey(), now() + 3600)));
                }
            }
            for (Future<TestingWire> one : dialled) {
                wires.add(one.get(60, TimeUnit.SECONDS));
            }
            for (TestingWire wire : wires) {
                // On a machine under load some do not even get as far as being judged.
                assertThat(wire.next())
                        .isIn(
                                "-ERR 'User Authentication Revoked'",
                                "-ERR 'Authorization Violation'",
                                "-ERR 'Authentication Timeout'");
                assertThat(wire.isClosed()).isTrue();
            }
            // A socket may read its end before the server has counted it.
            Account left = broker.broker().accounts().find(account.publicKey());
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (left.connectionCount() > 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(left.connectionCount()).isZero();
        } finally {
            clients.shutdownNow();
            for (TestingWire wire : wires) {
                wire.close();
            }
        }
    }

    @Test
    void endOfTheServerIsToldToTheSystemAccount() throws Exception {
        TestingBroker broker = TestingBroker.start(operator.config(ResolverConfig.memory()));
        try (TestingWire system = operator.dialSystem(broker.port())) {
            system.send("SUB $SYS.SERVER.*.SHUTDOWN 1");
            system.flush();
            String id = broker.id();
            broker.close();

            TestingWire.Message message = system.message();
            assertThat(message.subject()).isEqualTo("$SYS.SERVER." + id + ".SHUTDOWN");
            assertThat(message.payload()).contains("\"id\":\"" + id + "\"");
        }
    }
}
