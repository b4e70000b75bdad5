package io.penstock.broker.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerStats;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.route.RouteSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The server's figures, as {@code STATSZ} gives them. */
final class ServerStats {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final int PAGE_BYTES = 4096;

    private final Broker broker;
    private final ServerInfo server;
    /** Asks another thread; gives null while there is no JetStream. */
    private volatile Supplier<? extends JsonNode> jetStream = () -> null;

    // Both guarded by this: processor time is measured between two questions.
    private long lastNanos;
    private Duration lastProcessor;

    ServerStats(Broker broker, ServerInfo server) {
        this.broker = broker;
        this.server = server;
        this.lastNanos = System.nanoTime();
        this.lastProcessor = processorTime();
    }

    void jetStream(Supplier<? extends JsonNode> figures) {
        jetStream = figures;
    }

    ObjectNode statsz() {
        BrokerStats stats = broker.stats();
        TrafficStats traffic = stats.traffic();
        TrafficStats all = traffic.plus(stats.routes().traffic());
        ObjectNode body = Json.object();
        Json.putTime(body, "start", stats.started());
        body.put("mem", residentBytes());
        body.put("cores", Runtime.getRuntime().availableProcessors());
        body.put("cpu", processorPercent());
        body.put("connections", stats.connections());
        body.put("total_connections", stats.totalConnections());
        body.put("active_accounts", stats.activeAccounts());
        body.put("subscriptions", stats.subscriptions());
        body.set("sent", Json.counters(all.outMessages(), all.outBytes()));
        body.set("sent_to_clients", Json.counters(traffic.outMessages(), traffic.outBytes()));
        body.set("received", Json.counters(all.inMessages(), all.inBytes()));
        body.set("received_from_clients", Json.counters(traffic.inMessages(), traffic.inBytes()));
        long slow = stats.slowConsumersPending() + stats.slowConsumersDeadline();
        long slowRoutes = stats.routes().traffic().slowConsumers();
        body.put("slow_consumers", slow + slowRoutes);
        if (slow + slowRoutes > 0) {
            body.set("slow_consumer_stats", perKind(slow, slowRoutes));
        }
        long staleRoutes = stats.routes().stale();
        if (stats.staleConnections() + staleRoutes > 0) {
            body.put("stale_connections", stats.staleConnections() + staleRoutes);
            body.set("stale_connection_stats", perKind(stats.staleConnections(), staleRoutes));
        }
        if (stats.stalledClients() > 0) {
            body.put("stalled_clients", stats.stalledClients());
        }
        putRoutes(body);
        body.put("active_servers", stats.routes().nodes() + 1);
        JsonNode figures = jetStream.get();
        if (figures != null) {
            body.set("jetstream", figures);
        }
        body.put("gomaxprocs", Runtime.getRuntime().availableProcessors());
        ObjectNode statsz = Json.object();
        statsz.set("server", server.next());
        statsz.set("statsz", body);
        return statsz;
    }

    private void putRoutes(ObjectNode body) {
        List<RouteSnapshot> routes = broker.routes(false);
        if (routes.isEmpty()) {
            return;
        }
        ArrayNode list = body.putArray("routes");
        for (RouteSnapshot route : routes) {
            ObjectNode one = list.addObject();
            one.put("rid", route.id());
            one.put("name", route.remoteName());
            one.set("sent", Json.counters(route.outMessages(), route.outBytes()));
            one.set("received", Json.counters(route.inMessages(), route.inBytes()));
            one.put("pending", route.pendingBytes());
        }
    }

    private static ObjectNode perKind(long clients, long routes) {
        return Json.object()
                .put("clients", clients)
                .put("routes", routes)
                .put("gateways", 0)
                .put("leafs", 0);
    }

    private synchronized double processorPercent() {
        long now = System.nanoTime();
        Duration processor = processorTime();
        double percent = 100.0 * (processor.toNanos() - lastProcessor.toNanos()) / Math.max(1, now - lastNanos);
        lastNanos = now;
        lastProcessor = processor;
        return Math.round(percent * 10) / 10.0;
    }

    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long residentBytes() {
        try {
            return Long.parseLong(Files.readString(STATM).split(" ")[1]) * PAGE_BYTES;
        } catch (IOException | RuntimeException e) {
            // Elsewhere than on Linux the heap is the best there is.
            return Runtime.getRuntime().totalMemory();
        }
    }
}
