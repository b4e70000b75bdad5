package io.penstock.broker.engine;

import io.penstock.broker.AuthResult;
import io.penstock.broker.Authenticator;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.Brokers;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.Identity;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A broker on a random port, and users by name. */
final class TestingServer implements AutoCloseable {
    final Broker broker;

    private TestingServer(Broker broker) {
        this.broker = broker;
    }

    /** On a busy machine a client of a test may need long to say who it is. */
    static BrokerOptions.Builder options() {
        return BrokerOptions.builder().host("127.0.0.1").port(0).eventLoops(2).authTimeout(Duration.ofMinutes(1));
    }

    static TestingServer start() throws Exception {
        return start(options().build());
    }

    static TestingServer start(BrokerOptions options) throws Exception {
        return start(options, broker -> {});
    }

    static TestingServer start(BrokerOptions options, Consumer<Broker> setUp) throws Exception {
        ServerIdentity identity =
                new ServerIdentity("NTESTING", "testing", ServerIdentity.PROTOCOL_VERSION, null, null, null, "0.1.0");
        Broker broker = Brokers.create(identity, options);
        setUp.accept(broker);
        broker.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
        return new TestingServer(broker);
    }

    int port() {
        return broker.clientAddress().getPort();
    }

    RawClient connect() throws Exception {
        return RawClient.connect(port(), "");
    }

    RawClient connect(String fields) throws Exception {
        return RawClient.connect(port(), fields);
    }

    RawClient open() throws Exception {
        return new RawClient(port());
    }

    @Override
    public void close() {
        broker.close();
    }

    /** Knows users by name, without passwords; answers later from another thread when asked to. */
    static final class Users implements Authenticator {
        private final Map<String, AuthResult.Accepted> users = new ConcurrentHashMap<>();
        private final Broker broker;
        private final boolean later;

        Users(Broker broker, boolean later) {
            this.broker = broker;
            this.later = later;
        }

        Users add(String user, String account, Permissions permissions, UserLimits limits) {
            users.put(
                    user,
                    new AuthResult.Accepted(
                            broker.accounts().getOrCreate(account), Identity.ofUser(user), permissions, limits));
            return this;
        }

        @Override
        public boolean announcesAuthentication(ConnectionType type) {
            return true;
        }

        @Override
        public boolean needsNonce() {
            return true;
        }

        @Override
        public boolean acceptsImplicit(ConnectionType type) {
            return false;
        }

        @Override
        public void authenticate(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer) {
            AuthResult known = request.user() == null ? null : users.get(request.user());
            AuthResult result = known == null ? AuthResult.violation("unknown user") : known;
            if (later) {
                Thread.ofVirtual().start(() -> answer.accept(result));
            } else {
                answer.accept(result);
            }
        }
    }
}
