package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.BrokerStats;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.TlsOptions;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.WebSocketOptions;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthorizationConfig;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.RouteAddress;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.json.Nodes;
import java.net.InetSocketAddress;
import java.time.Duration;

/** {@code /varz}: configuration and counters of the whole server. */
final class Varz implements Page {
    private static final double NANOS = 1e9;

    private final Source source;

    Varz(Source source) {
        this.source = source;
    }

    @Override
    public ObjectNode answer(Query query) {
        ServerOptions options = source.options();
        BrokerStats stats = source.broker().stats();
        ObjectNode page = Nodes.object();
        identity(page);
        listener(page, options);
        page.set("cluster", cluster(options));
        for (String block : new String[] {"gateway", "leaf", "mqtt"}) {
            page.putObject(block);
        }
        page.set("websocket", webSocket(options.broker().webSocket()));
        JetStreamSource jetStream = source.jetStream();
        page.set("jetstream", jetStream == null ? Nodes.object() : jetStream.varz());
        TlsOptions tls = options.broker().tls();
        page.put("tls_timeout", seconds(tls == null ? TlsOptions.DEFAULT_TIMEOUT : tls.timeout()));
        page.put("write_deadline", options.broker().writeDeadline().toNanos());
        process(page, stats);
        counters(page, stats);
        configuration(page, options);
        statistics(page, stats);
        return page;
    }

    private void identity(ObjectNode page) {
        ServerIdentity identity = source.broker().identity();
        page.put("server_id", identity.id());
        page.put("server_name", identity.name());
        page.put("version", identity.version());
        page.put("proto", 1);
        page.put("go", "java" + Runtime.version().feature());
        page.put(ServerIdentity.PRODUCT + "_version", identity.productVersion());
    }

    private void listener(ObjectNode page, ServerOptions options) {
        BrokerOptions broker = options.broker();
        page.put("host", broker.host());
        page.put(
                "port",
                source.broker().clientAddress() == null
                        ? broker.port()
                        : source.broker().clientAddress().getPort());
        Nodes.flagIfSet(page, "auth_required", authRequired(options.auth()));
        Nodes.flagIfSet(page, "tls_required", broker.tls() != null && !broker.allowNonTls());
        Nodes.flagIfSet(page, "tls_verify", broker.tls() != null && broker.tls().verify());
        Nodes.textsIfAny(page, "connect_urls", source.broker().clientUrls());
        Nodes.textsIfAny(page, "ws_connect_urls", source.broker().webSocketUrls());
        page.put("max_connections", broker.maxConnections());
        Nodes.numberIfAny(page, "max_subscriptions", broker.maxSubscriptions());
        page.put("ping_interval", broker.pingInterval().toNanos());
        page.put("ping_max", broker.pingMax());
        page.put("http_host", options.monitoring().host());
        page.put("http_port", source.httpPort());
        String base = options.monitoring().basePath();
        page.put("http_base_path", base.equals("/") ? "" : base);
        page.put("https_port", source.httpsPort());
        page.put("auth_timeout", seconds(broker.authTimeout()));
        page.put("max_control_line", broker.maxControlLine());
        page.put("max_payload", broker.maxPayload());
        page.put("max_pending", broker.maxPending());
    }

    private static boolean authRequired(AuthConfig auth) {
        AuthorizationConfig authorization = auth.authorization();
        return authorization.user() != null
                || authorization.token() != null
                || !authorization.users().isEmpty()
                || auth.operator() != null
                || auth.accounts().stream().anyMatch(account -> !account.users().isEmpty());
    }

    private ObjectNode cluster(ServerOptions options) {
        ObjectNode block = Nodes.object();
        Nodes.textIfAny(block, "name", options.clusterName());
        ClusterOptions cluster = options.broker().cluster();
        if (cluster == null) {
            return block;
        }
        InetSocketAddress bound = source.broker().clusterAddress();
        block.put("addr", cluster.host());
        block.put("cluster_port", bound == null ? cluster.port() : bound.getPort());
        block.put("auth_timeout", seconds(cluster.authTimeout()));
        Nodes.textsIfAny(
                block,
                "urls",
                cluster.routes().stream().map(RouteAddress::hostPort).toList());
        block.put(
                "tls_timeout",
                seconds(
                        cluster.tls() == null
                                ? TlsOptions.DEFAULT_TIMEOUT
                                : cluster.tls().timeout()));
        Nodes.flagIfSet(block, "tls_required", cluster.tls() != null);
        Nodes.flagIfSet(block, "tls_verify", cluster.tls() != null);
        block.put("pool_size", cluster.poolSize());
        block.put("write_deadline", cluster.writeDeadline().toNanos());
        block.put("write_timeout", "close");
        return block;
    }

    private ObjectNode webSocket(WebSocketOptions options) {
        ObjectNode block = Nodes.object();
        if (options == null) {
            return block;
        }
        block.put("host", options.host());
        block.put(
                "port",
                source.broker().webSocketAddress() == null
                        ? options.port()
                        : source.broker().webSocketAddress().getPort());
        Nodes.textIfAny(block, "advertise", options.advertise());
        Nodes.textIfAny(block, "no_auth_user", options.noAuthUser());
        Nodes.textIfAny(block, "jwt_cookie", options.jwtCookie());
        if (!options.handshakeTimeout().equals(WebSocketOptions.DEFAULT_HANDSHAKE_TIMEOUT)) {
            block.put("handshake_timeout", options.handshakeTimeout().toNanos());
        }
        if (options.authTimeout() != null) {
            block.put("auth_timeout", seconds(options.authTimeout()));
        }
        Nodes.flagIfSet(block, "no_tls", options.tls() == null);
        Nodes.flagIfSet(block, "same_origin", options.sameOrigin());
        Nodes.textsIfAny(block, "allowed_origins", options.allowedOrigins());
        Nodes.flagIfSet(block, "compression", options.compression());
        return block;
    }

    private static void process(ObjectNode page, BrokerStats stats) {
        int processors = Runtime.getRuntime().availableProcessors();
        page.put("start", stats.started().toString());
        page.put("now", stats.now().toString());
        page.put("uptime", Spans.format(Duration.between(stats.started(), stats.now())));
        page.put("mem", ProcessFigures.residentBytes());
        page.put("cores", processors);
        page.put("gomaxprocs", processors);
        page.put("cpu", ProcessFigures.cpuPercent(stats.started(), stats.now()));
    }

    private static void counters(ObjectNode page, BrokerStats stats) {
        TrafficStats traffic = stats.traffic();
        page.put("connections", stats.connections());
        page.put("total_connections", stats.totalConnections());
        TrafficStats all = traffic.plus(stats.routes().traffic());
        page.put("routes", stats.routes().routes());
        page.put("remotes", stats.routes().nodes());
        page.put("leafnodes", 0);
        page.put("in_msgs", all.inMessages());
        page.put("in_bytes", all.inBytes());
        page.put("in_client_msgs", traffic.inMessages());
        page.put("in_client_bytes", traffic.inBytes());
        page.put("out_msgs", all.outMessages());
        page.put("out_bytes", all.outBytes());
        page.put("out_client_msgs", traffic.outMessages());
        page.put("out_client_bytes", traffic.outBytes());
        page.put(
                "slow_consumers",
                stats.slowConsumersPending()
                        + stats.slowConsumersDeadline()
                        + stats.routes().traffic().slowConsumers());
        page.put("stale_connections", stats.staleConnections() + stats.routes().stale());
        page.put("stalled_clients", stats.stalledClients());
        page.put("subscriptions", stats.subscriptions());
    }

    private void configuration(ObjectNode page, ServerOptions options) {
        ObjectNode requests = page.putObject("http_req_stats");
        source.requests().forEach(requests::put);
        page.put("config_load_time", source.configured().toString());
        page.put("config_digest", options.configDigest());
        Nodes.textsIfAny(page, "tags", options.tags());
        Nodes.textMapIfAny(page, "metadata", options.metadata());
        if (!options.featureFlags().isEmpty()) {
            ObjectNode flags = page.putObject("feature_flags");
            options.featureFlags().forEach(flags::put);
        }
        if (options.auth().operator() != null) {
            Nodes.textsIfAny(
                    page, "trusted_operators_jwt", options.auth().operator().operatorJwts());
        }
        if (!options.auth().systemAccountDisabled()) {
            page.put("system_account", source.broker().accounts().system().name());
        }
    }

    private static void statistics(ObjectNode page, BrokerStats stats) {
        byKind(
                page.putObject("slow_consumer_stats"),
                stats.slowConsumersPending() + stats.slowConsumersDeadline(),
                stats.routes().traffic().slowConsumers());
        byKind(
                page.putObject("stale_connection_stats"),
                stats.staleConnections(),
                stats.routes().stale());
        ObjectNode disk = page.putObject("disk_io_wait_stats");
        for (String name : new String[] {"waiters", "waits", "wait_time", "max_wait_time"}) {
            disk.put(name, 0);
        }
    }

    private static void byKind(ObjectNode node, long clients, long routes) {
        node.put("clients", clients);
        node.put("routes", routes);
        node.put("gateways", 0);
        node.put("leafs", 0);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }
}
