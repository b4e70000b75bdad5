package io.penstock.broker;

import io.penstock.broker.route.ClusterOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How a broker listens and what it limits. Immutable; every option has the protocol's usual default. */
public final class BrokerOptions {
    private final Builder values;

    private BrokerOptions(Builder values) {
        this.values = values;
    }

    /** How sockets are driven. */
    public enum Transport {
        /** epoll where there is one, else NIO. */
        AUTO,
        NIO,
        EPOLL,
        IO_URING
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        return values.copy();
    }

    /** Address the client listener binds to; default all interfaces. */
    public String host() {
        return values.host;
    }

    /** Client port; 0 takes a random free one, -1 opens no client listener; default 4222. */
    public int port() {
        return values.port;
    }

    /** {@code host:port} told to clients instead of the bound one, or null. */
    public String clientAdvertise() {
        return values.clientAdvertise;
    }

    /** TLS of the client listener, or null. */
    public TlsOptions tls() {
        return values.tls;
    }

    /** Whether clients may stay without TLS although it is configured. */
    public boolean allowNonTls() {
        return values.allowNonTls;
    }

    /** The WebSocket listener, or null. */
    public WebSocketOptions webSocket() {
        return values.webSocket;
    }

    /** Whether message headers are supported; default true. */
    public boolean headers() {
        return values.headers;
    }

    /** Whether INFO announces JetStream. */
    public boolean jetStream() {
        return values.jetStream;
    }

    /** Bytes of a message with its headers; default 1 MiB. */
    public int maxPayload() {
        return values.maxPayload;
    }

    /** Bytes of a control line without its verb; default 4096. */
    public int maxControlLine() {
        return values.maxControlLine;
    }

    /** Bytes that may wait for one client before it counts as a slow consumer; default 64 MiB. */
    public long maxPending() {
        return values.maxPending;
    }

    /** Client connections; -1 is unlimited; default 65,536. */
    public int maxConnections() {
        return values.maxConnections;
    }

    /** Subscriptions of one connection; 0 is unlimited, the default. */
    public int maxSubscriptions() {
        return values.maxSubscriptions;
    }

    /** Tokens of a subscription's subject, at most 255; 0 is unlimited, the default. */
    public int maxSubscriptionTokens() {
        return values.maxSubscriptionTokens;
    }

    /** Closed connections that are remembered; default 10,000. */
    public int maxClosedClients() {
        return values.maxClosedClients;
    }

    /** Time between the server's PINGs; default 2 min. */
    public Duration pingInterval() {
        return values.pingInterval;
    }

    /** PINGs that may be unanswered; default 2. */
    public int pingMax() {
        return values.pingMax;
    }

    /** How long a write may take before the client counts as a slow consumer; default 10 s. */
    public Duration writeDeadline() {
        return values.writeDeadline;
    }

    /** Time for CONNECT; default 2 s, or with TLS its timeout plus 1 s. */
    public Duration authTimeout() {
        if (values.authTimeout != null) {
            return values.authTimeout;
        }
        return values.tls == null ? Duration.ofSeconds(2) : values.tls.timeout().plusSeconds(1);
    }

    /** Time over which lame duck mode closes clients; default 2 min. */
    public Duration lameDuckDuration() {
        return values.lameDuckDuration;
    }

    /** Time before lame duck mode closes the first client; default 10 s. */
    public Duration lameDuckGrace() {
        return values.lameDuckGrace;
    }

    /** Whether messages to a receiver that lags are dropped instead of slowing their producer. */
    public boolean noFastProducerStall() {
        return values.noFastProducerStall;
    }

    /** {@code server_tags}, told to other nodes and asked for by filters; default none. */
    public List<String> tags() {
        return values.tags;
    }

    /** {@code server_metadata}, told to other nodes; default none. */
    public Map<String, String> metadata() {
        return values.metadata;
    }

    /** How this node meets others, or null when it stands alone. */
    public ClusterOptions cluster() {
        return values.cluster;
    }

    /** Which lines of the protocol are traced; default none. */
    public TraceOptions trace() {
        return values.trace;
    }

    /** Event loops; 0, the default, is one for each processor. */
    public int eventLoops() {
        return values.eventLoops;
    }

    /** How sockets are driven; default the best one there is. */
    public Transport transport() {
        return values.transport;
    }

    /** Gathers options; the methods are named like the accessors. */
    public static final class Builder {
        private String host = "0.0.0.0";
        private int port = 4222;
        private String clientAdvertise;
        private TlsOptions tls;
        private boolean allowNonTls = false;
        private WebSocketOptions webSocket;
        private boolean headers = true;
        private boolean jetStream = false;
        private int maxPayload = 1024 * 1024;
        private int maxControlLine = 4096;
        private long maxPending = 64L * 1024 * 1024;
        private int maxConnections = 65_536;
        private int maxSubscriptions = 0;
        private int maxSubscriptionTokens = 0;
        private int maxClosedClients = 10_000;
        private Duration pingInterval = Duration.ofMinutes(2);
        private int pingMax = 2;
        private Duration writeDeadline = Duration.ofSeconds(10);
        private Duration authTimeout;
        private Duration lameDuckDuration = Duration.ofMinutes(2);
        private Duration lameDuckGrace = Duration.ofSeconds(10);
        private boolean noFastProducerStall = false;
        private List<String> tags = List.of();
        private Map<String, String> metadata = Map.of();
        private ClusterOptions cluster;
        private TraceOptions trace = TraceOptions.OFF;
        private int eventLoops = 0;
        private Transport transport = Transport.AUTO;

        private Builder() {}

        private Builder copy() {
            Builder copy = new Builder();
            copy.host = host;
            copy.port = port;
            copy.clientAdvertise = clientAdvertise;
            copy.tls = tls;
            copy.allowNonTls = allowNonTls;
            copy.webSocket = webSocket;
            copy.headers = headers;
            copy.jetStream = jetStream;
            copy.maxPayload = maxPayload;
            copy.maxControlLine = maxControlLine;
            copy.maxPending = maxPending;
            copy.maxConnections = maxConnections;
            copy.maxSubscriptions = maxSubscriptions;
            copy.maxSubscriptionTokens = maxSubscriptionTokens;
            copy.maxClosedClients = maxClosedClients;
            copy.pingInterval = pingInterval;
            copy.pingMax = pingMax;
            copy.writeDeadline = writeDeadline;
            copy.authTimeout = authTimeout;
            copy.lameDuckDuration = lameDuckDuration;
            copy.lameDuckGrace = lameDuckGrace;
            copy.noFastProducerStall = noFastProducerStall;
            copy.tags = tags;
            copy.metadata = metadata;
            copy.cluster = cluster;
            copy.trace = trace;
            copy.eventLoops = eventLoops;
            copy.transport = transport;
            return copy;
        }

        public BrokerOptions build() {
            if (maxPayload > maxPending) {
                throw new IllegalArgumentException(
                        "max_payload (" + maxPayload + ") must not be above max_pending (" + maxPending + ")");
            }
            return new BrokerOptions(copy());
        }

        public Builder host(String value) {
            this.host = value;
            return this;
        }

        public Builder port(int value) {
            this.port = value;
            return this;
        }

        public Builder clientAdvertise(String value) {
            this.clientAdvertise = value;
            return this;
        }

        public Builder tls(TlsOptions value) {
            this.tls = value;
            return this;
        }

        public Builder allowNonTls(boolean value) {
            this.allowNonTls = value;
            return this;
        }

        public Builder webSocket(WebSocketOptions value) {
            this.webSocket = value;
            return this;
        }

        public Builder headers(boolean value) {
            this.headers = value;
            return this;
        }

        public Builder jetStream(boolean value) {
            this.jetStream = value;
            return this;
        }

        public Builder maxPayload(int value) {
            this.maxPayload = value;
            return this;
        }

        public Builder maxControlLine(int value) {
            this.maxControlLine = value;
            return this;
        }

        public Builder maxPending(long value) {
            this.maxPending = value;
            return this;
        }

        public Builder maxConnections(int value) {
            this.maxConnections = value;
            return this;
        }

        public Builder maxSubscriptions(int value) {
            this.maxSubscriptions = value;
            return this;
        }

        public Builder maxSubscriptionTokens(int value) {
            this.maxSubscriptionTokens = value;
            return this;
        }

        public Builder maxClosedClients(int value) {
            this.maxClosedClients = value;
            return this;
        }

        public Builder pingInterval(Duration value) {
            this.pingInterval = value;
            return this;
        }

        public Builder pingMax(int value) {
            this.pingMax = value;
            return this;
        }

        public Builder writeDeadline(Duration value) {
            this.writeDeadline = value;
            return this;
        }

        public Builder authTimeout(Duration value) {
            this.authTimeout = value;
            return this;
        }

        public Builder lameDuckDuration(Duration value) {
            this.lameDuckDuration = value;
            return this;
        }

        public Builder lameDuckGrace(Duration value) {
            this.lameDuckGrace = value;
            return this;
        }

        public Builder noFastProducerStall(boolean value) {
            this.noFastProducerStall = value;
            return this;
        }

        public Builder tags(List<String> value) {
            this.tags = List.copyOf(value);
            return this;
        }

        public Builder metadata(Map<String, String> value) {
            this.metadata = Map.copyOf(value);
            return this;
        }

        public Builder cluster(ClusterOptions value) {
            this.cluster = value;
            return this;
        }

        public Builder trace(TraceOptions value) {
            this.trace = value;
            return this;
        }

        public Builder eventLoops(int value) {
            this.eventLoops = value;
            return this;
        }

        public Builder transport(Transport value) {
            this.transport = value;
            return this;
        }
    }
}
