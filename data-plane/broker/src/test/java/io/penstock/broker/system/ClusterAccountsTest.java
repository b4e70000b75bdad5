package io.penstock.broker.system;

import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.now;
import static io.penstock.broker.testing.TestingOperator.pair;
import static io.penstock.broker.testing.TestingOperator.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Account;
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
import io.penstock.claims.UserLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts and the system account of several nodes. */
class ClusterAccountsTest {
    @TempDir
    Path folder;

    private final TestingOperator operator = new TestingOperator();
    private final NKeyPair account = pair(KeyType.ACCOUNT);
    private final NKeyPair user = pair(KeyType.USER);
    private final List<TestingBroker> nodes = new ArrayList<>();
    private final List<TestingWire> wires = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (TestingWire wire : wires) {
            wire.close();
        }
        nodes.forEach(TestingBroker::close);
    }

    private TestingBroker node(String name, TestingBroker... others) throws Exception {
        ResolverConfig resolver = new ResolverConfig(
                ResolverConfig.Kind.FULL,
                folder.resolve(name),
                null,
                true,
                false,
                ResolverConfig.DEFAULT_INTERVAL,
                Duration.ZERO,
                0,
                ResolverConfig.DEFAULT_TIMEOUT);
        TestingBroker node = TestingBroker.node(operator.config(resolver), name, others);
        nodes.add(node);
        return node;
    }

    private void awaitMesh() {
        await(
                "a mesh",
                () -> nodes.stream()
                        .allMatch(node -> node.broker().cluster().nodes().size() == nodes.size() - 1));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("there was never " + what).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private AccountClaimsBuilder acme() {
        return AccountClaims.builder(account.publicKey(), "acme");
    }

    private TestingWire system(TestingBroker node) throws Exception {
        TestingWire wire = operator.dialSystem(node.port());
        wires.add(wire);
        return wire;
    }

    private TestingWire connect(TestingBroker node) throws Exception {
        TestingWire wire = dial(node.port(), user(user, account, null, UserLimits.UNLIMITED), user);
        wires.add(wire);
        return wire;
    }

    private boolean has(TestingBroker node) throws IOException {
        return folder.resolve(node.broker().identity().name())
                .resolve(account.publicKey() + ".jwt")
                .toFile()
                .exists();
    }

    private void awaitFile(TestingBroker node, boolean there) {
        await("file " + there, () -> {
            try {
                return has(node) == there;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aPushedAccountReachesEveryNodeAndOneThatWasAway() throws Exception {
        TestingBroker one = node("n1");
        TestingBroker two = node("n2", one);
        awaitMesh();
        String jwt = operator.sign(acme().build());
        assertThat(system(one).request("$SYS.REQ.CLAIMS.UPDATE", jwt).payload()).contains("\"code\":200");
        awaitFile(one, true);
        awaitFile(two, true);
        connect(two).flush();

        TestingBroker three = node("n3", one);
        awaitFile(three, true);
        connect(three).flush();
    }

    @Test
    void anUpdateThatANodeMissedPrevailsOverWhatItHolds() throws Exception {
        TestingBroker one = node("n1");
        TestingBroker two = node("n2");
        long then = now() - 100;
        system(one).request("$SYS.REQ.CLAIMS.UPDATE", operator.sign(acme().build(), then));
        system(two).request("$SYS.REQ.CLAIMS.UPDATE", operator.sign(limited(1).build(), then + 50));
        connect(one).flush();
        TestingBroker three = node("n3", one, two);
        awaitMesh();
        await(
                "the newer limit on the first node",
                () -> one.broker().accounts().find(account.publicKey()).limits().maxConnections() == 1);
        awaitFile(three, true);
    }

    @Test
    void aDeletionReachesANodeThatWasAway() throws Exception {
        TestingBroker one = node("n1");
        TestingBroker two = node("n2");
        String jwt = operator.sign(acme().build(), now() - 100);
        system(one).request("$SYS.REQ.CLAIMS.UPDATE", jwt);
        system(two).request("$SYS.REQ.CLAIMS.UPDATE", jwt);
        GenericClaims gone = GenericClaims.deleteAccounts(operator.signing.publicKey(), List.of(account.publicKey()));
        system(one).request("$SYS.REQ.CLAIMS.DELETE", JwtEncoder.encode(gone, operator.signing, now()));
        assertThat(has(two)).isTrue();
        node("n3", one, two);
        awaitMesh();
        awaitFile(two, false);
        awaitFile(one, false);
    }

    private AccountClaimsBuilder limited(long connections) {
        AccountLimits none = AccountLimits.UNLIMITED;
        return acme().limits(new AccountLimits(
                none.subscriptions(),
                none.data(),
                none.payload(),
                none.imports(),
                none.exports(),
                none.wildcardExports(),
                none.disallowBearer(),
                connections,
                none.leafNodes(),
                none.jetStream(),
                none.tiers()));
    }

    @Test
    void connectionLimitsHoldOverTheCluster() throws Exception {
        operator.preload(account, limited(3).build());
        TestingBroker one = node("n1");
        TestingBroker two = node("n2", one);
        TestingBroker three = node("n3", one);
        awaitMesh();
        connect(one).flush();
        connect(two).flush();
        connect(two).flush();
        await("the others' numbers", () -> remote(three) == 3 && remote(one) == 2);
        assertThat(connect(three).next()).isEqualTo("-ERR 'maximum account active connections exceeded'");
        assertThat(connect(one).next()).isEqualTo("-ERR 'maximum account active connections exceeded'");

        two.close();
        nodes.remove(two);
        await("an end of its numbers", () -> remote(three) == 1 && remote(one) == 0);
        connect(three).flush();
        connect(three).flush();
        await("the others' numbers", () -> remote(one) == 2);
        assertThat(connect(one).next()).isEqualTo("-ERR 'maximum account active connections exceeded'");
    }

    @Test
    void aLowerLimitClosesExactlyWhatIsAboveIt() throws Exception {
        operator.preload(account, acme().build());
        TestingBroker one = node("n1");
        TestingBroker two = node("n2", one);
        awaitMesh();
        for (int i = 0; i < 4; i++) {
            connect(one).flush();
            connect(two).flush();
        }
        await("the others' numbers", () -> remote(one) == 4 && remote(two) == 4);
        system(one).request("$SYS.REQ.CLAIMS.UPDATE", operator.sign(limited(6).build(), now() + 1));
        await("six connections", () -> local(one) + local(two) == 6);
        await("the others' numbers", () -> remote(one) == local(two) && remote(two) == local(one));
        assertThat(local(one)).isEqualTo(4);
    }

    private int remote(TestingBroker node) {
        Account known = node.broker().accounts().find(account.publicKey());
        return known == null ? 0 : known.remoteConnectionCount();
    }

    private int local(TestingBroker node) {
        return node.broker().accounts().find(account.publicKey()).connectionCount();
    }

    @Test
    void everyNodeAnswersTheSystemAccount() throws Exception {
        node("n1");
        node("n2", nodes.getFirst());
        node("n3", nodes.getFirst());
        awaitMesh();
        TestingWire system = system(nodes.getFirst());
        await(
                "interest of all",
                () -> nodes.getFirst().broker().routes(true).stream()
                                .flatMap(route -> route.interest().stream())
                                .filter(one -> one.pattern().equals("$SYS.REQ.SERVER.PING"))
                                .count()
                        == 2);
        system.send("SUB answers 1");
        system.publish("$SYS.REQ.SERVER.PING", "answers", "");
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            String answer = system.message().payload();
            assertThat(answer).contains("\"active_servers\":3").contains("\"cluster\":\"TEST\"");
            names.add(answer.replaceAll(".*\"name\":\"(n.)\",\"host\".*", "$1"));
        }
        assertThat(names).containsExactly("n1", "n2", "n3");
        String third = nodes.get(2).id();
        assertThat(system.request("$SYS.REQ.SERVER." + third + ".IDZ", "").payload())
                .contains("\"name\":\"n3\"");
        assertThat(system.request("$SYS.REQ.USER.INFO", "").payload()).contains("SYS");
        assertThat(system.isQuiet()).isTrue();
    }

    @Test
    void eventsOfOneNodeAreHeardOnAnother() throws Exception {
        operator.preload(account, acme().build());
        TestingBroker one = node("n1");
        TestingBroker two = node("n2", one);
        awaitMesh();
        TestingWire system = system(one);
        system.send("SUB $SYS.ACCOUNT." + account.publicKey() + ".CONNECT 1");
        system.send("SUB $SYS.SERVER." + two.id() + ".SHUTDOWN 2");
        system.flush();
        Account there = two.broker().accounts().system();
        await("interest", () -> there.hasInterest("$SYS.SERVER." + two.id() + ".SHUTDOWN"));
        connect(two).flush();
        assertThat(system.message().payload()).contains("client_connect").contains("\"name\":\"n2\"");
        nodes.remove(two);
        two.close();
        assertThat(system.message().subject()).endsWith(".SHUTDOWN");
    }
}
