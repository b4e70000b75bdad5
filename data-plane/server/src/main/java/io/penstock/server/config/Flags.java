package io.penstock.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The command line. Every flag may be written with one dash or two, its value separate or behind {@code =}; a boolean
 * takes its value only behind {@code =}. The last of several wins; what follows the first word that is no flag is not
 * read.
 */
public final class Flags {
    private enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN
    }

    /** Spelling to the name the value is kept under. */
    private static final Map<String, String> NAMES = new HashMap<>();

    private static final Map<String, Kind> KINDS = new HashMap<>();

    static {
        for (String names : List.of(
                "addr a net",
                "name n server_name",
                "client_advertise",
                "user",
                "pass",
                "auth",
                "config c",
                "test_reload",
                "signal sl",
                "pid P",
                "ports_file_dir",
                "log l",
                "remote_syslog r",
                "routes",
                "cluster cluster_listen",
                "cluster_advertise",
                "cluster_name",
                "tlscert",
                "tlskey",
                "tlscacert",
                "store_dir sd")) {
            define(Kind.TEXT, names);
        }
        for (String names : List.of(
                "port p",
                "http_port m",
                "https_port ms",
                "log_size_limit",
                "profile",
                "connect_retries",
                "max_traced_msg_len")) {
            define(Kind.NUMBER, names);
        }
        for (String names : List.of(
                "help h",
                "debug D",
                "trace V",
                "VV",
                "DV",
                "DVV",
                "logtime T",
                "logtime_utc",
                "t",
                "syslog s",
                "version v",
                "no_advertise",
                "help_tls",
                "tls",
                "tlsverify",
                "jetstream js")) {
            define(Kind.BOOLEAN, names);
        }
    }

    private static void define(Kind kind, String names) {
        String[] spellings = names.split(" ");
        for (String spelling : spellings) {
            NAMES.put(spelling, spellings[0]);
        }
        KINDS.put(spellings[0], kind);
    }

    /** A command line that cannot be understood. The message is for the user; the process ends with code 2. */
    public static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    /** Values by name, in the order first given. */
    private final Map<String, String> values;

    private final List<String> words;

    private Flags(Map<String, String> values, List<String> words) {
        this.values = values;
        this.words = words;
    }

    public static Flags parse(List<String> arguments) throws UsageException {
        Map<String, String> values = new LinkedHashMap<>();
        int at = 0;
        while (at < arguments.size()) {
            String argument = arguments.get(at);
            if (argument.length() < 2 || argument.charAt(0) != '-') {
                break;
            }
            at++;
            if (argument.equals("--")) {
                break;
            }
            String body = argument.substring(argument.charAt(1) == '-' ? 2 : 1);
            int equals = body.indexOf('=');
            String spelling = equals < 0 ? body : body.substring(0, equals);
            if (spelling.isEmpty() || spelling.startsWith("-")) {
                throw new UsageException("bad flag syntax: " + argument);
            }
            String name = NAMES.get(spelling);
            if (name == null) {
                throw new UsageException("flag provided but not defined: -" + spelling);
            }
            String value = equals < 0 ? null : body.substring(equals + 1);
            if (value == null && KINDS.get(name) == Kind.BOOLEAN) {
                value = "true";
            } else if (value == null) {
                if (at == arguments.size()) {
                    throw new UsageException("flag needs an argument: -" + spelling);
                }
                value = arguments.get(at++);
            }
            values.put(name, checked(name, spelling, value));
        }
        return new Flags(values, new ArrayList<>(arguments.subList(at, arguments.size())));
    }

    private static String checked(String name, String spelling, String value) throws UsageException {
        switch (KINDS.get(name)) {
            case TEXT -> {
                return value;
            }
            case NUMBER -> {
                try {
                    return Long.toString(Long.parseLong(value));
                } catch (NumberFormatException e) {
                    throw new UsageException("invalid value \"" + value + "\" for flag -" + spelling + ": parse error");
                }
            }
            default -> {
                if (name.equals("tlsverify") && value.equalsIgnoreCase("optional")) {
                    return "optional";
                }
                return switch (value) {
                    case "1", "t", "T", "true", "TRUE", "True" -> "true";
                    case "0", "f", "F", "false", "FALSE", "False" -> "false";
                    default ->
                        throw new UsageException(
                                "invalid boolean value \"" + value + "\" for -" + spelling + ": parse error");
                };
            }
        }
    }

    private boolean isOn(String name) {
        return "true".equals(values.get(name));
    }

    private String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** What the process is asked to do instead of serving. */
    public enum Request {
        SERVE,
        VERSION,
        HELP,
        TLS_HELP,
        SIGNAL,
        CHECK
    }

    /** What to do. Throws when a word that is no flag is none of {@code version} and {@code help} either. */
    public Request request() throws ConfigException {
        if (isOn("version")) {
            return Request.VERSION;
        }
        if (isOn("help")) {
            return Request.HELP;
        }
        if (isOn("help_tls")) {
            return Request.TLS_HELP;
        }
        if (!words.isEmpty()) {
            return switch (words.getFirst().toLowerCase(Locale.ROOT)) {
                case "version" -> Request.VERSION;
                case "help" -> Request.HELP;
                default -> throw new ConfigException(null, "unrecognized command: \"" + words.getFirst() + "\"");
            };
        }
        if (!signal().isEmpty()) {
            return Request.SIGNAL;
        }
        if (!text("test_reload").isEmpty() && !isOn("t")) {
            throw new ConfigException(null, "--test_reload can only be used together with -t");
        }
        if (isOn("t") && configFile().isEmpty()) {
            throw new ConfigException(null, "must specify [-c, --config] option to check configuration file syntax");
        }
        return isOn("t") ? Request.CHECK : Request.SERVE;
    }

    /** {@code --config}, or empty. */
    public String configFile() {
        return text("config");
    }

    /** {@code --signal}: a command, or a command, {@code =} and a pid or pid file; or empty. */
    public String signal() {
        return text("signal");
    }

    /** {@code --test_reload}: the file a reload is to be tested with, or empty. */
    public String reloadCandidate() {
        return text("test_reload");
    }

    String storeDirectory() {
        return text("store_dir");
    }

    /** The same flags with another configuration file. */
    public Flags withConfigFile(String file) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put("config", file);
        return new Flags(changed, words);
    }

    void applyTo(OptionsDraft draft) throws ConfigException {
        for (Map.Entry<String, String> entry : values.entrySet()) {
            apply(entry.getKey(), entry.getValue(), draft);
        }
        cluster(draft);
        tls(draft);
        refuseUnavailable();
    }

    private static void apply(String name, String value, OptionsDraft draft) {
        boolean on = value.equals("true");
        switch (name) {
            case "addr" -> draft.host = value;
            case "port" -> draft.port = (int) Long.parseLong(value);
            case "name" -> draft.serverName = value;
            case "client_advertise" -> draft.clientAdvertise = value;
            case "http_port" -> draft.httpPort = (int) Long.parseLong(value);
            case "https_port" -> draft.httpsPort = (int) Long.parseLong(value);
            case "pid" -> draft.pidFile = path(value);
            case "ports_file_dir" -> draft.portsFileDirectory = path(value);
            case "user" -> draft.user = value.isEmpty() ? null : value;
            case "pass" -> draft.password = value.isEmpty() ? null : value;
            case "auth" -> draft.token = value.isEmpty() ? null : value;
            // Only turns JetStream on: a file's own block stays as it is.
            case "jetstream" -> draft.jetStream = on;
            case "store_dir" -> draft.storeDirectory = path(value);
            case "cluster_name" -> draft.clusterName = value.isEmpty() ? null : value;
            case "no_advertise" -> draft.cluster.noAdvertise = on;
            case "connect_retries" -> draft.cluster.connectRetries = (int) Long.parseLong(value);
            case "cluster_advertise" -> draft.cluster.advertise = value.isEmpty() ? null : value;
            default -> applyLogging(name, value, draft);
        }
    }

    private static void applyLogging(String name, String value, OptionsDraft draft) {
        boolean on = value.equals("true");
        switch (name) {
            case "log" -> draft.logFile = path(value);
            case "log_size_limit" -> draft.logSizeLimit = Long.parseLong(value);
            case "max_traced_msg_len" -> draft.maxTracedMessage = (int) Long.parseLong(value);
            case "logtime" -> draft.logTime = on;
            case "logtime_utc" -> draft.logTimeUtc = on;
            case "debug" -> draft.debug = on;
            case "trace" -> draft.trace = on;
            case "DV" -> {
                draft.debug = on;
                draft.trace = on;
            }
            case "VV" -> {
                draft.trace = on;
                draft.traceVerbose = on;
            }
            case "DVV" -> {
                draft.debug = on;
                draft.trace = on;
                draft.traceVerbose = on;
            }
            default -> {
                // Read elsewhere: TLS, the configuration file, requests, and what is refused.
            }
        }
    }

    private void cluster(OptionsDraft draft) throws ConfigException {
        if (!text("cluster").isEmpty()) {
            ClusterReader.listenFlag(text("cluster"), draft.cluster);
        }
        if (!text("routes").isEmpty()) {
            draft.cluster.routes = ClusterReader.routesFlag(text("routes"));
        }
    }

    private void tls(OptionsDraft draft) throws ConfigException {
        if ("false".equals(values.get("tls"))) {
            draft.tls = null;
            return;
        }
        boolean asked = isOn("tls") || values.keySet().stream().anyMatch(name -> name.startsWith("tls"));
        if (asked) {
            String verify = text("tlsverify");
            draft.tls = TlsReader.ofFlags(
                    text("tlscert"),
                    text("tlskey"),
                    text("tlscacert"),
                    verify.equals("true"),
                    verify.equals("optional"));
        }
    }

    private void refuseUnavailable() throws ConfigException {
        if (isOn("syslog") || !text("remote_syslog").isEmpty()) {
            throw new ConfigException(
                    null, "--syslog: logging to syslog is not available in this version; use --log FILE");
        }
        if (!text("profile").isEmpty() && !text("profile").equals("0")) {
            throw new ConfigException(null, "--profile: a profiling port is not available in this version");
        }
    }

    private static Path path(String value) {
        return value.isEmpty() ? null : Path.of(value);
    }
}
