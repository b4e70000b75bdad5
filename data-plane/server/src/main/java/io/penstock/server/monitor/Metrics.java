package io.penstock.server.monitor;

import io.penstock.broker.Account;
import io.penstock.broker.BrokerStats;
import io.penstock.broker.TrafficStats;
import io.penstock.jetstream.StorageFigures;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/** {@code /metrics}: figures for time-series databases, in the OpenMetrics text format. docs/server.md lists them. */
final class Metrics {
    static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Source source;
    private final StringBuilder out = new StringBuilder(8192);

    private Metrics(Source source) {
        this.source = source;
    }

    static String of(Source source) {
        Metrics metrics = new Metrics(source);
        metrics.server();
        metrics.accounts();
        if (source.jetStream() != null) {
            metrics.jetStream(source.jetStream());
        }
        metrics.runtime();
        return metrics.out.append("# EOF\n").toString();
    }

    private void server() {
        BrokerStats stats = source.broker().stats();
        TrafficStats traffic = stats.traffic();
        family("penstock_server", "info", "Name and version of the server.");
        out.append("penstock_server_info{server=\"")
                .append(escape(source.broker().identity().name()))
                .append("\",id=\"")
                .append(source.broker().identity().id())
                .append("\",version=\"")
                .append(escape(source.broker().identity().productVersion()))
                .append("\"} 1\n");
        gauge(
                "penstock_server_start_time_seconds",
                "When the server started.",
                stats.started().getEpochSecond());
        gauge("penstock_server_ready", "Whether all listeners are open.", source.isReady() ? 1 : 0);
        gauge(
                "penstock_server_lame_duck",
                "Whether clients are being let go.",
                source.broker().isLameDuck() ? 1 : 0);
        gauge("penstock_connections", "Open client connections.", stats.connections());
        counter("penstock_connections_accepted", "Client connections since the start.", stats.totalConnections());
        gauge("penstock_subscriptions", "Subscriptions, those of the server itself too.", stats.subscriptions());
        counter("penstock_received_messages", "Messages that clients published.", traffic.inMessages());
        counter("penstock_received_bytes", "Bytes that clients published.", traffic.inBytes());
        counter("penstock_sent_messages", "Messages delivered to clients.", traffic.outMessages());
        counter("penstock_sent_bytes", "Bytes delivered to clients.", traffic.outBytes());
        family("penstock_slow_consumers", "counter", "Connections closed because they did not read fast enough.");
        out.append("penstock_slow_consumers_total{cause=\"pending_bytes\"} ")
                .append(stats.slowConsumersPending())
                .append("\npenstock_slow_consumers_total{cause=\"write_deadline\"} ")
                .append(stats.slowConsumersDeadline())
                .append('\n');
        counter("penstock_stale_connections", "Connections closed for not answering.", stats.staleConnections());
        gauge(
                "penstock_routes",
                "Open connections to other nodes.",
                stats.routes().routes());
        gauge(
                "penstock_cluster_nodes",
                "Nodes of the cluster that are connected, this one too.",
                stats.routes().nodes() + 1);
        TrafficStats routes = stats.routes().traffic();
        counter("penstock_route_received_messages", "Messages that came from other nodes.", routes.inMessages());
        counter("penstock_route_received_bytes", "Bytes that came from other nodes.", routes.inBytes());
        counter("penstock_route_sent_messages", "Messages sent to other nodes.", routes.outMessages());
        counter("penstock_route_sent_bytes", "Bytes sent to other nodes.", routes.outBytes());
        counter("penstock_slow_routes", "Routes closed because the other node did not read.", routes.slowConsumers());
        counter("penstock_stalled_producers", "Times a producer was slowed.", stats.stalledClients());
        counter("penstock_authentication_failures", "Refused connections.", stats.authenticationErrors());
    }

    private void accounts() {
        Collection<Account> accounts = source.broker().accounts().accounts();
        accountFamily("penstock_account_connections", "gauge", "Open connections.", accounts, Account::connectionCount);
        accountFamily(
                "penstock_account_subscriptions", "gauge", "Subscriptions.", accounts, Account::subscriptionCount);
        accountFamily(
                "penstock_account_received_messages",
                "counter",
                "Messages published.",
                accounts,
                account -> account.traffic().inMessages());
        accountFamily(
                "penstock_account_received_bytes",
                "counter",
                "Bytes published.",
                accounts,
                account -> account.traffic().inBytes());
        accountFamily(
                "penstock_account_sent_messages",
                "counter",
                "Messages delivered.",
                accounts,
                account -> account.traffic().outMessages());
        accountFamily(
                "penstock_account_sent_bytes",
                "counter",
                "Bytes delivered.",
                accounts,
                account -> account.traffic().outBytes());
        accountFamily(
                "penstock_account_slow_consumers",
                "counter",
                "Connections closed because they did not read fast enough.",
                accounts,
                account -> account.traffic().slowConsumers());
    }

    private void accountFamily(
            String name, String type, String help, Collection<Account> accounts, ToLongFunction<Account> value) {
        family(name, type, help);
        for (Account account : accounts) {
            sample(type, name, "account=\"" + escape(account.name()) + "\"", value.applyAsLong(account));
        }
    }

    private void jetStream(JetStreamSource jetStream) {
        JetStreamSource.Totals totals = jetStream.totals();
        gauge("penstock_jetstream_memory_bytes", "Bytes in memory streams.", totals.memory());
        gauge("penstock_jetstream_storage_bytes", "Bytes in file streams.", totals.storage());
        gauge("penstock_jetstream_reserved_memory_bytes", "Memory promised to streams.", totals.reservedMemory());
        gauge("penstock_jetstream_reserved_storage_bytes", "Storage promised to streams.", totals.reservedStorage());
        gauge("penstock_jetstream_streams", "Streams.", totals.streams());
        gauge("penstock_jetstream_consumers", "Consumers.", totals.consumers());
        gauge("penstock_jetstream_messages", "Messages in all streams.", totals.messages());
        counter("penstock_jetstream_api_requests", "Requests to the API.", totals.apiTotal());
        counter("penstock_jetstream_api_errors", "Requests to the API that failed.", totals.apiErrors());
        storage(jetStream.storage());
        List<JetStreamSource.StreamFigures> streams = jetStream.streams();
        family("penstock_stream_messages", "gauge", "Messages in the stream.");
        streams.forEach(stream -> sample("gauge", "penstock_stream_messages", labels(stream), stream.messages()));
        family("penstock_stream_bytes", "gauge", "Bytes in the stream.");
        streams.forEach(stream -> sample("gauge", "penstock_stream_bytes", labels(stream), stream.bytes()));
        family("penstock_stream_last_sequence", "gauge", "Sequence of the newest message.");
        streams.forEach(
                stream -> sample("gauge", "penstock_stream_last_sequence", labels(stream), stream.lastSequence()));
    }

    private void storage(StorageFigures figures) {
        gauge("penstock_disk_free_bytes", "Bytes free on the disk of the store.", figures.free());
        gauge("penstock_disk_reserve_bytes", "Bytes that must be free for messages to be taken.", figures.reserve());
        gauge("penstock_journal_bytes", "Bytes of the journal no checkpoint has made superfluous.", figures.journal());
        gauge("penstock_journal_limit_bytes", "Bytes beyond which publishers wait.", figures.journalLimit());
        gauge("penstock_journal_publishers_wait", "Whether publishers wait for checkpoints.", figures.held() ? 1 : 0);
        counter("penstock_storage_damaged", "Damaged places met in files.", figures.damaged());
        counter("penstock_storage_write_failures", "Writes the disk refused.", figures.writeFailures());
        gauge("penstock_storage_set_aside", "Damaged journals set aside in the store.", figures.setAside());
        counter("penstock_repair_diverged", "Replicas found to differ from the majority.", figures.diverged());
        counter("penstock_repair_repaired", "Streams fetched from another replica.", figures.repaired());
        counter(
                "penstock_scrub_runs",
                "Times all files were read and verified.",
                figures.scrub().runs());
        counter(
                "penstock_scrub_bytes",
                "Bytes read and verified.",
                figures.scrub().bytes());
        counter(
                "penstock_scrub_damaged",
                "Damaged records and files found.",
                figures.scrub().damaged());
        gauge(
                "penstock_scrub_last_end_timestamp_seconds",
                "When all files had been read, 0 before.",
                figures.scrub().endedSeconds());
    }

    private static String labels(JetStreamSource.StreamFigures stream) {
        return "account=\"" + escape(stream.account()) + "\",stream=\"" + escape(stream.name()) + "\"";
    }

    private void runtime() {
        Runtime runtime = Runtime.getRuntime();
        gauge("penstock_process_resident_bytes", "Memory of the process.", ProcessFigures.residentBytes());
        family("penstock_process_cpu_seconds", "counter", "Processor time.");
        out.append("penstock_process_cpu_seconds_total ")
                .append(ProcessFigures.cpuTime().toMillis() / 1e3)
                .append('\n');
        gauge("penstock_heap_used_bytes", "Java heap in use.", runtime.totalMemory() - runtime.freeMemory());
        gauge("penstock_heap_limit_bytes", "Largest Java heap.", runtime.maxMemory());
    }

    private void gauge(String name, String help, long value) {
        family(name, "gauge", help);
        sample("gauge", name, "", value);
    }

    private void counter(String name, String help, long value) {
        family(name, "counter", help);
        sample("counter", name, "", value);
    }

    private void family(String name, String type, String help) {
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }

    private void sample(String type, String name, String labels, long value) {
        out.append(name).append(type.equals("counter") ? "_total" : "");
        if (!labels.isEmpty()) {
            out.append('{').append(labels).append('}');
        }
        out.append(' ').append(value).append('\n');
    }

    private static String escape(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
