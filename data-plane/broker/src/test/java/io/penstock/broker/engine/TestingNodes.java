package io.penstock.broker.engine;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.Brokers;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.RouteAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Nodes in this process that meet over real sockets. Users {@code a} and {@code b} belong to accounts A and B. */
final class TestingNodes implements AutoCloseable {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final AtomicInteger IDS = new AtomicInteger();

    private final List<Node> nodes = new ArrayList<>();

    /** One of them. */
    record Node(String name, Broker broker) implements AutoCloseable {
        RawClient connect(String user) throws IOException {
            return RawClient.connect(broker.clientAddress().getPort(), "\"user\":\"" + user + "\"");
        }

        RouteAddress routeAddress() {
            return new RouteAddress("127.0.0.1", broker.clusterAddress().getPort(), null, null);
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    /** So many nodes, each of which knows the first alone; returns when all know all. */
    static TestingNodes start(int count) throws Exception {
        return start(count, UnaryOperator.identity(), node -> {});
    }

    static TestingNodes start(int count, UnaryOperator<ClusterOptions.Builder> cluster, Consumer<Broker> setUp)
            throws Exception {
        TestingNodes nodes = new TestingNodes();
        for (int i = 0; i < count; i++) {
            List<RouteAddress> routes =
                    i == 0 ? List.of() : List.of(nodes.get(0).routeAddress());
            nodes.add("n" + i, routes, cluster, setUp);
        }
        nodes.awaitMesh();
        return nodes;
    }

    Node add(
            String name,
            List<RouteAddress> routes,
            UnaryOperator<ClusterOptions.Builder> cluster,
            Consumer<Broker> setUp)
            throws Exception {
        Node node = node(name, 0, routes, cluster, setUp);
        nodes.add(node);
        return node;
    }

    static Node node(
            String name,
            int port,
            List<RouteAddress> routes,
            UnaryOperator<ClusterOptions.Builder> cluster,
            Consumer<Broker> setUp)
            throws Exception {
        ClusterOptions.Builder builder =
                ClusterOptions.builder().host("127.0.0.1").port(port).routes(routes);
        BrokerOptions options = TestingServer.options()
                .cluster(cluster.apply(builder).build())
                .tags(List.of("az:" + name))
                .build();
        ServerIdentity identity = new ServerIdentity(
                "N" + name + IDS.incrementAndGet(), name, ServerIdentity.PROTOCOL_VERSION, "TEST", null, null, "0.1.0");
        Broker broker = Brokers.create(identity, options);
        TestingServer.Users users = new TestingServer.Users(broker, false);
        users.add("a", "A", Permissions.ALL, UserLimits.UNLIMITED);
        users.add("b", "B", Permissions.ALL, UserLimits.UNLIMITED);
        broker.setAuthenticator(users);
        setUp.accept(broker);
        broker.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
        return new Node(name, broker);
    }

    Node get(int index) {
        return nodes.get(index);
    }

    /** Waits until every node has all routes to every other. */
    void awaitMesh() {
        await(
                "a full mesh",
                () -> nodes.stream()
                        .allMatch(node -> node.broker().cluster().nodes().size() == nodes.size() - 1));
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("there was never " + what);
            }
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }

    /** Waits until a node knows of somebody, here or elsewhere, who wants this. */
    static void awaitInterest(Node node, String account, String subject) {
        await("interest in " + subject + " at " + node.name(), () -> {
            var known = node.broker().accounts().find(account);
            return known != null && known.hasInterest(subject);
        });
    }

    static void awaitNoInterest(Node node, String account, String subject) {
        await(
                "an end of interest in " + subject,
                () -> !node.broker().accounts().getOrCreate(account).hasInterest(subject));
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
    }
}
