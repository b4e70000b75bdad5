package io.penstock.broker.route;

import io.penstock.broker.TlsOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The {@code cluster} block: how this node meets the others.
 *
 * @param host address the route listener binds to
 * @param port its port; 0 takes a free one
 * @param advertise {@code host:port} told to other nodes instead, or null
 * @param noAdvertise whether the client addresses of this node are kept from clients of other nodes
 * @param routes nodes to dial, for ever
 * @param user name that dialling nodes must show, or null for none
 * @param password its secret, plain or bcrypt
 * @param authTimeout time for a dialling node to show it; default 2 s
 * @param tls certificates of routes, or null; with them every route is encrypted and both sides are verified
 * @param connectRetries how often a node learnt from others is dialled again after the first failure; default 0
 * @param connectBackoff whether the wait between dials doubles up to 30 s instead of staying at 1 s
 * @param poolSize connections to each node that accounts share; at least 1, default 3
 * @param accounts accounts with a connection of their own
 * @param compression what this node wants; default {@link CompressionMode#ACCEPT}
 * @param pingInterval time between PINGs; default 30 s
 * @param pingMax PINGs that may be unanswered; default 2
 * @param writeDeadline how long written bytes may wait for the other node before the route is closed; default 10 s
 * @param peerListen {@code host:port} of the peer link, port -1 or 0 for any; null for the host of the routes
 */
public record ClusterOptions(
        String host,
        int port,
        String advertise,
        boolean noAdvertise,
        List<RouteAddress> routes,
        String user,
        String password,
        Duration authTimeout,
        TlsOptions tls,
        int connectRetries,
        boolean connectBackoff,
        int poolSize,
        Set<String> accounts,
        CompressionMode compression,
        Duration pingInterval,
        int pingMax,
        Duration writeDeadline,
        String peerListen) {

    public ClusterOptions {
        routes = List.copyOf(routes);
        accounts = Set.copyOf(accounts);
        if (poolSize < 1) {
            throw new IllegalArgumentException("pool_size must be at least 1, not " + poolSize);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Gathers options; the methods are named like the components. */
    public static final class Builder {
        private String host = "0.0.0.0";
        private int port;
        private String advertise;
        private boolean noAdvertise;
        private List<RouteAddress> routes = List.of();
        private String user;
        private String password;
        private Duration authTimeout = Duration.ofSeconds(2);
        private TlsOptions tls;
        private int connectRetries;
        private boolean connectBackoff;
        private int poolSize = 3;
        private Set<String> accounts = Set.of();
        private CompressionMode compression = CompressionMode.ACCEPT;
        private Duration pingInterval = Duration.ofSeconds(30);
        private int pingMax = 2;
        private Duration writeDeadline = Duration.ofSeconds(10);
        private String peerListen;

        private Builder() {}

        public ClusterOptions build() {
            return new ClusterOptions(
                    host,
                    port,
                    advertise,
                    noAdvertise,
                    routes,
                    user,
                    password,
                    authTimeout,
                    tls,
                    connectRetries,
                    connectBackoff,
                    poolSize,
                    accounts,
                    compression,
                    pingInterval,
                    pingMax,
                    writeDeadline,
                    peerListen);
        }

        public Builder host(String value) {
            host = value;
            return this;
        }

        public Builder port(int value) {
            port = value;
            return this;
        }

        public Builder advertise(String value) {
            advertise = value;
            return this;
        }

        public Builder noAdvertise(boolean value) {
            noAdvertise = value;
            return this;
        }

        public Builder routes(List<RouteAddress> value) {
            routes = value;
            return this;
        }

        public Builder user(String value) {
            user = value;
            return this;
        }

        public Builder password(String value) {
            password = value;
            return this;
        }

        public Builder authTimeout(Duration value) {
            authTimeout = value;
            return this;
        }

        public Builder tls(TlsOptions value) {
            tls = value;
            return this;
        }

        public Builder connectRetries(int value) {
            connectRetries = value;
            return this;
        }

        public Builder connectBackoff(boolean value) {
            connectBackoff = value;
            return this;
        }

        public Builder poolSize(int value) {
            poolSize = value;
            return this;
        }

        public Builder accounts(Set<String> value) {
            accounts = value;
            return this;
        }

        public Builder compression(CompressionMode value) {
            compression = value;
            return this;
        }

        public Builder pingInterval(Duration value) {
            pingInterval = value;
            return this;
        }

        public Builder pingMax(int value) {
            pingMax = value;
            return this;
        }

        public Builder peerListen(String value) {
            peerListen = value;
            return this;
        }

        public Builder writeDeadline(Duration value) {
            writeDeadline = value;
            return this;
        }
    }
}
