package io.penstock.server.config;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.auth.AuthConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Everything a node is told by its configuration file and its flags, defaults filled in.
 *
 * @param configFile the file, or null when there are only flags
 * @param configDigest digest of the file, or empty
 * @param serverName name in INFO and events, or null for the server's id
 * @param tags {@code server_tags}, in lower case
 * @param metadata {@code server_metadata}
 * @param broker listeners and limits of connections
 * @param jetStream JetStream, or null when it is off
 * @param auth accounts and users
 * @param clusterName {@code cluster.name}, or null
 * @param featureFlags {@code feature_flags}, shown in monitoring
 */
public record ServerOptions(
        Path configFile,
        String configDigest,
        String serverName,
        List<String> tags,
        Map<String, String> metadata,
        BrokerOptions broker,
        JetStreamSettings jetStream,
        AuthConfig auth,
        Logging logging,
        Monitoring monitoring,
        Path pidFile,
        Path portsFileDirectory,
        String clusterName,
        Map<String, Boolean> featureFlags) {
    public static final String DEFAULT_HOST = "0.0.0.0";
    public static final int DEFAULT_PORT = 4222;
    /** A port value that asks the operating system for a free one, as files and flags write it. */
    public static final int RANDOM_PORT = -1;

    public ServerOptions {
        tags = List.copyOf(tags);
        metadata = Map.copyOf(metadata);
        featureFlags = Map.copyOf(featureFlags);
    }

    /**
     * The log.
     *
     * @param file log file, or null for standard error
     * @param sizeLimit bytes at which the file is rotated; 0 never
     * @param maxFiles rotated files kept; 0 keeps all
     * @param debug debug lines
     * @param trace protocol lines
     * @param traceSystem protocol lines of the system account too ({@code trace_verbose})
     * @param traceHeaders only the headers of traced messages
     * @param timestamps time at the start of each line; on by default
     * @param utc time in UTC instead of local time
     * @param maxTracedBytes longest text of a traced message; 0 is unlimited
     */
    public record Logging(
            Path file,
            long sizeLimit,
            int maxFiles,
            boolean debug,
            boolean trace,
            boolean traceSystem,
            boolean traceHeaders,
            boolean timestamps,
            boolean utc,
            int maxTracedBytes) {}

    /**
     * Monitoring over HTTP.
     *
     * @param host the client listener's host by default
     * @param port 0 is off, {@link #RANDOM_PORT}
     * @param httpsPort port with the client listener's TLS; 0 is off
     * @param basePath prefix of all paths, {@code /} by default
     */
    public record Monitoring(String host, int port, int httpsPort, String basePath) {}
}
