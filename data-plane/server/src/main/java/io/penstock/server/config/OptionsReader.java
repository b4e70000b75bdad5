package io.penstock.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Reads the top level of a configuration file into a draft. */
final class OptionsReader extends BlockReader {
    private static final Duration LEAST_LAME_DUCK = Duration.ofSeconds(30);
    private static final int MOST_TOKENS = 255;
    private static final long SUSPICIOUS_PAYLOAD = 8L << 20;

    private final OptionsDraft options;
    private final OperatorReader operator;
    private final UnavailableReader unavailable;

    OptionsReader(OptionsDraft options, Problems problems) {
        super(problems);
        this.options = options;
        this.operator = new OperatorReader(options, problems);
        this.unavailable = new UnavailableReader(problems);
    }

    void read(ConfigDocument document) {
        if (document.root().entries().isEmpty()) {
            problems.warn(null, options.configFile + ": config has no values or is empty");
        }
        readAll(document.root());
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        return listeners(key, value)
                || limits(key, value)
                || timing(key, value)
                || logging(key, value)
                || files(key, value)
                || identity(key, value)
                || access(key, value)
                || operator.key(key, value)
                || unavailable.key(key, value);
    }

    private boolean listeners(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "listen" -> {
                Values.HostPort listen = Values.listen(value);
                options.host = listen.host();
                options.port = listen.port();
            }
            case "port" -> options.port = Values.port(key, value);
            case "host", "net" -> options.host = Values.text(value);
            case "client_advertise" -> options.clientAdvertise = Values.text(value);
            case "tls" -> {
                TlsReader.Tls tls = TlsReader.read(value, problems);
                options.tls = tls.options();
                options.mapTlsCertificates = tls.mapToUser();
            }
            case "allow_non_tls" -> options.allowNonTls = Values.flag(value);
            case "cluster" -> ClusterReader.read(value, options, problems);
            case "websocket", "ws" -> options.webSocket = WebSocketReader.read(value, problems);
            case "http" -> {
                Values.HostPort listen = Values.listen(value);
                options.httpHost = listen.host();
                options.httpPort = listen.port();
            }
            case "https" -> {
                Values.HostPort listen = Values.listen(value);
                options.httpHost = listen.host();
                options.httpsPort = listen.port();
            }
            case "http_port", "monitor_port" -> options.httpPort = Values.port(key, value);
            case "https_port" -> options.httpsPort = Values.port(key, value);
            case "http_base_path" -> options.httpBasePath = basePath(Values.text(value));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean limits(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "max_connections", "max_conn" -> {
                int most = Values.small(key, value);
                options.maxConnections = most == 0 ? -1 : most;
            }
            case "max_subscriptions", "max_subs" -> options.maxSubscriptions = Values.small(key, value);
            case "max_sub_tokens", "max_subscription_tokens" -> {
                int tokens = Values.small(key, value);
                if (tokens <= 0 || tokens > MOST_TOKENS) {
                    throw new ConfigException(
                            value.position(), key + (tokens <= 0 ? " value can not be negative" : " value is too big"));
                }
                options.maxSubscriptionTokens = tokens;
            }
            case "max_control_line" -> options.maxControlLine = Values.small(key, value);
            case "max_payload" -> {
                options.maxPayload = Values.small(key, value);
                if (options.maxPayload > SUSPICIOUS_PAYLOAD) {
                    problems.warn(
                            value.position(),
                            "Maximum payloads over 8.00 MB are generally discouraged and could lead to poor performance");
                }
            }
            case "max_pending" -> options.maxPending = Values.whole(value);
            case "max_closed_clients" -> options.maxClosedClients = Values.small(key, value);
            case "no_header_support" -> options.noHeaders = Values.flag(value);
            case "no_fast_producer_stall" -> options.noStall = Values.flag(value);
            case "disable_sublist_cache", "no_sublist_cache" -> {
                if (Values.flag(value)) {
                    problems.ignored(key, value, "routing always caches");
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean timing(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "ping_interval" -> options.pingInterval = Values.duration(key, value, problems);
            case "ping_max" -> options.pingMax = Values.small(key, value);
            case "write_deadline" -> options.writeDeadline = Values.duration(key, value, problems);
            case "write_timeout" -> {
                switch (Values.lower(Values.text(value))) {
                    case "default", "close" -> {}
                    case "retry" -> problems.unavailable(key, value, "retrying writes of clients is");
                    default ->
                        throw new ConfigException(
                                value.position(), "write_timeout must be 'default', 'close' or 'retry'");
                }
            }
            case "lame_duck_duration" -> {
                options.lameDuckDuration = Values.duration(key, value, problems);
                if (options.lameDuckDuration.compareTo(LEAST_LAME_DUCK) < 0) {
                    throw new ConfigException(
                            value.position(),
                            "invalid lame_duck_duration of " + Durations.format(options.lameDuckDuration)
                                    + ", minimum is 30 seconds");
                }
            }
            case "lame_duck_grace_period" -> {
                options.lameDuckGrace = Values.duration(key, value, problems);
                if (options.lameDuckGrace.isNegative()) {
                    throw new ConfigException(value.position(), "invalid lame_duck_grace_period, needs to be positive");
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean logging(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "debug" -> options.debug = Values.flag(value);
            case "trace" -> options.trace = Values.flag(value);
            case "trace_verbose" -> {
                options.traceVerbose = Values.flag(value);
                options.trace = options.traceVerbose;
            }
            case "trace_headers" -> {
                options.traceHeaders = Values.flag(value);
                options.trace = options.traceHeaders;
            }
            case "max_traced_msg_len" -> options.maxTracedMessage = Values.small(key, value);
            case "logtime" -> options.logTime = Values.flag(value);
            case "logtime_utc" -> options.logTimeUtc = Values.flag(value);
            case "logfile", "log_file" -> options.logFile = path(value);
            case "logfile_size_limit", "log_size_limit" -> options.logSizeLimit = Values.whole(value);
            case "logfile_max_num", "log_max_num" -> options.logMaxFiles = Values.small(key, value);
            case "syslog" -> {
                if (Values.flag(value)) {
                    problems.unavailable(key, value, "logging to syslog is");
                }
            }
            case "remote_syslog" -> {
                if (!Values.text(value).isEmpty()) {
                    problems.unavailable(key, value, "logging to syslog is");
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean files(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "pidfile", "pid_file" -> options.pidFile = path(value);
            case "ports_file_dir" -> options.portsFileDirectory = path(value);
            case "store_dir", "storedir" -> JetStreamReader.storeDirectory(value, options);
            case "jetstream" -> JetStreamReader.read(value, options, problems);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean identity(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "server_name" -> {
                options.serverName = Values.text(value);
                if (options.serverName.contains(" ")) {
                    throw new ConfigException(value.position(), "server name cannot contain spaces");
                }
            }
            case "server_tags" -> {
                for (String tag : Values.texts(value)) {
                    options.tags.add(tag.trim().toLowerCase(Locale.ROOT));
                }
            }
            case "server_metadata" -> {
                for (Map.Entry<String, ConfigValue> entry :
                        Values.block(key, value).entries().entrySet()) {
                    options.metadata.put(entry.getKey(), Values.text(entry.getValue()));
                }
            }
            case "feature_flags" -> {
                for (Map.Entry<String, ConfigValue> entry :
                        Values.block(key, value).entries().entrySet()) {
                    options.featureFlags.put(entry.getKey(), Values.flag(entry.getValue()));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean access(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "authorization" -> AuthorizationReader.read(value, options, problems);
            case "accounts" -> AccountsReader.read(value, options, problems);
            case "mappings", "maps" -> options.mappings.addAll(MappingsReader.read(value, problems));
            case "no_auth_user" -> options.noAuthUser = Values.text(value);
            case "system_account", "system" -> options.systemAccount = Values.text(value);
            case "no_system_account", "no_system", "no_sys_acc" -> options.noSystemAccount = Values.flag(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Path path(ConfigValue value) throws ConfigException {
        String text = Values.text(value);
        return text.isEmpty() ? null : Path.of(text);
    }

    /** With a slash in front and none behind. */
    static String basePath(String text) {
        Path normal = Path.of("/" + text).normalize();
        return normal.toString();
    }
}
