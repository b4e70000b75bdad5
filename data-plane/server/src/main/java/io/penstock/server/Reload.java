package io.penstock.server;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.WebSocketOptions;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.OperatorConfig;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.server.config.ConfigException;
import io.penstock.server.config.Durations;
import io.penstock.server.config.JetStreamSettings;
import io.penstock.server.config.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * What changes between two configurations of a running server. There is only such a value when every change can be made
 * while running: one that cannot refuses the whole reload.
 *
 * @param changes lines for the log, {@code Reloaded: …} without the first word
 * @param auth whether accounts, users or trust changed
 */
record Reload(List<String> changes, boolean auth) {
    private static final String REFUSED = "config reload not supported for ";

    /** A setting that needs a restart. */
    private record Fixed(String name, Function<ServerOptions, Object> value) {}

    private static final List<Fixed> FIXED = List.of(
            new Fixed("Host", options -> options.broker().host()),
            new Fixed("Port", options -> options.broker().port()),
            new Fixed("ServerName", ServerOptions::serverName),
            new Fixed("HTTPHost", options -> options.monitoring().host()),
            new Fixed("HTTPPort", options -> options.monitoring().port()),
            new Fixed("HTTPSPort", options -> options.monitoring().httpsPort()),
            new Fixed("HTTPBasePath", options -> options.monitoring().basePath()),
            new Fixed("MaxPending", options -> options.broker().maxPending()),
            new Fixed("MaxSubs", options -> options.broker().maxSubscriptions()),
            new Fixed("MaxSubTokens", options -> options.broker().maxSubscriptionTokens()),
            new Fixed("MaxClosedClients", options -> options.broker().maxClosedClients()),
            new Fixed("NoHeaderSupport", options -> !options.broker().headers()),
            new Fixed("AllowNonTLS", options -> options.broker().allowNonTls()),
            new Fixed(
                    "LameDuckDuration",
                    options -> Durations.format(options.broker().lameDuckDuration())),
            new Fixed(
                    "LameDuckGracePeriod",
                    options -> Durations.format(options.broker().lameDuckGrace())),
            new Fixed("Cluster.Host", options -> clustered(options, ClusterOptions::host)),
            new Fixed("Cluster.Port", options -> clustered(options, ClusterOptions::port)),
            new Fixed("Cluster.PoolSize", options -> clustered(options, ClusterOptions::poolSize)),
            new Fixed("Cluster.Accounts", options -> clustered(options, ClusterOptions::accounts)),
            new Fixed("Cluster.PeerListen", options -> clustered(options, ClusterOptions::peerListen)),
            new Fixed("FeatureFlags", ServerOptions::featureFlags),
            new Fixed("Cluster.Name", ServerOptions::clusterName),
            new Fixed("NoSystemAccount", options -> options.auth().systemAccountDisabled()));

    private static Object clustered(ServerOptions options, Function<ClusterOptions, Object> value) {
        ClusterOptions cluster = options.broker().cluster();
        return cluster == null ? "none" : value.apply(cluster);
    }

    /** Compares two configurations. Throws when one of the differences needs a restart. */
    static Reload between(ServerOptions old, ServerOptions next) throws ConfigException {
        for (Fixed fixed : FIXED) {
            requireSame(fixed.name(), fixed.value().apply(old), fixed.value().apply(next));
        }
        requireSame(
                "Websocket",
                withoutTls(old.broker().webSocket()),
                withoutTls(next.broker().webSocket()));
        requireTrustKept(old.auth(), next.auth());
        requireStoreKept(old.jetStream(), next.jetStream());
        if ((old.broker().tls() == null) != (next.broker().tls() == null)
                && old.broker().webSocket() != null
                && old.broker().webSocket().tls() != null) {
            requireSame("TLSConfig", old.broker().tls(), next.broker().tls());
        }
        List<String> changes = new ArrayList<>();
        logging(old.logging(), next.logging(), changes);
        limits(old.broker(), next.broker(), changes);
        cluster(old.broker().cluster(), next.broker().cluster(), changes);
        files(old, next, changes);
        boolean auth = auth(old.auth(), next.auth(), changes);
        return new Reload(List.copyOf(changes), auth);
    }

    private static void requireSame(String name, Object old, Object next) throws ConfigException {
        if (!Objects.equals(old, next)) {
            throw new ConfigException(null, REFUSED + name + ": old=" + shown(old) + ", new=" + shown(next));
        }
    }

    private static String shown(Object value) {
        return value == null ? "" : value.toString();
    }

    /** Certificates are read anew at each reload; the rest of the listener stays. */
    private static List<Object> withoutTls(WebSocketOptions options) {
        if (options == null) {
            return List.of();
        }
        return List.of(
                options.host(),
                options.port(),
                shown(options.advertise()),
                options.tls() == null ? "no_tls" : "tls",
                options.sameOrigin(),
                options.allowedOrigins(),
                options.handshakeTimeout(),
                options.compression(),
                shown(options.jwtCookie()),
                shown(options.userCookie()),
                shown(options.passCookie()),
                shown(options.tokenCookie()),
                options.headers(),
                shown(options.noAuthUser()),
                shown(options.pingInterval()),
                shown(options.authTimeout()));
    }

    private static void requireTrustKept(AuthConfig old, AuthConfig next) throws ConfigException {
        OperatorConfig oldTrust = old.operator();
        OperatorConfig newTrust = next.operator();
        if ((oldTrust == null) != (newTrust == null)) {
            throw new ConfigException(null, REFUSED + "moving to or from an account resolver");
        }
        if (oldTrust != null) {
            requireSame("TrustedOperators", oldTrust.operatorJwts(), newTrust.operatorJwts());
            requireSame("TrustedKeys", oldTrust.trustedKeys(), newTrust.trustedKeys());
            if (!Objects.equals(oldTrust.resolver(), newTrust.resolver())) {
                throw new ConfigException(null, REFUSED + "AccountResolver: the resolver's own settings");
            }
        }
        boolean wasImplicit = old.systemAccount() == null || old.systemAccount().isEmpty();
        if (!wasImplicit) {
            requireSame("SystemAccount", old.systemAccount(), next.systemAccount());
        }
        // A default user may go, but only together with the user itself; a new one would let strangers in unnoticed.
        boolean hadNone = old.noAuthUser() == null || old.noAuthUser().isEmpty();
        boolean hasNone = next.noAuthUser() == null || next.noAuthUser().isEmpty();
        if (hadNone || !hasNone || hasUser(next, old.noAuthUser())) {
            requireSame("NoAuthUser", old.noAuthUser(), next.noAuthUser());
        }
    }

    private static boolean hasUser(AuthConfig auth, String name) {
        return auth.authorization().users().stream().anyMatch(user -> name.equals(user.user()))
                || auth.accounts().stream()
                        .anyMatch(account -> account.users().stream().anyMatch(user -> name.equals(user.user())));
    }

    private static void requireStoreKept(JetStreamSettings old, JetStreamSettings next) throws ConfigException {
        if (old == null || next == null) {
            requireSame("JetStream", old != null, next != null);
            return;
        }
        if (!Objects.equals(old.storeDirectory(), next.storeDirectory())) {
            throw new ConfigException(null, REFUSED + "jetstream storage directory");
        }
        if ((old.maxMemory() < 0) != (next.maxMemory() < 0) || (old.maxStorage() < 0) != (next.maxStorage() < 0)) {
            throw new ConfigException(null, REFUSED + "jetstream dynamic max memory and store");
        }
        if (next.maxMemory() < old.maxMemory() || next.maxStorage() < old.maxStorage()) {
            throw new ConfigException(null, REFUSED + "decreasing jetstream max memory and store");
        }
        requireSame("JetStreamMaxMemory", old.maxMemory(), next.maxMemory());
        requireSame("JetStreamMaxStore", old.maxStorage(), next.maxStorage());
        requireSame("JetStreamDomain", old.domain(), next.domain());
        requireSame("JetStreamUniqueTag", old.uniqueTag(), next.uniqueTag());
        requireSame("NoJetStreamStrict", !old.strict(), !next.strict());
        requireSame("SyncAlways", old.syncAlways(), next.syncAlways());
        requireSame("SyncInterval", Durations.format(old.syncInterval()), Durations.format(next.syncInterval()));
        requireSame("JetStreamLimits", old.limits(), next.limits());
        requireSame("JetStreamLimits", old.batches(), next.batches());
        requireSame("JetStreamRequestQueueLimit", old.queues(), next.queues());
    }

    private static void logging(ServerOptions.Logging old, ServerOptions.Logging next, List<String> changes) {
        changed("debug", old.debug(), next.debug(), changes);
        changed("trace", old.trace(), next.trace(), changes);
        changed("trace_verbose", old.traceSystem(), next.traceSystem(), changes);
        changed("trace_headers", old.traceHeaders(), next.traceHeaders(), changes);
        changed("logtime", old.timestamps(), next.timestamps(), changes);
        changed("logtime_utc", old.utc(), next.utc(), changes);
        changed("log_file", shown(old.file()), shown(next.file()), changes);
        changed("log_size_limit", old.sizeLimit(), next.sizeLimit(), changes);
        changed("log_max_num", old.maxFiles(), next.maxFiles(), changes);
        changed("max_traced_msg_len", old.maxTracedBytes(), next.maxTracedBytes(), changes);
    }

    private static void limits(BrokerOptions old, BrokerOptions next, List<String> changes) {
        changed("max_connections", old.maxConnections(), next.maxConnections(), changes);
        changed("max_payload", old.maxPayload(), next.maxPayload(), changes);
        changed("max_control_line", old.maxControlLine(), next.maxControlLine(), changes);
        changed("ping_interval", Durations.format(old.pingInterval()), Durations.format(next.pingInterval()), changes);
        changed("ping_max", old.pingMax(), next.pingMax(), changes);
        changed(
                "write_deadline",
                Durations.format(old.writeDeadline()),
                Durations.format(next.writeDeadline()),
                changes);
        changed("client_advertise", shown(old.clientAdvertise()), shown(next.clientAdvertise()), changes);
        changed(
                "authorization timeout",
                Durations.format(old.authTimeout()),
                Durations.format(next.authTimeout()),
                changes);
        if (old.noFastProducerStall() != next.noFastProducerStall()) {
            changes.add("fast producers will " + (next.noFastProducerStall() ? "not " : "") + "be stalled");
        }
        // Files behind the names may have changed, so TLS is read anew whenever there is any.
        if (old.tls() != null || next.tls() != null) {
            changes.add("tls = " + (next.tls() == null ? "disabled" : "enabled"));
        }
    }

    private static void cluster(ClusterOptions old, ClusterOptions next, List<String> changes) {
        if (old == null || next == null) {
            return;
        }
        changed("routes", old.routes(), next.routes(), changes);
        changed("cluster no_advertise", old.noAdvertise(), next.noAdvertise(), changes);
        changed("cluster advertise", shown(old.advertise()), shown(next.advertise()), changes);
        changed(
                "cluster compression",
                old.compression().text(),
                next.compression().text(),
                changes);
        if (!Objects.equals(old.user(), next.user()) || !Objects.equals(old.password(), next.password())) {
            changes.add("cluster authorization");
        }
        if (old.tls() != null || next.tls() != null) {
            changes.add("cluster tls = " + (next.tls() == null ? "disabled" : "enabled"));
        }
    }

    private static void files(ServerOptions old, ServerOptions next, List<String> changes) {
        changed("pid_file", shown(old.pidFile()), shown(next.pidFile()), changes);
        changed("ports_file_dir", shown(old.portsFileDirectory()), shown(next.portsFileDirectory()), changes);
        if (!old.tags().equals(next.tags())) {
            changes.add("tags");
        }
        if (!old.metadata().equals(next.metadata())) {
            changes.add("metadata");
        }
    }

    private static boolean auth(AuthConfig old, AuthConfig next, List<String> changes) {
        if (old.equals(next)) {
            // Named at every reload that knows users or accounts: tools wait for this line.
            if (!next.accounts().isEmpty() || next.operator() != null) {
                changes.add("accounts");
            }
            return false;
        }
        if (!Objects.equals(old.authorization(), next.authorization())) {
            changes.add("authorization users");
        }
        changes.add("accounts");
        return true;
    }

    private static void changed(String name, Object old, Object next, List<String> changes) {
        if (!Objects.equals(old, next)) {
            changes.add(name + " = " + next);
        }
    }
}
