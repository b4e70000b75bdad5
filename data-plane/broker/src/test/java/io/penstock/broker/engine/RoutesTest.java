package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ConnectionKind;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.MessageOrigin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Messages between three nodes. */
class RoutesTest {
    private static final byte[] NONE = {};
    private static TestingNodes nodes;

    @BeforeAll
    static void start() throws Exception {
        nodes = TestingNodes.start(3);
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    @Test
    void everyNodeKnowsTheOthersAndWhatTheySayOfThemselves() {
        assertThat(nodes.get(0).broker().cluster().nodes().keySet()).containsExactlyInAnyOrder("n1", "n2");
        assertThat(nodes.get(2).broker().cluster().nodes().get("n1").tags()).containsExactly("az:n1");
        assertThat(nodes.get(1).broker().cluster().expectedNodes()).isEqualTo(2);
        // Three shared connections and that of the system account to each of two nodes.
        assertThat(nodes.get(1).broker().routes(false)).hasSize(8);
    }

    @Test
    void aMessageReachesEverySubscriberOnceWhereverItIs() throws Exception {
        try (RawClient one = nodes.get(1).connect("a");
                RawClient two = nodes.get(2).connect("a");
                RawClient publisher = nodes.get(0).connect("a")) {
            one.exchange("SUB plain.* 1\r\nSUB plain.x 2\r\n");
            two.exchange("SUB plain.> 7\r\n");
            TestingNodes.await(
                    "interest of both",
                    () -> plain(nodes.get(0), "plain.*") == 1
                            && plain(nodes.get(0), "plain.x") == 1
                            && plain(nodes.get(0), "plain.>") == 1);
            publisher.exchange(
                    "PUB plain.x reply.here 5\r\nhello\r\nHPUB plain.x 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\n"
                            + "PUB plain.end 0\r\n\r\n");
            assertThat(one.until("MSG plain.end 1 0\r\n\r\n"))
                    .isEqualTo("MSG plain.x 1 reply.here 5\r\nhello\r\nMSG plain.x 2 reply.here 5\r\nhello\r\n"
                            + "HMSG plain.x 1 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\n"
                            + "HMSG plain.x 2 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\n");
            assertThat(two.until("MSG plain.end 7 0\r\n\r\n"))
                    .isEqualTo("MSG plain.x 7 reply.here 5\r\nhello\r\n"
                            + "HMSG plain.x 7 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nhi\r\n");
        }
    }

    @Test
    void largeMessagesCrossWhole() throws Exception {
        String large = "x".repeat(700_000);
        String middle = "y".repeat(5_000);
        try (RawClient receiver = nodes.get(2).connect("a");
                RawClient publisher = nodes.get(0).connect("a")) {
            receiver.exchange("SUB large 1\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "large");
            publisher.publish("large", large);
            publisher.publish("large", middle);
            assertThat(receiver.until("MSG large 1 5000\r\n" + middle + "\r\n"))
                    .isEqualTo("MSG large 1 700000\r\n" + large + "\r\n");
        }
    }

    @Test
    void oneMemberOfAQueueGroupGetsEachMessageAndOnesHereComeFirst() throws Exception {
        try (RawClient here = nodes.get(0).connect("a");
                RawClient one = nodes.get(1).connect("a");
                RawClient two = nodes.get(2).connect("a");
                RawClient publisher = nodes.get(0).connect("a")) {
            one.exchange("SUB work g 1\r\nSUB count 2\r\n");
            two.exchange("SUB work g 1\r\nSUB work g 3\r\nSUB work g 4\r\nSUB count 2\r\n");
            TestingNodes.await(
                    "both nodes' members", () -> weights(nodes.get(0), "work").equals(List.of(1, 3)));
            String all = "PUB work 1\r\n.\r\n".repeat(400);
            publisher.exchange(all + "PUB count 0\r\n\r\n");
            int atOne = count(one.until("MSG count 2 0\r\n\r\n"), "MSG work");
            int atTwo = count(two.until("MSG count 2 0\r\n\r\n"), "MSG work");
            assertThat(atOne + atTwo).isEqualTo(400);
            // In proportion to members, one to three: 100 with a deviation of 9.
            assertThat(atOne).isBetween(45, 160);

            here.exchange("SUB work g 1\r\nSUB count 2\r\n");
            publisher.exchange(all + "PUB count 0\r\n\r\n");
            assertThat(count(here.until("MSG count 2 0\r\n\r\n"), "MSG work")).isEqualTo(400);
            assertThat(one.until("MSG count 2 0\r\n\r\n")).isEmpty();
            assertThat(two.until("MSG count 2 0\r\n\r\n")).isEmpty();
        }
    }

    @Test
    void groupsOfOneNameAreOneGroupWhateverTheirPatterns() throws Exception {
        try (RawClient one = nodes.get(0).connect("a");
                RawClient two = nodes.get(1).connect("a")) {
            one.exchange("SUB same.* g 1\r\nSUB same.x g 2\r\n");
            two.exchange("SUB same.> g 1\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "same.x.y");
            assertThat(count(one.exchange("PUB same.x 0\r\n\r\n"), "MSG")).isEqualTo(1);
        }
    }

    @Test
    void aRequestIsAnsweredFromAnotherNodeAndOneWithoutResponderFailsAtOnce() throws Exception {
        try (RawClient service = nodes.get(1).connect("a");
                RawClient client = nodes.get(0).connect("a")) {
            service.exchange("SUB svc q 1\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "svc");
            // The inbox is new with each request, so its interest must arrive before the request does.
            for (int i = 0; i < 200; i++) {
                client.send("SUB _INBOX." + i + " 9\r\nUNSUB 9 1\r\nPUB svc _INBOX." + i + " 1\r\n?\r\n");
                assertThat(service.until("?\r\n")).isEqualTo("MSG svc 1 _INBOX." + i + " 1\r\n");
                service.send("PUB _INBOX." + i + " 2\r\nok\r\n");
                assertThat(client.until("ok\r\n")).isEqualTo("MSG _INBOX." + i + " 9 2\r\n");
            }
            client.send("SUB _INBOX.none 9\r\nPUB nobody.there _INBOX.none 0\r\n\r\n");
            assertThat(client.until("\r\n\r\n\r\n")).contains("NATS/1.0 503");
            service.exchange("UNSUB 1\r\n");
            TestingNodes.awaitNoInterest(nodes.get(0), "A", "svc");
            client.send("PUB svc _INBOX.none 0\r\n\r\n");
            assertThat(client.until("\r\n\r\n\r\n")).contains("NATS/1.0 503");
        }
    }

    @Test
    void noMessageOfOneAccountReachesAnotherOverARoute() throws Exception {
        try (RawClient a = nodes.get(1).connect("a");
                RawClient b = nodes.get(1).connect("b");
                RawClient publisherA = nodes.get(0).connect("a");
                RawClient publisherB = nodes.get(0).connect("b")) {
            a.exchange("SUB > 1\r\n");
            b.exchange("SUB > 1\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "secret");
            TestingNodes.awaitInterest(nodes.get(0), "B", "secret");
            publisherA.exchange("PUB secret 1\r\nA\r\n");
            publisherB.exchange("PUB secret 1\r\nB\r\n");
            assertThat(a.until("A\r\n")).isEqualTo("MSG secret 1 1\r\n");
            assertThat(b.until("B\r\n")).isEqualTo("MSG secret 1 1\r\n");
            assertThat(a.exchange("")).isEmpty();
            assertThat(b.exchange("")).isEmpty();
        }
    }

    @Test
    void whatComesOverARouteGoesNoFurther() throws Exception {
        try (RawClient one = nodes.get(1).connect("a");
                RawClient two = nodes.get(2).connect("a");
                RawClient publisher = nodes.get(0).connect("a")) {
            one.exchange("SUB hop 1\r\n");
            two.exchange("SUB hop 1\r\n");
            TestingNodes.await("interest of both", () -> plain(nodes.get(0), "hop") == 2);
            TestingNodes.await("interest of both", () -> plain(nodes.get(1), "hop") >= 1);
            publisher.exchange("PUB hop 1\r\n1\r\nPUB hop 1\r\n2\r\n");
            assertThat(one.until("2\r\n")).isEqualTo("MSG hop 1 1\r\n1\r\nMSG hop 1 1\r\n");
            assertThat(two.until("2\r\n")).isEqualTo("MSG hop 1 1\r\n1\r\nMSG hop 1 1\r\n");
            assertThat(one.exchange("")).isEmpty();
            assertThat(two.exchange("")).isEmpty();
        }
    }

    @Test
    void anotherNodeLearnsWhoSentARequestOfTheApiAndCannotBeLiedTo() throws Exception {
        InternalClient there =
                nodes.get(1).broker().accounts().getOrCreate("A").internalClient(ConnectionKind.JETSTREAM);
        List<MessageOrigin> origins = new CopyOnWriteArrayList<>();
        try (var _ = there.subscribe("$JS.API.STREAM.CREATE.X", message -> origins.add(message.origin()));
                var _ = there.subscribe("$JS.API.CONSUMER.MSG.NEXT.X.c", message -> origins.add(message.origin()));
                RawClient client = RawClient.connect(
                        nodes.get(0).broker().clientAddress().getPort(), "\"user\":\"a\",\"name\":\"maker\"")) {
            TestingNodes.awaitInterest(nodes.get(0), "A", "$JS.API.STREAM.CREATE.X");
            TestingNodes.awaitInterest(nodes.get(0), "A", "$JS.API.CONSUMER.MSG.NEXT.X.c");
            String forged = "NATS/1.0\r\nnats-request-info: {\"user\":\"admin\"}\r\nA: b\r\n\r\n";
            client.exchange("PUB $JS.API.STREAM.CREATE.X r 2\r\n{}\r\nHPUB $JS.API.STREAM.CREATE.X r "
                    + forged.length() + " " + (forged.length() + 2) + "\r\n" + forged
                    + "{}\r\nPUB $JS.API.CONSUMER.MSG.NEXT.X.c r 1\r\n1\r\n");
            TestingNodes.await("the requests", () -> origins.size() == 3);
        }
        assertThat(origins.subList(0, 2)).allSatisfy(origin -> {
            assertThat(origin.user()).isEqualTo("a");
            assertThat(origin.account()).isEqualTo("A");
            assertThat(origin.name()).isEqualTo("maker");
            assertThat(origin.kind()).isEqualTo("Client");
            assertThat(origin.host()).isEqualTo("127.0.0.1");
            assertThat(origin.connectionId()).isPositive();
        });
        assertThat(origins.get(2).user()).isEmpty();
        assertThat(origins.get(2).account()).isEqualTo("A");
    }

    @Test
    void aFunctionMayHideFromOtherNodes() {
        InternalClient here =
                nodes.get(0).broker().accounts().getOrCreate("A").internalClient(ConnectionKind.JETSTREAM);
        InternalClient there =
                nodes.get(1).broker().accounts().getOrCreate("A").internalClient(ConnectionKind.JETSTREAM);
        AtomicInteger hidden = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        try (var _ = here.subscribeLocal("fn.hidden", message -> hidden.incrementAndGet());
                var _ = here.subscribeLocal("fn.both", message -> hidden.incrementAndGet());
                var _ = here.subscribe("fn.both", message -> seen.incrementAndGet())) {
            TestingNodes.awaitInterest(nodes.get(1), "A", "fn.both");
            assertThat(there.hasInterest("fn.hidden")).isFalse();
            assertThat(there.publish("fn.both", null, NONE, NONE)).isTrue();
            there.flush();
            TestingNodes.await("the message", () -> seen.get() == 1);
            assertThat(hidden.get()).isZero();
            assertThat(here.publish("fn.both", null, NONE, NONE)).isTrue();
            assertThat(hidden.get()).isEqualTo(1);
        }
    }

    @Test
    void aDeliveryShowsItsOwnSubjectOnAnotherNode() throws Exception {
        InternalClient stream =
                nodes.get(0).broker().accounts().getOrCreate("A").internalClient(ConnectionKind.JETSTREAM);
        byte[] payload = "m".getBytes(StandardCharsets.US_ASCII);
        try (RawClient client = nodes.get(1).connect("a")) {
            client.exchange("SUB _INBOX.pull 1\r\nSUB qd q 2\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "_INBOX.pull");
            TestingNodes.awaitInterest(nodes.get(0), "A", "qd");
            assertThat(stream.deliver("_INBOX.pull", "orders.1", "$JS.ACK.x", NONE, payload))
                    .isTrue();
            assertThat(stream.deliver("_INBOX.pull", "=", null, NONE, payload)).isTrue();
            assertThat(stream.deliver("qd", "orders.2", "r", NONE, payload)).isTrue();
            assertThat(stream.deliver("qd", "orders.3", null, NONE, payload)).isTrue();
            stream.flush();
            assertThat(client.until("MSG orders.3 2 1\r\nm\r\n"))
                    .isEqualTo("MSG orders.1 1 $JS.ACK.x 1\r\nm\r\nMSG = 1 1\r\nm\r\nMSG orders.2 2 r 1\r\nm\r\n");
        }
    }

    @Test
    void namesOfAccountsNeverMixWhateverTheyAreMadeOf() {
        AtomicInteger right = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        InternalClient from = client(0, "été 企业");
        try (var _ = client(1, "été 企业").subscribe("named", message -> right.incrementAndGet());
                var _ = client(1, "?t? ??").subscribe("named", message -> wrong.incrementAndGet());
                var _ = client(1, "été").subscribe("named", message -> wrong.incrementAndGet());
                var _ = client(1, "%C3%A9t%C3%A9%20%E4%BC%81%E4%B8%9A")
                        .subscribe("named", message -> wrong.incrementAndGet())) {
            TestingNodes.awaitInterest(nodes.get(0), "été 企业", "named");
            TestingNodes.awaitInterest(nodes.get(0), "%C3%A9t%C3%A9%20%E4%BC%81%E4%B8%9A", "named");
            from.publish("named", null, NONE, NONE);
            from.flush();
            TestingNodes.await("the message", () -> right.get() == 1);
            client(0, "been").publish("named", null, NONE, NONE);
            assertThat(wrong.get()).isZero();
        }
    }

    private static InternalClient client(int node, String account) {
        return nodes.get(node).broker().accounts().getOrCreate(account).internalClient(ConnectionKind.ACCOUNT);
    }

    @Test
    void nothingMadeOfJsonCanSmuggleLinesOntoARoute() throws Exception {
        InternalClient stream = client(0, "A");
        try (RawClient victim = nodes.get(1).connect("b");
                RawClient client = nodes.get(1).connect("a")) {
            victim.exchange("SUB victim 1\r\n");
            client.exchange("SUB bait.> 1\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "bait.x");
            String line = " 0\r\n\r\nRMSG B victim";
            assertThat(stream.publish("bait.x" + line, null, NONE, NONE)).isFalse();
            assertThat(stream.publish("bait.x", "r" + line, NONE, NONE)).isFalse();
            assertThat(stream.deliver("bait.x", "s" + line, null, NONE, NONE)).isFalse();
            assertThat(stream.publish("bait.end", null, NONE, NONE)).isTrue();
            stream.flush();
            assertThat(client.until("MSG bait.end 1 0\r\n\r\n")).isEmpty();
            assertThat(victim.exchange("")).isEmpty();
        }
    }

    @Test
    void interestIsRightAfterChurn() throws Exception {
        try (RawClient client = nodes.get(1).connect("a")) {
            StringBuilder churn = new StringBuilder();
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 200; i++) {
                    churn.append("SUB churn.").append(i).append(' ').append(i).append("\r\n");
                }
                for (int i = 0; i < 200; i++) {
                    if (round < 19 || i % 2 == 0) {
                        churn.append("UNSUB ").append(i).append("\r\n");
                    }
                }
            }
            client.exchange(churn.toString());
            TestingNodes.await("the odd half of the interest", () -> {
                for (int i = 0; i < 200; i++) {
                    if (nodes.get(2).broker().accounts().getOrCreate("A").hasInterest("churn." + i) != (i % 2 == 1)) {
                        return false;
                    }
                }
                return true;
            });
        }
        TestingNodes.awaitNoInterest(nodes.get(2), "A", "churn.1");
    }

    @Test
    void interestOutlivesAnAccountThatIsMadeAnew() throws Exception {
        try (RawClient client = nodes.get(1).connect("b")) {
            client.exchange("SUB anew 1\r\n");
            TestingNodes.awaitInterest(nodes.get(2), "B", "anew");
            nodes.get(2).broker().accounts().remove("B");
            nodes.get(2).broker().accounts().getOrCreate("B");
            TestingNodes.awaitInterest(nodes.get(2), "B", "anew");
        }
        TestingNodes.awaitNoInterest(nodes.get(2), "B", "anew");
    }

    private static int count(String text, String what) {
        return text.split(what, -1).length - 1;
    }

    private static List<Integer> weights(TestingNodes.Node node, String pattern) {
        return node.broker().routes(true).stream()
                .flatMap(route -> route.interest().stream())
                .filter(one -> one.pattern().equals(pattern) && one.queue() != null)
                .map(one -> one.weight())
                .sorted()
                .toList();
    }

    private static long plain(TestingNodes.Node node, String pattern) {
        return node.broker().routes(true).stream()
                .flatMap(route -> route.interest().stream())
                .filter(one -> one.pattern().equals(pattern))
                .count();
    }
}
