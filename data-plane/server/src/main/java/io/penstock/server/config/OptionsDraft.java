package io.penstock.server.config;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.TlsOptions;
import io.penstock.broker.WebSocketOptions;
import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthorizationConfig;
import io.penstock.broker.auth.OperatorConfig;
import io.penstock.broker.auth.PermissionsConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.sharing.MappingConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Options while file and flags are read; null or 0 where nobody has said anything yet. */
final class OptionsDraft {
    Path configFile;
    String configDigest = "";
    String serverName;
    final List<String> tags = new ArrayList<>();
    final Map<String, String> metadata = new LinkedHashMap<>();
    final Map<String, Boolean> featureFlags = new LinkedHashMap<>();
    String clusterName;
    final ClusterReader.Draft cluster = new ClusterReader.Draft();

    String host;
    int port;
    String clientAdvertise;
    TlsOptions tls;
    boolean mapTlsCertificates;
    boolean allowNonTls;
    WebSocketOptions webSocket;

    int maxConnections;
    int maxSubscriptions;
    int maxSubscriptionTokens;
    int maxControlLine;
    int maxPayload;
    long maxPending;
    Duration pingInterval;
    int pingMax;
    Duration writeDeadline;
    int maxClosedClients;
    boolean noHeaders;
    boolean noStall;

    boolean jetStream;
    Path storeDirectory;
    final JetStreamReader.Draft jetStreamDraft = new JetStreamReader.Draft();

    String user;
    String password;
    String token;
    /** Users of the {@code authorization} block; null without such a list. */
    List<UserConfig> users;

    PermissionsConfig defaultPermissions;
    Duration authTimeout;
    final List<AccountConfig> accounts = new ArrayList<>();
    final List<MappingConfig> mappings = new ArrayList<>();
    String noAuthUser;
    String systemAccount;
    boolean noSystemAccount;

    final List<String> operatorJwts = new ArrayList<>();
    final List<String> trustedKeys = new ArrayList<>();
    ResolverConfig resolver;
    final Map<String, String> preload = new LinkedHashMap<>();
    final List<String> pinnedAccounts = new ArrayList<>();
    String defaultSentinel;

    Path logFile;
    long logSizeLimit;
    int logMaxFiles;
    boolean debug;
    boolean trace;
    boolean traceVerbose;
    boolean traceHeaders;
    boolean logTime = true;
    boolean logTimeUtc;
    int maxTracedMessage;

    String httpHost;
    int httpPort;
    int httpsPort;
    String httpBasePath = "/";

    Duration lameDuckDuration;
    Duration lameDuckGrace;
    Path pidFile;
    Path portsFileDirectory;

    ServerOptions build() {
        String listenHost = Objects.requireNonNullElse(emptyToNull(host), ServerOptions.DEFAULT_HOST);
        return new ServerOptions(
                configFile,
                configDigest,
                serverName,
                tags,
                metadata,
                broker(listenHost),
                jetStream ? jetStreamDraft.build(storeDirectory) : null,
                auth(),
                new ServerOptions.Logging(
                        logFile,
                        logSizeLimit,
                        logMaxFiles,
                        debug,
                        trace,
                        traceVerbose,
                        traceHeaders,
                        logTime,
                        logTimeUtc,
                        maxTracedMessage),
                new ServerOptions.Monitoring(
                        Objects.requireNonNullElse(emptyToNull(httpHost), listenHost),
                        httpPort,
                        httpsPort,
                        httpBasePath),
                pidFile,
                portsFileDirectory,
                clusterName,
                featureFlags);
    }

    private BrokerOptions broker(String listenHost) {
        BrokerOptions.Builder builder = BrokerOptions.builder()
                .host(listenHost)
                .port(port == ServerOptions.RANDOM_PORT ? 0 : orDefault(port, ServerOptions.DEFAULT_PORT))
                .clientAdvertise(clientAdvertise)
                .tls(tls)
                .allowNonTls(allowNonTls)
                .webSocket(webSocket)
                .jetStream(jetStream)
                .cluster(cluster.build(
                        listenHost, orDefault(pingInterval, Duration.ofMinutes(2)), orDefault(pingMax, 2)))
                .tags(tags)
                .metadata(metadata)
                .headers(!noHeaders)
                .noFastProducerStall(noStall)
                .maxConnections(orDefault(maxConnections, 65_536))
                .maxSubscriptions(Math.max(maxSubscriptions, 0))
                .maxSubscriptionTokens(maxSubscriptionTokens)
                .maxControlLine(orDefault(maxControlLine, 4_096))
                .maxPayload(orDefault(maxPayload, 1 << 20))
                .maxPending(maxPending == 0 ? 64L << 20 : maxPending)
                .maxClosedClients(orDefault(maxClosedClients, 10_000))
                .pingInterval(orDefault(pingInterval, Duration.ofMinutes(2)))
                .pingMax(orDefault(pingMax, 2))
                .writeDeadline(orDefault(writeDeadline, Duration.ofSeconds(10)))
                .lameDuckDuration(orDefault(lameDuckDuration, Duration.ofMinutes(2)))
                .lameDuckGrace(orDefault(lameDuckGrace, Duration.ofSeconds(10)));
        if (authTimeout != null) {
            builder.authTimeout(authTimeout);
        }
        return builder.build();
    }

    private AuthConfig auth() {
        AuthorizationConfig authorization = new AuthorizationConfig(
                user,
                password,
                token,
                users == null ? List.of() : users,
                users == null ? defaultPermissions : null,
                defaultPermissions,
                authTimeout,
                mapTlsCertificates);
        return new AuthConfig(
                authorization, accounts, mappings, noAuthUser, systemAccount, noSystemAccount, operator());
    }

    boolean hasOperator() {
        return !operatorJwts.isEmpty() || !trustedKeys.isEmpty();
    }

    private OperatorConfig operator() {
        if (!hasOperator()) {
            return null;
        }
        return new OperatorConfig(operatorJwts, trustedKeys, resolver, preload, pinnedAccounts, defaultSentinel);
    }

    private static int orDefault(int value, int otherwise) {
        return value == 0 ? otherwise : value;
    }

    private static Duration orDefault(Duration value, Duration otherwise) {
        return value == null || value.isZero() ? otherwise : value;
    }

    private static String emptyToNull(String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
