package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.TlsOptions;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.CompressionMode;
import io.penstock.broker.route.NodeDescription;
import io.penstock.broker.route.RouteAddress;
import io.penstock.broker.route.RouteSnapshot;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How nodes meet, part and meet again. */
class MeshTest {
    private static final UnaryOperator<ClusterOptions.Builder> PLAIN = UnaryOperator.identity();

    @TempDir
    Path folder;

    private static TestingNodes.Node node(String name, int port, RouteAddress... routes) throws Exception {
        return TestingNodes.node(name, port, List.of(routes), PLAIN, MeshTest::nothing);
    }

    private static void nothing(Broker broker) {}

    private static RouteAddress local(int port) {
        return new RouteAddress("127.0.0.1", port, null, null);
    }

    private static int freePort() throws Exception {
        // Below those that the system gives to outgoing connections: nobody takes it before we listen.
        while (true) {
            int port = 12_000 + ThreadLocalRandom.current().nextInt(8_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException _) {
                // Somebody has it.
            }
        }
    }

    private static void awaitPair(TestingNodes.Node one, TestingNodes.Node two) {
        TestingNodes.await(
                "both nodes connected",
                () -> one.broker().cluster().nodes().containsKey(two.name())
                        && two.broker().cluster().nodes().containsKey(one.name()));
    }

    private static String greet(TestingNodes.Node node, String text) throws Exception {
        try (RawClient raw = new RawClient(node.broker().clusterAddress().getPort())) {
            assertThat(raw.info).contains("\"cluster\":\"TEST\"").contains("\"route_pool_size\":3");
            raw.send(text);
            return raw.untilClosed();
        }
    }

    private static String route(String id, String name, String cluster) {
        return "CONNECT {\"name\":\"" + id + "\",\"cluster\":\"" + cluster + "\"}\r\n" + "INFO {\"server_id\":\"" + id
                + "\",\"server_name\":\"" + name + "\",\"cluster\":\"" + cluster
                + "\",\"host\":\"127.0.0.1\",\"port\":1}\r\nPING\r\n";
    }

    @Test
    void refusesWhoDoesNotBelongHere() throws Exception {
        try (TestingNodes.Node one = node("n1", 0)) {
            assertThat(greet(one, route("NX", "x", "OTHER")))
                    .isEqualTo("-ERR 'Rejecting connection, cluster name \"OTHER\" does not match \"TEST\"'\r\n");
            assertThat(greet(one, route("NX", "n1", "TEST")))
                    .isEqualTo("-ERR 'Remote server has a duplicate name: \"n1\"'\r\n");
            assertThat(greet(one, "CONNECT {\"lang\":\"java\",\"version\":\"1\"}\r\nPING\r\n"))
                    .isEqualTo("-ERR 'attempted to connect to route port'\r\n");
            assertThat(greet(one, "GET / HTTP/1.1\r\n\r\n")).isEqualTo("-ERR 'Unknown Protocol Operation'\r\n");
            assertThat(greet(one, "PING\r\n")).isEqualTo("-ERR 'Authorization Violation'\r\n");
            assertThat(greet(one, "RMSG A secret 999999\r\n")).isEqualTo("-ERR 'Authorization Violation'\r\n");
            assertThat(greet(one, "RS+ A >\r\n")).isEqualTo("-ERR 'Authorization Violation'\r\n");
            assertThat(greet(one, "CONNECT {" + "x".repeat(70_000) + "}\r\n"))
                    .isEqualTo("-ERR 'maximum control line exceeded'\r\n");
            assertThat(one.broker().accounts().find("A").hasInterest("secret")).isFalse();
        }
    }

    @Test
    void letsADoubtedNodeGoUnlessItAnswers() throws Exception {
        try (TestingNodes.Node one = node("n1", 0);
                TestingNodes.Node two =
                        node("n2", 0, local(one.broker().clusterAddress().getPort()));
                RawClient silent = new RawClient(one.broker().clusterAddress().getPort())) {
            awaitPair(one, two);
            silent.send(route("NX", "x", "TEST"));
            ClusterView view = one.broker().cluster();
            TestingNodes.await("the silent node", () -> view.nodes().containsKey("x"));
            view.doubt("n2");
            view.doubt("x");
            view.doubt("nobody");
            assertThat(silent.untilClosed()).contains("-ERR 'Stale Connection'");
            TestingNodes.await("it to be gone", () -> !view.nodes().containsKey("x"));
            assertThat(view.nodes()).containsOnlyKeys("n2");
        }
    }

    @Test
    void demandsTheSecretOfTheCluster() throws Exception {
        UnaryOperator<ClusterOptions.Builder> secret =
                cluster -> cluster.user("r").password("right");
        try (TestingNodes.Node one = TestingNodes.node("n1", 0, List.of(), secret, MeshTest::nothing)) {
            assertThat(greet(one, route("NX", "x", "TEST"))).isEqualTo("-ERR 'Authorization Violation'\r\n");
            int port = one.broker().clusterAddress().getPort();
            RouteAddress wrong = new RouteAddress("127.0.0.1", port, "r", "wrong");
            RouteAddress right = new RouteAddress("127.0.0.1", port, "r", "right");
            try (TestingNodes.Node two = node("n2", 0, wrong);
                    TestingNodes.Node three = node("n3", 0, right)) {
                awaitPair(one, three);
                // Gossip brings the second's address to nobody, so it stays outside.
                assertThat(two.broker().cluster().nodes()).isEmpty();
                assertThat(one.broker().cluster().nodes().keySet()).containsExactly("n3");
            }
        }
    }

    @Test
    void acceptsAHashedSecretAndNodesThatTakeItFromTheirOwnBlock() throws Exception {
        String hash = "$2a$04$9RkpsYHSh8GY6Dk3z2x8Ou.t/GXHMOQWFu.OAqV2ug4ZQ4d4nLmFm";
        String hashed = at.favre.lib.crypto.bcrypt.BCrypt.withDefaults().hashToString(4, "right".toCharArray());
        assertThat(hashed).hasSameSizeAs(hash);
        try (TestingNodes.Node one = TestingNodes.node(
                        "n1", 0, List.of(), cluster -> cluster.user("r").password(hashed), MeshTest::nothing);
                TestingNodes.Node two = TestingNodes.node(
                        "n2",
                        0,
                        List.of(one.routeAddress()),
                        cluster -> cluster.user("r").password("right"),
                        MeshTest::nothing)) {
            awaitPair(one, two);
        }
    }

    @Test
    void aNodeThatIsToldToDialItselfIsNoPeer() throws Exception {
        int port = freePort();
        try (TestingNodes.Node one = node("n1", port, local(port), new RouteAddress("localhost", port, null, null))) {
            TestingNodes.await("itself recognised", () -> one.broker().cluster().expectedNodes() == 1);
            assertThat(one.broker().cluster().nodes()).isEmpty();
            TestingNodes.await("no route left", () -> one.broker().routes(false).isEmpty());
        }
    }

    @Test
    void nodesThatDialEachOtherAtOnceEndUpWithOneConnectionOfEachKind() throws Exception {
        for (int i = 0; i < 5; i++) {
            int first = freePort();
            int second = freePort();
            try (TestingNodes.Node one = node("n1", first, local(first), local(second));
                    TestingNodes.Node two = node("n2", second, local(first), local(second))) {
                awaitPair(one, two);
                TestingNodes.await(
                        "four connections, one of them the system account's", () -> fourRoutes(one) && fourRoutes(two));
                exchange(one, two);
                assertThat(one.broker().cluster().expectedNodes()).isEqualTo(2);
            }
        }
    }

    private static boolean fourRoutes(TestingNodes.Node node) {
        List<RouteSnapshot> routes = node.broker().routes(false);
        return routes.size() == 4
                && routes.stream()
                                .filter(route -> route.account().equals("$SYS"))
                                .count()
                        == 1;
    }

    /** One message each way. */
    private static void exchange(TestingNodes.Node one, TestingNodes.Node two) throws Exception {
        try (RawClient here = one.connect("a");
                RawClient there = two.connect("a")) {
            there.exchange("SUB to.two 1\r\n");
            here.exchange("SUB to.one 1\r\n");
            TestingNodes.awaitInterest(one, "A", "to.two");
            TestingNodes.awaitInterest(two, "A", "to.one");
            here.publish("to.two", "x");
            there.publish("to.one", "y");
            assertThat(there.until("x\r\n")).isEqualTo("MSG to.two 1 1\r\n");
            assertThat(here.until("y\r\n")).isEqualTo("MSG to.one 1 1\r\n");
        }
    }

    @Test
    void encryptedRoutesVerifyBothSides() throws Exception {
        TestingCertificate certificate = TestingCertificate.make(folder, "node");
        TestingCertificate stranger = TestingCertificate.make(folder, "stranger");
        UnaryOperator<ClusterOptions.Builder> ours = cluster -> cluster.tls(tls(certificate, certificate));
        try (TestingNodes.Node one = TestingNodes.node("n1", 0, List.of(), ours, MeshTest::nothing);
                TestingNodes.Node two =
                        TestingNodes.node("n2", 0, List.of(one.routeAddress()), ours, MeshTest::nothing);
                TestingNodes.Node foreign = TestingNodes.node(
                        "n3",
                        0,
                        List.of(one.routeAddress()),
                        cluster -> cluster.tls(tls(stranger, certificate)),
                        MeshTest::nothing);
                TestingNodes.Node trusting = TestingNodes.node(
                        "n4",
                        0,
                        List.of(one.routeAddress()),
                        cluster -> cluster.tls(tls(certificate, stranger)),
                        MeshTest::nothing);
                TestingNodes.Node plain = node("n5", 0, one.routeAddress())) {
            awaitPair(one, two);
            exchange(one, two);
            assertThat(one.broker().cluster().nodes().keySet()).containsExactly("n2");
            assertThat(foreign.broker().cluster().nodes()).isEmpty();
            assertThat(trusting.broker().cluster().nodes()).isEmpty();
            assertThat(plain.broker().cluster().nodes()).isEmpty();
        }
    }

    private static TlsOptions tls(TestingCertificate own, TestingCertificate authority) {
        return new TlsOptions(
                List.of(new TlsOptions.Certificate(own.certFile, own.keyFile)),
                authority.certFile,
                true,
                false,
                List.of(),
                List.of(),
                Duration.ofSeconds(60),
                Set.of(),
                false,
                Duration.ZERO,
                0);
    }

    @Test
    void compressionIsWhatBothWant() throws Exception {
        assertCompression(CompressionMode.FAST, CompressionMode.ACCEPT, "s2_fast");
        assertCompression(CompressionMode.AUTO, CompressionMode.AUTO, "s2_auto");
        assertCompression(CompressionMode.FAST, CompressionMode.OFF, "off");
        assertCompression(CompressionMode.ACCEPT, CompressionMode.ACCEPT, "off");
    }

    private static void assertCompression(CompressionMode here, CompressionMode there, String expected)
            throws Exception {
        try (TestingNodes.Node one =
                        TestingNodes.node("n1", 0, List.of(), cluster -> cluster.compression(here), MeshTest::nothing);
                TestingNodes.Node two = TestingNodes.node(
                        "n2",
                        0,
                        List.of(one.routeAddress()),
                        cluster -> cluster.compression(there),
                        MeshTest::nothing)) {
            awaitPair(one, two);
            assertThat(one.broker().routes(false))
                    .extracting(RouteSnapshot::compression)
                    .containsOnly(expected);
            exchange(one, two);
            try (RawClient receiver = two.connect("a");
                    RawClient sender = one.connect("a")) {
                receiver.exchange("SUB big 1\r\n");
                TestingNodes.awaitInterest(one, "A", "big");
                String big = "compress me ".repeat(20_000);
                sender.publish("big", big);
                assertThat(receiver.until(big + "\r\n")).isEqualTo("MSG big 1 " + big.length() + "\r\n");
            }
        }
    }

    @Test
    void nodesOfDifferentPoolsAgreeAndAccountsMayHaveAConnectionOfTheirOwn() throws Exception {
        try (TestingNodes.Node one = TestingNodes.node(
                        "n1",
                        0,
                        List.of(),
                        cluster -> cluster.poolSize(5).accounts(Set.of("A", "B")),
                        MeshTest::nothing);
                TestingNodes.Node two = TestingNodes.node(
                        "n2",
                        0,
                        List.of(one.routeAddress()),
                        cluster -> cluster.poolSize(2).accounts(Set.of("A")),
                        MeshTest::nothing)) {
            awaitPair(one, two);
            assertThat(one.broker().routes(false))
                    .extracting(RouteSnapshot::account)
                    .containsExactlyInAnyOrder("", "", "$SYS", "A");
            exchange(one, two);
            exchange(two, one);
        }
    }

    @Test
    void aRouteThatBreaksComesBackWithAllInterest() throws Exception {
        try (TestingNodes nodes = TestingNodes.start(3);
                RawClient receiver = nodes.get(1).connect("a");
                RawClient sender = nodes.get(0).connect("a")) {
            receiver.exchange("SUB steady 1\r\n");
            for (int i = 0; i < 50; i++) {
                TestingNodes.awaitInterest(nodes.get(0), "A", "steady");
                sender.publish("steady", "" + i);
                assertThat(receiver.until("\r\n" + i + "\r\n")).endsWith("MSG steady 1 " + ("" + i).length());
                Broker broken = nodes.get(i % 3).broker();
                Set<Long> before = ids(broken);
                for (RouteConnection route : ((Mesh) broken.cluster()).connections()) {
                    var _ = route.channel().close();
                }
                TestingNodes.await("eight new routes", () -> {
                    Set<Long> now = ids(broken);
                    return now.size() == 8 && now.stream().noneMatch(before::contains);
                });
                nodes.awaitMesh();
            }
            assertThat(nodes.get(0).broker().routes(false)).hasSize(8);
        }
    }

    @Test
    void aFloodOfRubbishOnTheRoutePortHurtsNobody() throws Exception {
        byte[] noise = new byte[4096];
        new Random(1).nextBytes(noise);
        List<byte[]> rubbish = List.of(
                "HELLO\r\n".getBytes(StandardCharsets.US_ASCII),
                "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                "SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII),
                noise);
        try (TestingNodes nodes = TestingNodes.start(3);
                RawClient receiver = nodes.get(1).connect("a");
                RawClient sender = nodes.get(0).connect("a")) {
            receiver.exchange("SUB calm 1\r\n");
            TestingNodes.awaitInterest(nodes.get(0), "A", "calm");
            Broker flooded = nodes.get(0).broker();
            TestingNodes.await("eight routes", () -> ids(flooded).size() == 8);
            Set<Long> routes = ids(flooded);
            int port = flooded.clusterAddress().getPort();
            for (int i = 0; i < 1000; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(RawClient.DEADLINE_MILLIS);
                    socket.getOutputStream().write(rubbish.get(i % rubbish.size()));
                    socket.getOutputStream().flush();
                    if (i % 4 != 3) {
                        // Noise may hold no end of a line: nobody answers it before its time is over.
                        socket.getInputStream().readAllBytes();
                    }
                } catch (SocketException e) {
                    // Closed on what was still on its way: as well.
                    assertThat(e).hasMessageMatching("(?i).*(reset|pipe|closed|abort).*");
                }
                if (i % 10 == 0) {
                    sender.publish("calm", "" + i);
                    assertThat(receiver.until("\r\n" + i + "\r\n")).contains("MSG calm 1 ");
                }
            }
            assertThat(ids(flooded)).isEqualTo(routes);
        }
    }

    private static Set<Long> ids(Broker broker) {
        return broker.routes(false).stream().map(RouteSnapshot::id).collect(Collectors.toSet());
    }

    private record Seen(String what, String name, boolean refused) {}

    private static Queue<Seen> watch(Broker broker) {
        Queue<Seen> seen = new ConcurrentLinkedQueue<>();
        broker.cluster().addListener(new ClusterView.Listener() {
            @Override
            public void nodeUp(NodeDescription node) {
                seen.add(new Seen("up", node.name(), false));
            }

            @Override
            public void nodeDown(String name, boolean refused) {
                seen.add(new Seen("down", name, refused));
            }
        });
        return seen;
    }

    @Test
    void listenersLearnThatANodeWentAndThatItsProcessIsGoneAndThatItCameBack() throws Exception {
        int port = freePort();
        try (TestingNodes.Node one = node("n1", 0)) {
            Queue<Seen> seen = watch(one.broker());
            TestingNodes.Node two = node("n2", port, one.routeAddress());
            TestingNodes.await("n2", () -> seen.contains(new Seen("up", "n2", false)));
            two.close();
            TestingNodes.await("the news", () -> seen.size() == 3);
            assertThat(seen)
                    .containsExactly(
                            new Seen("up", "n2", false), new Seen("down", "n2", false), new Seen("down", "n2", true));
            // The same name and port, another process; this time it knows nobody, and is found all the same.
            try (TestingNodes.Node again = node("n2", port)) {
                TestingNodes.await("n2 again", () -> seen.size() == 4);
                awaitPair(one, again);
                exchange(one, again);
            }
        }
    }

    @Test
    void clientsAreToldWhereElseTheyCanConnect() throws Exception {
        try (TestingNodes.Node one = node("n1", 0);
                RawClient client =
                        RawClient.connect(one.broker().clientAddress().getPort(), "\"protocol\":1,\"user\":\"a\"")) {
            assertThat(client.info).doesNotContain("connect_urls");
            client.exchange("");
            TestingNodes.Node two = node("n2", 0, one.routeAddress());
            String own = "127.0.0.1:" + one.broker().clientAddress().getPort();
            String other = "127.0.0.1:" + two.broker().clientAddress().getPort();
            assertThat(untilInfo(client)).contains("\"connect_urls\":[\"" + own + "\",\"" + other + "\"]");
            try (RawClient fresh = one.connect("a")) {
                assertThat(fresh.info).contains("\"connect_urls\":[\"" + own + "\",\"" + other + "\"]");
            }
            two.broker().lameDuck();
            assertThat(untilInfo(client)).contains("\"connect_urls\":[\"" + own + "\"]");
            two.close();
        }
    }

    private static String untilInfo(RawClient client) throws Exception {
        String line = client.line();
        while (!line.contains("connect_urls")) {
            line = client.line();
        }
        return line;
    }

    @Test
    void aLameDuckTellsItsClientsOfTheOthersAlone() throws Exception {
        try (TestingNodes.Node one = node("n1", 0);
                TestingNodes.Node two = node("n2", 0, one.routeAddress())) {
            awaitPair(one, two);
            try (RawClient client =
                    RawClient.connect(one.broker().clientAddress().getPort(), "\"protocol\":1,\"user\":\"a\"")) {
                client.exchange("");
                one.broker().lameDuck();
                String line = client.line();
                while (!line.contains("\"ldm\":true")) {
                    line = client.line();
                }
                assertThat(line)
                        .contains("\"connect_urls\":[\"127.0.0.1:"
                                + two.broker().clientAddress().getPort() + "\"]");
            }
        }
    }

    @Test
    void aNodeThatIsNotToAdvertiseIsNotNamed() throws Exception {
        try (TestingNodes.Node one = node("n1", 0);
                TestingNodes.Node two = TestingNodes.node(
                        "n2",
                        0,
                        List.of(one.routeAddress()),
                        cluster -> cluster.noAdvertise(true),
                        MeshTest::nothing)) {
            awaitPair(one, two);
            try (RawClient client = one.connect("a");
                    RawClient hidden = two.connect("a")) {
                assertThat(client.info)
                        .contains("\"connect_urls\":[\"127.0.0.1:"
                                + one.broker().clientAddress().getPort() + "\"]");
                assertThat(hidden.info).doesNotContain("connect_urls");
            }
        }
    }

    @Test
    void aNodeThatCannotListenSaysWhere() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> node("n1", taken.getLocalPort()))
                    .hasMessageContaining("cannot listen for routes on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void aPartnerThatTakesNothingIsLetGo() throws Exception {
        UnaryOperator<ClusterOptions.Builder> quick =
                cluster -> cluster.writeDeadline(Duration.ofMillis(300)).poolSize(1);
        try (TestingNodes.Node one = TestingNodes.node("n1", 0, List.of(), quick, MeshTest::nothing);
                RawClient fake = new RawClient(one.broker().clusterAddress().getPort());
                RawClient sender = one.connect("a")) {
            fake.send(route("NX", "x", "TEST").replace("\"port\":1", "\"port\":1,\"route_pool_size\":1"));
            fake.until("PONG\r\n");
            fake.send("RS+ A flood\r\n");
            TestingNodes.awaitInterest(one, "A", "flood");
            byte[] message = ("PUB flood 60000\r\n" + "z".repeat(60_000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (one.broker().stats().routes().traffic().slowConsumers() == 0) {
                assertThat(System.nanoTime()).isLessThan(end);
                sender.send(message);
            }
            TestingNodes.awaitNoInterest(one, "A", "flood");
        }
    }
}
