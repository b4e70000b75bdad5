package io.penstock.broker.testing;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.Brokers;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.auth.AccessControl;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthConfigException;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.RouteAddress;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A broker on a random port with access control. */
public final class TestingBroker implements AutoCloseable {
    private final Broker broker;
    private final AccessControl access;

    private TestingBroker(Broker broker, AccessControl access) {
        this.broker = broker;
        this.access = access;
    }

    public static TestingBroker start(AuthConfig config) throws Exception {
        return start(config, InstantSource.system());
    }

    public static TestingBroker start(AuthConfig config, InstantSource clock) throws Exception {
        return start(config, clock, "testing", null);
    }

    /** A node of a cluster that knows the routes of these. */
    public static TestingBroker node(AuthConfig config, String name, TestingBroker... others) throws Exception {
        List<RouteAddress> routes = Stream.of(others)
                .map(other -> new RouteAddress(
                        "127.0.0.1", other.broker.clusterAddress().getPort(), null, null))
                .toList();
        ClusterOptions cluster =
                ClusterOptions.builder().host("127.0.0.1").routes(routes).build();
        return start(config, InstantSource.system(), name, cluster);
    }

    private static TestingBroker start(AuthConfig config, InstantSource clock, String name, ClusterOptions cluster)
            throws Exception {
        String id = NKeyPair.generate(KeyType.SERVER, new SecureRandom()).publicKey();
        ServerIdentity identity = new ServerIdentity(
                id, name, ServerIdentity.PROTOCOL_VERSION, cluster == null ? null : "TEST", null, null, "0.1.0");
        BrokerOptions options = BrokerOptions.builder()
                .cluster(cluster)
                .host("127.0.0.1")
                .port(0)
                .eventLoops(2)
                .maxControlLine(64 * 1024)
                // On a busy machine a client may need long to sign what it is asked to.
                .authTimeout(Duration.ofMinutes(1))
                .build();
        Broker broker = Brokers.create(identity, options);
        try {
            AccessControl access = AccessControl.install(broker, config, clock);
            broker.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
            return new TestingBroker(broker, access);
        } catch (AuthConfigException e) {
            broker.close();
            throw e;
        }
    }

    public int port() {
        return broker.clientAddress().getPort();
    }

    public Broker broker() {
        return broker;
    }

    public AccessControl access() {
        return access;
    }

    public String id() {
        return broker.identity().id();
    }

    @Override
    public void close() {
        broker.close();
        access.close();
    }
}
