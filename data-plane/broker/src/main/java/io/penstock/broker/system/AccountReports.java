package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.AccountRegistry;
import io.penstock.broker.Broker;
import io.penstock.broker.InterestStats;
import io.penstock.broker.Subscription;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.resolver.LoadedAccount;
import io.penstock.broker.sharing.ExportSpec;
import io.penstock.broker.sharing.Resolution;
import io.penstock.broker.sharing.Sharing;
import io.penstock.broker.sharing.SubjectPath;
import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.Subjects;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What monitoring shows of accounts; the same over HTTP and over the system account. Safe from any thread. */
public final class AccountReports {
    private static final int NOT_KNOWN = 500;

    private final Broker broker;
    private final Sharing sharing;
    // Null outside operator mode.
    private final AccountDirectory directory;
    private final AccountConnections connections;
    private final InstantSource clock;

    /** When accounts of the configuration were put into force last. */
    private volatile Instant configured;

    AccountReports(
            Broker broker,
            Sharing sharing,
            AccountDirectory directory,
            AccountConnections connections,
            InstantSource clock) {
        this.broker = broker;
        this.sharing = sharing;
        this.directory = directory;
        this.connections = connections;
        this.clock = clock;
        this.configured = clock.instant();
    }

    /** Accounts of another configuration are in force. */
    public void configuredAnew() {
        configured = clock.instant();
    }

    private static String systemName(AccountRegistry accounts) {
        return accounts.system() == null ? "" : accounts.system().name();
    }

    /** {@code /accountz}: names of all accounts, or the details of one when {@code account} is not empty. */
    public ObjectNode accounts(String account) throws SystemRequestException {
        ObjectNode report = Json.object();
        report.put("server_id", broker.identity().id());
        Json.putTime(report, "now", clock.instant());
        Json.putPresent(report, "system_account", systemName(broker.accounts()));
        if (account.isEmpty()) {
            ArrayNode names = report.putArray("accounts");
            broker.accounts().accounts().stream().map(Account::name).sorted().forEach(names::add);
        } else {
            report.set("account_detail", account(account));
        }
        return report;
    }

    /** Everything about one account. */
    public ObjectNode account(String name) throws SystemRequestException {
        Account account = broker.accounts().find(name);
        if (account == null) {
            throw new SystemRequestException(NOT_KNOWN, "Account " + name + " does not exist");
        }
        LoadedAccount loaded = directory == null ? null : directory.find(name);
        List<Sharing.ImportState> imports = sharing.imports(name);
        ObjectNode detail = Json.object();
        detail.put("account_name", name);
        Json.putTime(detail, "update_time", loaded == null ? configured : loaded.applied());
        if (account.isSystem()) {
            detail.put("is_system", true);
        }
        detail.put("expired", loaded != null && loaded.isExpired(clock.instant()));
        detail.put("complete", imports.stream().noneMatch(one -> one.resolution() instanceof Resolution.Missing));
        detail.put("jetstream_enabled", account.jetStream() != null);
        detail.put("leafnode_connections", 0);
        detail.put("client_connections", account.connectionCount());
        detail.put("subscriptions", account.subscriptionCount());
        putMappings(detail, account.mappings());
        putExports(detail, sharing.exports(name));
        putImports(detail, imports);
        if (loaded == null) {
            detail.put("name_tag", account.publicName());
        } else {
            putClaims(detail, loaded);
        }
        detail.set("sublist_stats", interest(broker.interestStats(name)));
        return detail;
    }

    private static ObjectNode interest(InterestStats stats) {
        ObjectNode node = Json.object();
        node.put("num_subscriptions", stats.subscriptions());
        node.put("num_cache", stats.cached());
        node.put("num_inserts", stats.inserts());
        node.put("num_removes", stats.removes());
        node.put("num_matches", stats.matches());
        node.put("cache_hit_rate", stats.cacheHitRate());
        node.put("max_fanout", stats.maxFanout());
        node.put("avg_fanout", stats.averageFanout());
        return node;
    }

    private static void putMappings(ObjectNode detail, SubjectMappings mappings) {
        if (mappings.isEmpty()) {
            return;
        }
        ObjectNode node = detail.putObject("mappings");
        for (SubjectMappings.Definition definition : mappings.definitions()) {
            ArrayNode destinations = node.putArray(Subjects.toUtf8(definition.source()));
            for (SubjectMappings.Destination destination : definition.destinations()) {
                ObjectNode one = destinations.addObject();
                one.put("subject", Subjects.toUtf8(destination.subject()));
                one.put("weight", destination.weight());
                Json.putPresent(one, "cluster", destination.cluster());
            }
        }
    }

    private static void putExports(ObjectNode detail, List<ExportSpec> exports) {
        if (exports.isEmpty()) {
            return;
        }
        ArrayNode list = detail.putArray("exports");
        for (ExportSpec export : exports) {
            ObjectNode one = list.addObject();
            one.put("subject", Subjects.toUtf8(export.subject()));
            one.put("type", export.kind().name().toLowerCase(Locale.ROOT));
            if (export.tokenRequired()) {
                one.put("token_req", true);
            }
            if (export.accountTokenPosition() > 0) {
                one.put("account_token_position", export.accountTokenPosition());
            }
            if (export.accounts() != null) {
                ArrayNode approved = one.putArray("approved_accounts");
                export.accounts().stream().sorted().forEach(approved::add);
            }
            if (!export.revocations().until().isEmpty()) {
                ObjectNode revoked = one.putObject("revoked_activations");
                export.revocations()
                        .until()
                        .forEach((key, until) ->
                                revoked.put(key, Instant.ofEpochSecond(until).toString()));
            }
        }
    }

    private static void putImports(ObjectNode detail, List<Sharing.ImportState> imports) {
        if (imports.isEmpty()) {
            return;
        }
        ArrayNode list = detail.putArray("imports");
        for (Sharing.ImportState state : imports) {
            ObjectNode one = list.addObject();
            SubjectPath path = state.spec().path();
            one.put("subject", Subjects.toUtf8(path.remote()));
            one.put("account", state.spec().exporter());
            if (!path.local().equals(path.remote())) {
                one.put("local_subject", Subjects.toUtf8(path.local()));
            }
            one.put("type", state.spec().kind().name().toLowerCase(Locale.ROOT));
            one.put("invalid", !(state.resolution() instanceof Resolution.Active));
            one.put("share", state.spec().share());
            if (state.resolution() instanceof Resolution.Refused refused) {
                one.put("invalid_reason", refused.reason());
            }
        }
    }

    private static void putClaims(ObjectNode detail, LoadedAccount loaded) {
        detail.put("jwt", loaded.jwt());
        detail.put("issuer_key", loaded.claims().issuer());
        Json.putPresent(detail, "name_tag", loaded.claims().registered().name());
        if (!loaded.claims().tags().isEmpty()) {
            ArrayNode tags = detail.putArray("tags");
            loaded.claims().tags().forEach(tags::add);
        }
        if (!loaded.claims().revocations().isEmpty()) {
            ObjectNode revoked = detail.putObject("revoked_user");
            loaded.claims()
                    .revocations()
                    .forEach((key, until) ->
                            revoked.put(key, Instant.ofEpochSecond(until).toString()));
        }
    }

    /**
     * {@code /accstatz}.
     *
     * @param names accounts asked for, none for all
     * @param unused whether accounts without connections are shown
     */
    public ObjectNode stats(Collection<String> names, boolean unused) {
        ObjectNode report = Json.object();
        report.put("server_id", broker.identity().id());
        Json.putTime(report, "now", clock.instant());
        ArrayNode list = report.putArray("account_statz");
        for (Account account : broker.accounts().accounts()) {
            boolean wanted = names.isEmpty() || names.contains(account.name());
            if (wanted && (unused || account.connectionCount() > 0)) {
                list.add(figures(account));
            }
        }
        return report;
    }

    /** The body of an account connections event, without its type and id. */
    ObjectNode figures(Account account) {
        TrafficStats traffic = account.traffic();
        ObjectNode node = Json.object();
        node.put("acc", account.name());
        Json.putPresent(node, "name", account.publicName());
        node.put("conns", account.connectionCount());
        node.put("leafnodes", 0);
        node.put("total_conns", account.connectionCount());
        node.put("num_subscriptions", account.subscriptionCount());
        node.set("sent", perLink(traffic.outMessages(), traffic.outBytes()));
        node.set("received", perLink(traffic.inMessages(), traffic.inBytes()));
        node.put("slow_consumers", traffic.slowConsumers());
        return node;
    }

    // Links to other servers do not exist here, so everything came from and went to clients.
    private static ObjectNode perLink(long messages, long bytes) {
        ObjectNode node = Json.counters(messages, bytes);
        node.set("gateways", Json.counters(0, 0));
        node.set("routes", Json.counters(0, 0));
        node.set("leafs", Json.counters(0, 0));
        return node;
    }

    ObjectNode connections(Account account) {
        return connections.event(figures(account));
    }

    /** Subscriptions of connections in an account to exactly this subject and queue, or that match it. */
    int subscribers(Account account, String subject, String queue) {
        int count = 0;
        for (Subscription subscription : account.subscriptions()) {
            if (subscription.connection() == null) {
                continue;
            }
            boolean sameQueue = queue == null ? subscription.queue() == null : queue.equals(subscription.queue());
            if (sameQueue && Subjects.isSubset(subject, subscription.pattern())) {
                count++;
            }
        }
        return count;
    }
}
