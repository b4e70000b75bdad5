package io.penstock.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Broker;
import io.penstock.broker.ServerIdentity;
import io.penstock.jetstream.BatchLimits;
import io.penstock.jetstream.JetStream;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.JetStreamStats;
import io.penstock.jetstream.StorageFigures;
import io.penstock.jetstream.cluster.ClusterReports;
import io.penstock.protocol.jetstream.ClusterInfo;
import io.penstock.protocol.jetstream.ConsumerInfo;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.server.config.JetStreamSettings;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.json.Nodes;
import io.penstock.server.log.ServerLog;
import io.penstock.server.monitor.JetStreamSource;
import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.EncryptedDisk;
import io.penstock.storage.disk.StoreKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** JetStream of this node, and what monitoring shows of it. */
final class JetStreamPart implements JetStreamSource {
    private final JetStream jetStream;
    private final JetStreamSettings settings;

    /** What makes this node a member of a cluster; null on a node alone. */
    private final ClusterPart cluster;

    private JetStreamPart(JetStream jetStream, JetStreamSettings settings, ClusterPart cluster) {
        this.jetStream = jetStream;
        this.settings = settings;
        this.cluster = cluster;
    }

    /**
     * Opens the store and recovers all streams.
     *
     * @param accounts hears of accounts in use on other nodes of the cluster
     */
    static JetStreamPart start(Broker broker, ServerIdentity identity, ServerOptions options, Consumer<String> accounts)
            throws Node.FatalException {
        ServerLog log = ServerLog.get();
        Instant begun = Instant.now();
        log.info("Starting JetStream");
        JetStreamOptions plain = options(identity, options);
        StoreKeys keys = options.jetStream().encryption().keys(new SecureRandom());
        describe(log, plain, keys);
        try {
            Files.createDirectories(plain.storeDirectory());
            Disk disk = EncryptedDisk.of(plain.disk(), plain.storeDirectory(), keys);
            JetStreamOptions own = plain.toBuilder()
                    .disk(disk)
                    .systemAccount(broker.accounts().system().name())
                    .build();
            ClusterPart cluster =
                    ClusterPart.open(broker, options, identity.name(), disk, own.storeDirectory(), accounts);
            JetStream started = JetStream.start(own, cluster, broker.accounts()::addListener);
            if (cluster != null) {
                cluster.begin();
            }
            log.info("Took " + Duration.between(begun, Instant.now()).toMillis() + "ms to start JetStream");
            long stored = started.stats().storage();
            if (own.maxStorage() >= 0 && stored > own.maxStorage()) {
                log.warn("Streams hold " + size(stored) + ", more than the limit of " + size(own.maxStorage())
                        + ": they are served, and take no more messages until there is room below it");
            }
            return new JetStreamPart(started, options.jetStream(), cluster);
        } catch (IOException e) {
            throw new Node.FatalException("Can't start JetStream: the storage directory " + plain.storeDirectory()
                    + " cannot be made: " + e.getMessage());
        } catch (StorageException e) {
            throw new Node.FatalException("Can't start JetStream: " + e.getMessage());
        }
    }

    private static void describe(ServerLog log, JetStreamOptions options, StoreKeys keys) {
        log.info("---------------- JETSTREAM ----------------");
        log.info("  Strict:          " + options.strict());
        log.info("  Max Memory:      " + size(options.maxMemory()));
        log.info("  Max Storage:     " + size(options.maxStorage()));
        log.info("  Store Directory: \"" + options.storeDirectory() + "\"");
        log.info("  Sync:            "
                + (options.syncAlways()
                        ? "before each acknowledgement"
                        : "every " + Duration.ofNanos(options.syncIntervalNanos())));
        if (keys != null) {
            log.info("  Encryption:      " + keys.cipher());
        }
        if (!options.domain().isEmpty()) {
            log.info("  Domain:          " + options.domain());
        }
        log.info("  API Level:       " + ServerIdentity.API_LEVEL);
        log.info("-------------------------------------------");
    }

    private static String size(long bytes) {
        if (bytes < 0) {
            return "unlimited";
        }
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < 4) {
            value /= 1024;
            unit++;
        }
        return Math.round(value * 100) / 100.0 + " " + new String[] {"B", "KB", "MB", "GB", "TB"}[unit];
    }

    private static JetStreamOptions options(ServerIdentity identity, ServerOptions options) {
        JetStreamSettings settings = options.jetStream();
        Path parent = settings.storeDirectory() == null
                ? Path.of(System.getProperty("java.io.tmpdir"), "nats")
                : settings.storeDirectory();
        Path directory = parent.resolve("jetstream");
        return JetStreamOptions.builder(directory, identity.name())
                .domain(settings.domain() == null ? "" : settings.domain())
                .syncAlways(settings.syncAlways())
                .syncIntervalNanos(Math.max(settings.syncInterval().toNanos(), 1))
                .maxMemory(settings.maxMemory() >= 0 ? settings.maxMemory() : memoryOfMachine())
                .maxStorage(settings.maxStorage() >= 0 ? settings.maxStorage() : StoreRoom.share(parent))
                .strict(settings.strict())
                .duplicateWindow(settings.limits().duplicateWindow().toNanos())
                .maxAckPending(settings.limits().maxAckPending())
                .maxRequestBatch(settings.limits().maxRequestBatch())
                .defaultMaxConsumers(settings.limits().defaultMaxConsumers())
                .requestQueueLimit((int) settings.queues().requests())
                .infoQueueLimit((int) settings.queues().infoRequests())
                .ingestMessages(settings.queues().bufferedMessages())
                .ingestBytes(settings.queues().bufferedBytes())
                .maxPending(options.broker().maxPending())
                .batches(batches(settings.batches()))
                .clusterName(options.broker().cluster() == null ? "" : options.clusterName())
                .build();
    }

    private static BatchLimits batches(JetStreamSettings.Batches settings) {
        BatchLimits standard = BatchLimits.DEFAULT;
        return BatchLimits.of(
                settings.maxMessages() > 0 ? settings.maxMessages() : standard.maxMessages(),
                settings.inflightPerStream() > 0 ? settings.inflightPerStream() : standard.perStream(),
                settings.inflightTotal() > 0 ? settings.inflightTotal() : standard.total(),
                settings.timeout().isZero()
                        ? standard.timeoutNanos()
                        : settings.timeout().toNanos());
    }

    /** Memory streams live in the Java heap. */
    private static long memoryOfMachine() {
        return (long) (Runtime.getRuntime().maxMemory() * StoreRoom.SHARE);
    }

    /** Accounts that have streams here, whether or not they are in use. */
    List<String> storedAccounts() {
        return jetStream.storedAccounts();
    }

    void stop() {
        handOver();
        jetStream.close();
        if (cluster != null) {
            cluster.close();
        }
    }

    /** In a cluster, lets others lead what this node leads. */
    void handOver() {
        if (cluster != null) {
            cluster.handOver();
        }
    }

    @Override
    public String problem() {
        String problem = jetStream.problem();
        return problem != null || cluster == null
                ? problem
                : cluster.ask(ClusterReports::problem, "JetStream gives no answer");
    }

    @Override
    public ObjectNode raft(String group) {
        ObjectNode page = Nodes.object();
        if (cluster != null) {
            String account = cluster.systemAccount();
            ObjectNode groups = cluster.ask(reports -> reports.raft(account, group), Nodes.object());
            if (!groups.isEmpty()) {
                page.set(account, groups);
            }
        }
        return page;
    }

    @Override
    public boolean leadsMetadata() {
        return cluster == null || cluster.ask(ClusterReports::leadsMeta, false);
    }

    /** In a cluster, what counts is what lies on this node, led here or not. */
    private JetStreamStats here(JetStreamStats led) {
        if (cluster == null) {
            return led;
        }
        ClusterReports.Hosted hosted = cluster.ask(ClusterReports::hosted, ClusterReports.Hosted.NONE);
        return new JetStreamStats(
                hosted.memory(),
                hosted.storage(),
                led.reservedMemory(),
                led.reservedStorage(),
                Math.toIntExact(hosted.streams()),
                Math.toIntExact(hosted.consumers()),
                hosted.messages(),
                hosted.bytes(),
                led.apiTotal(),
                led.apiErrors(),
                led.apiWaiting(),
                led.accounts());
    }

    private int haAssets() {
        return cluster == null
                ? 0
                : cluster.ask(ClusterReports::hosted, ClusterReports.Hosted.NONE)
                        .haAssets();
    }

    private void meta(ObjectNode page, String field) {
        if (cluster != null) {
            ObjectNode meta = cluster.ask(ClusterReports::meta, null);
            if (meta != null) {
                page.set(field, meta);
            }
        }
    }

    @Override
    public ObjectNode varz() {
        JetStreamStats stats = here(jetStream.sums());
        ObjectNode block = Nodes.object();
        block.set("config", config());
        block.set("stats", figures(stats));
        meta(block, "meta");
        block.set("limits", limits());
        return block;
    }

    private ObjectNode config() {
        JetStreamOptions options = jetStream.options();
        ObjectNode node = Nodes.object();
        node.put("max_memory", options.maxMemory());
        node.put("max_storage", options.maxStorage());
        node.put("store_dir", options.storeDirectory().toString());
        node.put("sync_interval", options.syncIntervalNanos());
        Nodes.flagIfSet(node, "sync_always", options.syncAlways());
        Nodes.textIfAny(node, "domain", options.domain());
        node.put("compress_ok", true);
        Nodes.textIfAny(node, "unique_tag", settings.uniqueTag());
        Nodes.flagIfSet(node, "strict", options.strict());
        return node;
    }

    private ObjectNode limits() {
        ObjectNode node = Nodes.object();
        Nodes.numberIfAny(node, "max_request_batch", settings.limits().maxRequestBatch());
        Nodes.numberIfAny(node, "max_ack_pending", settings.limits().maxAckPending());
        Nodes.numberIfAny(node, "max_ha_assets", settings.limits().maxHaAssets());
        Nodes.numberIfAny(
                node,
                "max_duplicate_window",
                settings.limits().duplicateWindow().toNanos());
        JetStreamSettings.Batches batches = settings.batches();
        Nodes.numberIfAny(node, "max_batch_inflight_per_stream", batches.inflightPerStream());
        Nodes.numberIfAny(node, "max_batch_inflight_total", batches.inflightTotal());
        Nodes.numberIfAny(node, "max_batch_size", batches.maxMessages());
        Nodes.numberIfAny(node, "max_batch_timeout", batches.timeout().toNanos());
        Nodes.numberIfAny(node, "default_max_consumers", settings.limits().defaultMaxConsumers());
        return node;
    }

    private ObjectNode figures(JetStreamStats stats) {
        ObjectNode node = Nodes.object();
        node.put("memory", stats.memory());
        node.put("storage", stats.storage());
        node.put("reserved_memory", stats.reservedMemory());
        node.put("reserved_storage", stats.reservedStorage());
        node.put("accounts", enabled(stats).size());
        node.put("ha_assets", haAssets());
        ObjectNode api = node.putObject("api");
        api.put("level", ServerIdentity.API_LEVEL);
        api.put("total", stats.apiTotal());
        api.put("errors", stats.apiErrors());
        Nodes.numberIfAny(api, "inflight", stats.apiWaiting());
        return node;
    }

    private static List<JetStreamStats.AccountStats> enabled(JetStreamStats stats) {
        return stats.accounts().stream()
                .filter(JetStreamStats.AccountStats::enabled)
                .toList();
    }

    @Override
    public ObjectNode jsz(Wanted wanted) {
        JetStreamStats led = jetStream.stats();
        JetStreamStats stats = here(led);
        ObjectNode page = figures(stats);
        page.set("config", config());
        page.set("limits", limits());
        page.put("streams", stats.streams());
        if (wanted.raft()) {
            Nodes.numberIfAny(page, "streams_leader", led.streams());
        }
        page.put("consumers", stats.consumers());
        if (wanted.raft()) {
            Nodes.numberIfAny(page, "consumers_leader", led.consumers());
        }
        page.put("messages", stats.messages());
        page.put("bytes", stats.bytes());
        meta(page, "meta_cluster");
        List<JetStreamStats.AccountStats> accounts = enabled(stats);
        if (wanted.accounts()) {
            ArrayNode details = Nodes.array();
            accounts.stream()
                    .filter(account ->
                            wanted.account().isEmpty() || wanted.account().equals(account.name()))
                    .skip(wanted.offset())
                    .limit(wanted.limit())
                    .forEach(account -> details.add(account(account, wanted)));
            Nodes.nodeIfAny(page, "account_details", details);
        }
        page.put("total", accounts.size());
        return page;
    }

    private ObjectNode account(JetStreamStats.AccountStats account, Wanted wanted) {
        ObjectNode node = Nodes.object();
        node.put("name", account.name());
        node.put("id", account.name());
        node.put("memory", account.memory());
        node.put("storage", account.storage());
        node.put("reserved_memory", account.reservedMemory());
        node.put("reserved_storage", account.reservedStorage());
        node.put("accounts", 0);
        node.put("ha_assets", 0);
        node.putObject("api").put("level", 0).put("total", account.apiTotal()).put("errors", account.apiErrors());
        if (wanted.streams()) {
            ArrayNode streams = Nodes.array();
            here(account, wanted.ledOnly()).forEach(stream -> streams.add(stream(stream, wanted)));
            Nodes.nodeIfAny(node, "stream_detail", streams);
        }
        return node;
    }

    /** An account's streams that lie on this node, led here or not, by name. */
    private Collection<JetStreamStats.StreamStats> here(JetStreamStats.AccountStats account, boolean ledOnly) {
        TreeMap<String, JetStreamStats.StreamStats> all = new TreeMap<>();
        if (cluster != null && !ledOnly) {
            jetStream
                    .replicas(account.name())
                    .forEach(each -> all.put(each.info().config().name(), each));
        }
        account.streams().forEach(each -> all.put(each.info().config().name(), each));
        return all.values();
    }

    private ObjectNode stream(JetStreamStats.StreamStats stream, Wanted wanted) {
        ObjectNode info = JetStreamJson.tree(stream.info());
        ObjectNode node = Nodes.object();
        node.put("name", stream.info().config().name());
        node.set("created", info.get("created"));
        Nodes.nodeIfAny(node, "cluster", info.get("cluster"));
        if (wanted.configuration()) {
            node.set("config", asStored(info.get("config")));
        }
        node.set("state", info.get("state"));
        if (wanted.consumers()) {
            ArrayNode consumers = Nodes.array();
            for (ConsumerInfo consumer : stream.consumers()) {
                ObjectNode detail = JetStreamJson.tree(consumer);
                if (wanted.configuration()) {
                    asStored(detail.get("config"));
                } else {
                    detail.remove("config");
                }
                consumers.add(detail);
            }
            Nodes.nodeIfAny(node, "consumer_detail", consumers);
        }
        if (wanted.raft() && cluster != null) {
            groups(node, stream, wanted);
        }
        return node;
    }

    /**
     * The group a stream lies in, with the stream's name, and the consumer's: tools take a group for one stream's alone,
     * while here streams share groups.
     */
    private void groups(ObjectNode node, JetStreamStats.StreamStats stream, Wanted wanted) {
        ClusterInfo lies = stream.info().cluster();
        String group =
                (lies.raftGroup().isEmpty() ? "solo:" + jetStream.options().serverName() : lies.raftGroup())
                        + '.'
                        + stream.info().config().name();
        node.put("stream_raft_group", group);
        if (wanted.consumers()) {
            ArrayNode consumers = Nodes.array();
            stream.consumers()
                    .forEach(each -> consumers
                            .addObject()
                            .put("name", each.name())
                            .put("raft_group", group + '.' + each.name()));
            Nodes.nodeIfAny(node, "consumer_raft_groups", consumers);
        }
    }

    /** Without what the API adds about the server when it shows a configuration. */
    private static JsonNode asStored(JsonNode config) {
        if (config != null && config.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("_nats.ver", "_nats.level"));
        }
        return config;
    }

    private Optional<JetStreamStats.AccountStats> find(String account) {
        return enabled(jetStream.stats()).stream()
                .filter(each -> each.name().equals(account))
                .findFirst();
    }

    private Optional<JetStreamStats.StreamStats> find(String account, String stream) {
        return find(account)
                .flatMap(found -> here(found, false).stream()
                        .filter(each -> each.info().config().name().equals(stream))
                        .findFirst());
    }

    @Override
    public boolean hasAccount(String account) {
        return find(account).isPresent();
    }

    @Override
    public boolean hasStream(String account, String stream) {
        return find(account, stream).isPresent();
    }

    @Override
    public boolean hasConsumer(String account, String stream, String consumer) {
        return find(account, stream)
                .filter(found ->
                        found.consumers().stream().anyMatch(each -> each.name().equals(consumer)))
                .isPresent();
    }

    @Override
    public Totals totals() {
        JetStreamStats stats = jetStream.sums();
        return new Totals(
                stats.memory(),
                stats.storage(),
                stats.reservedMemory(),
                stats.reservedStorage(),
                stats.streams(),
                stats.consumers(),
                stats.messages(),
                stats.bytes(),
                stats.apiTotal(),
                stats.apiErrors());
    }

    @Override
    public StorageFigures storage() {
        return jetStream.storage();
    }

    @Override
    public List<StreamFigures> streams() {
        return jetStream.stats().accounts().stream()
                .flatMap(account -> account.streams().stream()
                        .map(stream -> new StreamFigures(
                                account.name(),
                                stream.info().config().name(),
                                stream.info().state().messages(),
                                stream.info().state().bytes(),
                                stream.info().state().firstSeq(),
                                stream.info().state().lastSeq())))
                .toList();
    }

    @Override
    public String failedStream() {
        for (JetStreamStats.AccountStats account : jetStream.stats().accounts()) {
            for (JetStreamStats.StreamStats stream : account.streams()) {
                if (stream.failure() != null) {
                    return "JetStream stream '" + account.name() + " > "
                            + stream.info().config().name() + "' is not working: " + stream.failure();
                }
            }
        }
        return cluster == null ? null : cluster.ask(ClusterReports::behind, null);
    }
}
