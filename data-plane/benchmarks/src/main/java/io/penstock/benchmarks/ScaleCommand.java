package io.penstock.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a cluster bears many streams and consumers that do nothing. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = "Makes N R3 streams and M durable consumers on three nodes, then tells what they cost: creation,"
                + " listing, idle CPU, memory, threads, files, restarts.")
final class ScaleCommand implements Callable<Integer> {
    private static final int IDLE_SECONDS = 30;
    private static final int LISTINGS = 3;

    /** Which servers are measured. */
    private enum Which {
        /** This broker. */
        OURS,
        /** nats-server. */
        REFERENCE,
        /** One after the other. */
        BOTH
    }

    @Mixin
    private Servers servers;

    @Option(names = "--streams", defaultValue = "1000", description = "Streams with three replicas. Default: 1000.")
    private int streams;

    @Option(
            names = "--consumers",
            defaultValue = "10000",
            description = "Durable consumers, spread over the streams. Default: 10000.")
    private int consumers;

    @Option(names = "--side", defaultValue = "BOTH", description = "ours, reference or both. Default: both.")
    private Which side;

    @Option(names = "--parallel", defaultValue = "16", description = "Requests under way. Default: 16.")
    private int parallel;

    @Option(
            names = "--limit",
            defaultValue = "600",
            description = "Seconds to create in, on each side; what was made by then is measured. Default: 600.")
    private int limitSeconds;

    @Option(
            names = "--restart-limit",
            defaultValue = "300",
            description = "Seconds to be ready in after a restart. Default: 300.")
    private int restartSeconds;

    @Option(names = "--keep-alive", hidden = true, description = "Waits so many seconds before the restarts.")
    private int pauseSeconds;

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (Side each : Side.values()) {
            if (side == Which.BOTH || side.name().equals(each.name())) {
                measure(each);
            }
        }
        return 0;
    }

    private void measure(Side of) throws IOException, InterruptedException {
        System.out.printf("%n%s: %,d streams, %,d consumers%n", Servers.plain(of), streams, consumers);
        try (Cluster cluster = Cluster.start(servers.executable(of), "")) {
            footprint(cluster, of, "empty");
            long deadline = System.nanoTime() + limitSeconds * 1_000_000_000L;
            int made = create(cluster, "streams", streams, deadline, ScaleCommand::stream);
            int perStream = made == 0 ? 0 : made;
            create(
                    cluster,
                    "consumers",
                    made == 0 ? 0 : consumers,
                    deadline,
                    i -> consumer(i % perStream, i / perStream));
            listings(cluster);
            idle(cluster);
            footprint(cluster, of, "full");
            if (pauseSeconds > 0) {
                System.err.println(
                        "nodes " + cluster.nodes().stream().map(Node::pid).toList() + ", ports "
                                + cluster.nodes().stream().map(Node::port).toList());
                LockSupport.parkNanos(pauseSeconds * 1_000_000_000L);
            }
            restart(cluster, cluster.nodes().subList(0, 1), false, "one node, stopped in order");
            restart(cluster, cluster.nodes(), false, "all nodes, stopped in order");
            restart(cluster, cluster.nodes(), true, "all nodes, killed");
            footprint(cluster, of, "after restarts");
        }
    }

    /** A request that makes something. */
    private record Creation(String subject, byte[] body) {}

    private interface Creations {
        Creation at(int i);
    }

    private static String name(int stream) {
        return "s" + stream;
    }

    private static Creation stream(int i) {
        return new Creation("$JS.API.STREAM.CREATE." + name(i), Api.bytes(Api.stream(name(i), "scale." + i + ".>")));
    }

    private static Creation consumer(int stream, int number) {
        String body = "{\"stream_name\":\"" + name(stream) + "\",\"action\":\"create\",\"config\":{\"durable_name\":\"c"
                + number + "\",\"name\":\"c" + number + "\",\"ack_policy\":\"explicit\"}}";
        return new Creation(
                "$JS.API.CONSUMER.CREATE." + name(stream) + ".c" + number, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes things in order until the deadline; how many were made. */
    private int create(Cluster cluster, String what, int count, long deadline, Creations creations)
            throws IOException, InterruptedException {
        long cpu = cluster.cpuNanos();
        try (ApiConnection connection =
                ApiConnection.open(cluster.nodes().getFirst().port())) {
            BoundedRequests requests = new BoundedRequests(connection, parallel, what, count);
            int sent = 0;
            while (sent < count && System.nanoTime() < deadline) {
                Creation next = creations.at(sent);
                requests.send(next.subject(), next.body());
                sent++;
            }
            requests.finish();
            long used = cluster.cpuNanos() - cpu;
            System.out.printf(
                    "  create %-9s %,7d in %,.1f s (%,.0f/s), p50 %.1f ms, p99 %.1f ms, max %.0f ms, CPU %.2f ms each%s%n",
                    what,
                    requests.succeeded(),
                    requests.seconds(),
                    requests.succeeded() / requests.seconds(),
                    requests.latencies().at(0.50),
                    requests.latencies().at(0.99),
                    requests.latencies().at(1),
                    used / 1e6 / Math.max(1, requests.succeeded()),
                    requests.trouble());
            return sent;
        }
    }

    private void listings(Cluster cluster) throws IOException, InterruptedException {
        try (ApiConnection connection =
                ApiConnection.open(cluster.nodes().getFirst().port())) {
            Api api = new Api(connection);
            for (String verb : List.of("STREAM.NAMES", "STREAM.LIST", "CONSUMER.NAMES.s0", "CONSUMER.LIST.s0")) {
                Latencies pages = new Latencies();
                String problem = "";
                for (int i = 0; i < LISTINGS && problem.isEmpty(); i++) {
                    problem = walk(api, verb, pages);
                }
                System.out.printf(
                        "  %-18s %,5d pages, p50 %.1f ms, p99 %.1f ms, max %.0f ms%s%n",
                        verb, pages.count(), pages.at(0.50), pages.at(0.99), pages.at(1), problem);
            }
        }
    }

    /** Reads all pages of a list; what went wrong, or nothing. */
    private static String walk(Api api, String verb, Latencies pages) throws IOException, InterruptedException {
        int offset = 0;
        int total;
        do {
            byte[] body = ("{\"offset\":" + offset + "}").getBytes(StandardCharsets.UTF_8);
            long begin = System.nanoTime();
            JsonNode page = api.ask(verb, body);
            pages.add(System.nanoTime() - begin);
            int size = page.path("streams").size() + page.path("consumers").size();
            if (page.has("error") || page.path("missing").size() > 0) {
                return "; incomplete at " + offset + ": " + page.path("error")
                        + page.path("missing").size() + " missing";
            }
            offset += size;
            total = page.path("total").asInt();
            if (size == 0 && offset < total) {
                return "; an empty page at " + offset + " of " + total;
            }
        } while (offset < total);
        return "";
    }

    private static void idle(Cluster cluster) throws IOException {
        LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
        long cpu = cluster.cpuNanos();
        long begin = System.nanoTime();
        LockSupport.parkNanos(Duration.ofSeconds(IDLE_SECONDS).toNanos());
        System.out.printf(
                "  idle CPU over %d s, all nodes: %.1f %% of a core%n",
                IDLE_SECONDS, 100.0 * (cluster.cpuNanos() - cpu) / (System.nanoTime() - begin));
    }

    private static void footprint(Cluster cluster, Side of, String when) throws IOException, InterruptedException {
        System.out.printf("  %s:", when);
        for (Node node : cluster.nodes()) {
            Footprint footprint = Footprint.of(node, of == Side.OURS);
            System.out.printf("  %s %s;", node.name(), footprint);
        }
        System.out.println();
    }

    private void restart(Cluster cluster, List<Node> which, boolean kill, String what)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        List<Thread> stopping = new ArrayList<>();
        for (Node node : which) {
            stopping.add(Thread.ofPlatform().start(() -> node.stop(kill)));
        }
        for (Thread thread : stopping) {
            thread.join();
        }
        double stopped = (System.nanoTime() - begin) / 1e9;
        for (Node node : which) {
            node.start();
        }
        try {
            double ready = cluster.awaitHealthy(which, restartSeconds) / 1e9;
            System.out.printf("  restart of %-27s stopped in %.1f s, ready in %.1f s%n", what + ":", stopped, ready);
        } catch (IOException e) {
            System.out.printf("  restart of %s: stopped in %.1f s, %s%n", what, stopped, e.getMessage());
        }
    }
}
