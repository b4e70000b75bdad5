package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerStats;
import io.penstock.broker.TrafficStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The server's figures, as {@code STATSZ} gives them. */
final class ServerStats {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final int PAGE_BYTES = 4096;

    private final Broker broker;
    private final ServerInfo server;
    // Both guarded by this: processor time is measured between two questions.
    private long lastNanos;
    private Duration lastProcessor;

    ServerStats(Broker broker, ServerInfo server) {
        this.broker = broker;
        this.server = server;
        this.lastNanos = System.nanoTime();
        this.lastProcessor = processorTime();
    }

    ObjectNode statsz() {
        BrokerStats stats = broker.stats();
        TrafficStats traffic = stats.traffic();
        ObjectNode body = Json.object();
        Json.putTime(body, "start", stats.started());
        body.put("mem", residentBytes());
        body.put("cores", Runtime.getRuntime().availableProcessors());
        body.put("cpu", processorPercent());
        body.put("connections", stats.connections());
        body.put("total_connections", stats.totalConnections());
        body.put("active_accounts", stats.activeAccounts());
        body.put("subscriptions", stats.subscriptions());
        body.set("sent", Json.counters(traffic.outMessages(), traffic.outBytes()));
        body.set("sent_to_clients", Json.counters(traffic.outMessages(), traffic.outBytes()));
        body.set("received", Json.counters(traffic.inMessages(), traffic.inBytes()));
        body.set("received_from_clients", Json.counters(traffic.inMessages(), traffic.inBytes()));
        body.put("slow_consumers", stats.slowConsumersPending() + stats.slowConsumersDeadline());
        long slow = stats.slowConsumersPending() + stats.slowConsumersDeadline();
        if (slow > 0) {
            body.set("slow_consumer_stats", perKind(slow));
        }
        if (stats.staleConnections() > 0) {
            body.put("stale_connections", stats.staleConnections());
            body.set("stale_connection_stats", perKind(stats.staleConnections()));
        }
        if (stats.stalledClients() > 0) {
            body.put("stalled_clients", stats.stalledClients());
        }
        body.put("active_servers", 1);
        body.put("gomaxprocs", Runtime.getRuntime().availableProcessors());
        ObjectNode statsz = Json.object();
        statsz.set("server", server.next());
        statsz.set("statsz", body);
        return statsz;
    }

    private static ObjectNode perKind(long clients) {
        return Json.object()
                .put("clients", clients)
                .put("routes", 0)
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
