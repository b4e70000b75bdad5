package io.penstock.broker.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ConnectionKind;
import io.penstock.broker.Subscription;
import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthorizationConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.sharing.ExportConfig.ResponseType;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Imports and exports whose two sides are connected to different nodes. */
class ClusterSharingTest {
    private static final byte[] NONE = {};
    private static TestingBroker one;
    private static TestingBroker two;
    private static TestingBroker three;

    @BeforeAll
    static void start() throws Exception {
        AuthConfig config = new AuthConfig(
                AuthorizationConfig.NONE,
                List.of(
                        account(
                                "A",
                                List.of(
                                        export(ShareKind.STREAM, "orders.>", ResponseType.SINGLETON),
                                        export(ShareKind.SERVICE, "svc.*", ResponseType.SINGLETON),
                                        export(ShareKind.SERVICE, "many", ResponseType.STREAM)),
                                List.of()),
                        account(
                                "B",
                                List.of(export(ShareKind.SERVICE, "ask", ResponseType.SINGLETON)),
                                List.of(
                                        take(ShareKind.STREAM, "A", "orders.>", "from.a.>"),
                                        take(ShareKind.SERVICE, "A", "svc.one", "ask"),
                                        take(ShareKind.SERVICE, "A", "many", "many"))),
                        account(
                                "E",
                                List.of(
                                        export(ShareKind.STREAM, ">", ResponseType.SINGLETON),
                                        export(ShareKind.SERVICE, "$JS.API.>", ResponseType.SINGLETON)),
                                List.of()),
                        account(
                                "F",
                                List.of(),
                                List.of(
                                        take(ShareKind.STREAM, "E", ">", "all.>"),
                                        take(ShareKind.SERVICE, "E", "$JS.API.>", "js.api.>"))),
                        account("C", List.of(), List.of(take(ShareKind.SERVICE, "B", "ask", "please")))),
                List.of(),
                null,
                null,
                false,
                null);
        one = TestingBroker.node(config, "n1");
        two = TestingBroker.node(config, "n2", one);
        three = TestingBroker.node(config, "n3", one);
        await(
                "a mesh",
                () -> one.broker().cluster().nodes().size() == 2
                        && two.broker().cluster().nodes().size() == 2
                        && three.broker().cluster().nodes().size() == 2);
    }

    @AfterAll
    static void stop() {
        three.close();
        two.close();
        one.close();
    }

    private static ExportConfig export(ShareKind kind, String subject, ResponseType type) {
        return new ExportConfig(kind, subject, List.of(), type, null, null, 0, false);
    }

    private static ImportConfig take(ShareKind kind, String from, String subject, String to) {
        return new ImportConfig(kind, from, subject, to, null, false, false);
    }

    private static AccountConfig account(String name, List<ExportConfig> exports, List<ImportConfig> imports) {
        UserConfig user = new UserConfig(name, "p", null, null, List.of(), false);
        return new AccountConfig(
                name, null, List.of(user), exports, imports, List.of(), AccountConfig.Limits.UNLIMITED, null, null);
    }

    private static TestingWire connect(TestingBroker node, String account) throws Exception {
        return TestingWire.admitted(node.port(), "\"user\":\"" + account + "\",\"pass\":\"p\"");
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("there was never " + what).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static void awaitInterest(TestingBroker node, String account, String subject) {
        await("interest", () -> node.broker().accounts().getOrCreate(account).hasInterest(subject));
    }

    @Test
    void aRequestIsCarriedOverOnItsOwnNodeAndAnsweredFromAnother() throws Exception {
        try (TestingWire service = connect(two, "A");
                TestingWire client = connect(one, "B")) {
            service.send("SUB svc.* q 1");
            service.flush();
            awaitInterest(one, "A", "svc.one");
            client.send("SUB answer 7");
            client.publish("ask", "answer", "?");
            TestingWire.Message request = service.message();
            assertThat(request.subject()).isEqualTo("svc.one");
            assertThat(request.reply()).startsWith("_R_.");
            service.publish(request.reply(), "", "!");
            TestingWire.Message answer = client.message();
            assertThat(answer.subject()).isEqualTo("answer");
            assertThat(answer.payload()).isEqualTo("!");
            assertThat(service.isQuiet()).isTrue();
            assertThat(client.isQuiet()).isTrue();
        }
        await(
                "an end of interest",
                () -> !one.broker().accounts().getOrCreate("A").hasInterest("svc.one"));
        try (TestingWire client = connect(one, "B")) {
            assertThat(client.request("ask", "?").headers()).startsWith("NATS/1.0 503");
        }
    }

    /** Subscriptions of the two accounts at a node, and what it knows of the interest of others; without inboxes. */
    private static long known(TestingBroker node) {
        Stream<String> here = Stream.of("E", "F")
                .flatMap(account -> node.broker().accounts().getOrCreate(account).subscriptions().stream())
                .map(Subscription::pattern);
        Stream<String> elsewhere = node.broker().routes(true).stream()
                .flatMap(route -> route.interest().stream())
                .map(interest -> interest.pattern());
        return Stream.concat(here, elsewhere)
                .filter(pattern -> !pattern.startsWith("_"))
                .count();
    }

    @Test
    void aHundredStreamsComeAndGoBelowAnImportOfEverythingAndLeaveNothingBehind() throws Exception {
        try (TestingWire client = connect(one, "F");
                TestingWire everything = connect(three, "F")) {
            everything.send("SUB all.> 1");
            everything.flush();
            List<TestingBroker> nodes = List.of(one, two, three);
            nodes.forEach(node -> {
                awaitInterest(node, "E", "S0.x");
                awaitInterest(node, "F", "all.S0.x");
            });
            List<Long> before = nodes.stream().map(ClusterSharingTest::known).toList();
            InternalClient streams = two.broker().accounts().getOrCreate("E").internalClient(ConnectionKind.JETSTREAM);
            List<InternalClient.InternalSubscription> made = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                made.add(streams.subscribe("S" + i + ".>", message -> {}));
                made.add(streams.subscribe("$JS.ACK.S" + i + ".>", message -> {}));
                made.add(streams.subscribe("$JS.API.CONSUMER.MSG.NEXT.S" + i + ".*", message -> {
                    streams.publish(
                            message.reply(), null, NONE, message.subject().getBytes(StandardCharsets.UTF_8));
                    streams.flush();
                }));
            }
            for (int i = 0; i < 100; i += 33) {
                String subject = "CONSUMER.MSG.NEXT.S" + i + ".c";
                awaitInterest(one, "E", "$JS.API." + subject);
                assertThat(client.request("js.api." + subject, "").payload()).isEqualTo("$JS.API." + subject);
            }
            made.forEach(InternalClient.InternalSubscription::close);
            await(
                    "the counts of before",
                    () -> nodes.stream().map(ClusterSharingTest::known).toList().equals(before));
        }
    }

    @Test
    void aRequestThroughTwoAccountsFindsItsWayBackToAThirdNode() throws Exception {
        try (TestingWire service = connect(two, "A");
                TestingWire client = connect(one, "C");
                TestingWire elsewhere = connect(three, "C")) {
            service.send("SUB svc.* 1");
            service.flush();
            elsewhere.send("SUB elsewhere 3");
            elsewhere.flush();
            awaitInterest(one, "A", "svc.one");
            awaitInterest(one, "C", "elsewhere");
            // The answer is wanted by a connection to another node than the one that asks.
            client.publish("please", "elsewhere", "?");
            TestingWire.Message request = service.message();
            service.publish(request.reply(), "", "!");
            assertThat(elsewhere.message().payload()).isEqualTo("!");
            assertThat(service.isQuiet()).isTrue();
            assertThat(elsewhere.isQuiet()).isTrue();
        }
    }

    @Test
    void manyAnswersFollowOneRequest() throws Exception {
        try (TestingWire service = connect(three, "A");
                TestingWire client = connect(one, "B")) {
            service.send("SUB many 1");
            service.flush();
            awaitInterest(one, "A", "many");
            client.send("SUB answers 7");
            client.publish("many", "answers", "?");
            String reply = service.message().reply();
            for (int i = 0; i < 5; i++) {
                service.publish(reply, "", "" + i);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(client.message().payload()).isEqualTo("" + i);
            }
        }
    }

    @Test
    void anImportedStreamReachesTheImporterOnEveryNodeOnce() throws Exception {
        try (TestingWire publisher = connect(one, "A");
                TestingWire here = connect(one, "B");
                TestingWire there = connect(two, "B");
                TestingWire stranger = connect(two, "C")) {
            here.send("SUB from.a.* 1");
            here.flush();
            there.send("SUB from.a.> 2");
            there.flush();
            stranger.send("SUB > 3");
            stranger.flush();
            awaitInterest(one, "A", "orders.x.y");
            awaitInterest(one, "C", "anything");
            publisher.publish("orders.new", "", "x");
            publisher.flush();
            assertThat(here.message().subject()).isEqualTo("from.a.new");
            assertThat(there.message().subject()).isEqualTo("from.a.new");
            assertThat(here.isQuiet()).isTrue();
            assertThat(there.isQuiet()).isTrue();
            assertThat(stranger.isQuiet()).isTrue();
        }
    }
}
