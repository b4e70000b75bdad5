package io.penstock.server.config;

import io.penstock.broker.TlsOptions;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.CompressionMode;
import io.penstock.broker.route.RouteAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Reads the {@code cluster} block. */
final class ClusterReader extends BlockReader {
    /** What file and flags say; null or 0 where nobody has said anything. */
    static final class Draft {
        String host;
        /** 0 when no listener is asked for. */
        int port;

        String advertise;
        boolean noAdvertise;
        List<RouteAddress> routes = new ArrayList<>();
        String user;
        String password;
        Duration authTimeout;
        TlsOptions tls;
        int connectRetries;
        boolean connectBackoff;
        int poolSize;
        final Set<String> accounts = new LinkedHashSet<>();
        CompressionMode compression = CompressionMode.ACCEPT;
        Duration pingInterval;
        int pingMax;
        Duration writeDeadline;
        String peerListen;

        /** Null when this node does not listen for others. */
        ClusterOptions build(String clientHost, Duration clientPing, int clientPingMax) {
            if (port == 0) {
                return null;
            }
            Duration half = Duration.ofSeconds(30);
            Duration ping = pingInterval != null ? pingInterval : clientPing.compareTo(half) < 0 ? clientPing : half;
            Duration auth = authTimeout;
            if (auth == null) {
                auth = tls == null ? Duration.ofSeconds(2) : tls.timeout().plusSeconds(1);
            }
            return ClusterOptions.builder()
                    .host(host == null || host.isEmpty() ? clientHost : host)
                    .port(port == ServerOptions.RANDOM_PORT ? 0 : port)
                    .advertise(advertise)
                    .noAdvertise(noAdvertise)
                    .routes(routes)
                    .user(user)
                    .password(password)
                    .authTimeout(auth)
                    .tls(tls)
                    .connectRetries(connectRetries)
                    .connectBackoff(connectBackoff)
                    .poolSize(poolSize == 0 ? 3 : Math.max(1, poolSize))
                    .accounts(accounts)
                    .compression(compression)
                    .pingInterval(ping)
                    .pingMax(pingMax == 0 ? clientPingMax : pingMax)
                    .writeDeadline(Objects.requireNonNullElse(writeDeadline, Duration.ofSeconds(10)))
                    .peerListen(peerListen)
                    .build();
        }
    }

    private final OptionsDraft options;
    private final Draft draft;

    private ClusterReader(OptionsDraft options, Problems problems) {
        super(problems);
        this.options = options;
        this.draft = options.cluster;
    }

    static void read(ConfigValue value, OptionsDraft options, Problems problems) throws ConfigException {
        new ClusterReader(options, problems).readAll(Values.block("cluster", value));
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        return meeting(key, value) || connections(key, value);
    }

    private boolean meeting(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "name" -> {
                String name = Values.text(value);
                if (name.contains(" ")) {
                    throw new ConfigException(value.position(), "cluster name cannot contain spaces");
                }
                options.clusterName = name.isEmpty() ? null : name;
            }
            case "listen" -> {
                Values.HostPort listen = Values.listen(value);
                draft.host = listen.host();
                draft.port = listen.port();
            }
            case "port" -> draft.port = Values.port(key, value);
            case "host", "net" -> draft.host = Values.text(value);
            case "authorization" -> authorization(value);
            case "routes" -> routes(value);
            case "cluster_advertise", "advertise" -> draft.advertise = Values.text(value);
            case "no_advertise" -> draft.noAdvertise = Values.flag(value);
            case "tls" -> draft.tls = TlsReader.read(value, problems).options();
            case "permissions" -> problems.unavailable(key, value, "permissions of routes are");
            case "peer_listen" -> {
                Values.HostPort listen = Values.listen(value);
                draft.peerListen = listen.host() + ":" + listen.port();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean connections(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "connect_retries" -> draft.connectRetries = Values.small(key, value);
            case "connect_backoff" -> draft.connectBackoff = Values.flag(value);
            case "pool_size" -> draft.poolSize = Values.small(key, value);
            case "accounts" -> draft.accounts.addAll(Values.texts(value));
            case "compression" -> compression(key, value);
            case "ping_interval" -> draft.pingInterval = Values.duration(key, value, problems);
            case "ping_max" -> draft.pingMax = Values.small(key, value);
            case "write_deadline" -> draft.writeDeadline = Values.duration(key, value, problems);
            case "write_timeout" -> {
                switch (Values.lower(Values.text(value))) {
                    case "default", "close" -> {}
                    case "retry" ->
                        problems.ignored(
                                key,
                                value,
                                "a route that takes nothing for write_deadline is closed and dialled again");
                    default ->
                        throw new ConfigException(
                                value.position(), "write_timeout must be 'default', 'close' or 'retry'");
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void routes(ConfigValue value) throws ConfigException {
        for (ConfigValue item : Values.items("routes", value)) {
            try {
                draft.routes.add(RouteAddress.parse(Values.text(item)));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(item.position(), e.getMessage());
            }
        }
    }

    private void authorization(ConfigValue value) throws ConfigException {
        for (Map.Entry<String, ConfigValue> entry :
                Values.block("authorization", value).entries().entrySet()) {
            ConfigValue one = entry.getValue();
            switch (Values.lower(entry.getKey())) {
                case "user", "username" -> draft.user = Values.text(one);
                case "pass", "password" -> draft.password = Values.text(one);
                case "timeout" -> draft.authTimeout = Values.seconds("cluster authorization", one);
                case "token", "users" ->
                    problems.error(one.position(), "Cluster authorization does not allow multiple users or tokens");
                default -> problems.unknown(entry.getKey(), one);
            }
        }
        if ((draft.user == null) != (draft.password == null)) {
            problems.error(value.position(), "cluster authorization needs both 'user' and 'password'");
        }
    }

    private void compression(String key, ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Flag flag) {
            draft.compression = flag.value() ? CompressionMode.FAST : CompressionMode.OFF;
            return;
        }
        if (value instanceof ConfigValue.Block block) {
            for (Map.Entry<String, ConfigValue> entry : block.entries().entrySet()) {
                switch (Values.lower(entry.getKey())) {
                    case "mode" -> compression(key, entry.getValue());
                    case "thresholds", "rtts", "rtt_thresholds" ->
                        problems.unavailable(entry.getKey(), entry.getValue(), "thresholds of one's own are");
                    default -> problems.unknown(entry.getKey(), entry.getValue());
                }
            }
            return;
        }
        switch (Values.lower(Values.text(value))) {
            case "off", "disabled", "false", "not supported" -> draft.compression = CompressionMode.OFF;
            case "accept" -> draft.compression = CompressionMode.ACCEPT;
            case "on", "enabled", "true", "s2_fast", "fast" -> draft.compression = CompressionMode.FAST;
            case "s2_auto", "auto" -> draft.compression = CompressionMode.AUTO;
            case "s2_better", "better", "s2_best", "best" ->
                problems.unavailable(key, value, "the slower levels of compression are");
            default ->
                throw new ConfigException(value.position(), "unknown compression mode \"" + Values.text(value) + "\"");
        }
    }

    /** What {@code --cluster URL} asks for. */
    static void listenFlag(String url, Draft draft) throws ConfigException {
        try {
            boolean random = url.endsWith(":-1");
            RouteAddress address = RouteAddress.parse(random ? url.substring(0, url.length() - 3) + ":1" : url);
            draft.host = address.host();
            draft.port = random ? ServerOptions.RANDOM_PORT : address.port();
            draft.user = address.user() == null ? draft.user : address.user();
            draft.password = address.password() == null ? draft.password : address.password();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(null, "--cluster: " + e.getMessage());
        }
    }

    /** What {@code --routes URL,URL} asks for. */
    static List<RouteAddress> routesFlag(String urls) throws ConfigException {
        List<RouteAddress> routes = new ArrayList<>();
        for (String url : urls.split(",")) {
            if (!url.isBlank()) {
                try {
                    routes.add(RouteAddress.parse(url));
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(null, "--routes: " + e.getMessage());
                }
            }
        }
        return routes;
    }
}
