package io.penstock.benchmarks;

import io.penstock.benchmarks.NatsBench.Figures;
import io.penstock.benchmarks.Report.Round;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Three replicas on three nodes, ours against the reference at equal durability. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description =
                "R3 on three nodes: publish sync and 500 in flight on one stream and on thirty, consume, fetch, KV."
                        + " Both sides force each entry (fsync), then both leave it to the interval (async). Clients of one"
                        + " stream connect to its leader.")
final class ClusterCommand implements Callable<Integer> {
    /** What an acknowledgement promises. */
    private enum Mode {
        /** On the disks of a majority. */
        FSYNC("", "sync_interval: always"),
        /** In the memory of a majority; the disk follows within two minutes. */
        ASYNC("sync_interval: 2m", "");

        private final String ours;
        private final String reference;

        Mode(String ours, String reference) {
            this.ours = ours;
            this.reference = reference;
        }

        String configuration(Side side) {
            return side == Side.OURS ? ours : reference;
        }
    }

    private static final int STREAMS = 30;
    private static final int SIZE = 256;
    private static final String STREAM = "benchstream";
    private static final String BUCKET = "benchbucket";
    private static final String KEY = "$KV." + BUCKET + ".key";

    /** Room for a message of each of thirty streams, and the same for one. */
    private static final int IN_FLIGHT = 510;

    @Mixin
    private Servers servers;

    @Option(names = "--mode", description = "fsync or async. Default: one after the other.")
    private String mode;

    @Option(
            names = "--only",
            split = ";",
            defaultValue = "",
            description = "Only scenarios whose name contains one of these, divided by semicolons.")
    private List<String> only;

    @Option(
            names = "--warm-ups",
            defaultValue = "4",
            description = "Runs before the first that counts, on both sides. Default: 4.")
    private int warmUps;

    /** One cluster with the streams that are measured. */
    private record Bench(Cluster cluster, Node leader, Node keys, List<String> subjects) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            cluster.close();
        }
    }

    /** One measurement: moves so many messages, tells rate and median latency. */
    private interface Load {
        Figures run(Bench bench, int messages) throws IOException, InterruptedException;
    }

    /**
     * @param messages how many we move
     * @param theirs how many the reference moves in the same mode: with fsync it would take minutes otherwise
     */
    private record Scenario(String name, int messages, int theirs, Load load) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Report report = new Report();
        for (Mode each : Mode.values()) {
            if (mode == null || mode.equalsIgnoreCase(each.name())) {
                measure(report, each);
            }
        }
        report.print();
        return 0;
    }

    private List<Scenario> scenarios(Mode of) {
        int slow = of == Mode.FSYNC ? 10_000 : 100_000;
        List<Scenario> all = new ArrayList<>();
        all.add(new Scenario(
                "500 in flight, 1 stream",
                200_000,
                2 * slow,
                (b, n) -> pipelined(List.of(b.leader()), List.of("bench.js"), n)));
        all.add(new Scenario(
                "500 in flight, 30 streams",
                200_000,
                2 * slow,
                (b, n) -> pipelined(b.cluster().nodes(), b.subjects(), n)));
        all.add(new Scenario(
                "publish batches of 500",
                100_000,
                slow,
                (b, n) -> cli(b.leader(), "js pub async bench.js --purge --batch 500" + size(n))));
        all.add(new Scenario(
                "publish sync", 5_000, 3_000, (b, n) -> cli(b.leader(), "js pub sync bench.js --purge" + size(n))));
        all.add(new Scenario("kv put", 5_000, 3_000, (b, n) -> one(b.keys(), KEY, n, SIZE)));
        all.add(new Scenario(
                "kv get",
                10_000,
                10_000,
                (b, n) -> one(b.keys(), "$JS.API.DIRECT.GET.KV_" + BUCKET + "." + KEY, n, 0)));
        if (of == Mode.ASYNC) {
            // Reading forces nothing: measured once, where filling the reference takes seconds and not minutes.
            all.add(new Scenario("consume", 100_000, 100_000, (b, n) -> read(b, "consume", n)));
            all.add(new Scenario("fetch", 100_000, 100_000, (b, n) -> read(b, "fetch", n)));
        }
        all.removeIf(s -> only.stream().noneMatch(s.name()::contains));
        return all;
    }

    private void measure(Report report, Mode of) throws IOException, InterruptedException {
        String label = of.name().toLowerCase(Locale.ROOT) + ": ";
        try (Bench ours = open(Side.OURS, of);
                Bench theirs = open(Side.REFERENCE, of)) {
            for (Scenario scenario : scenarios(of)) {
                for (int i = 0; i < warmUps; i++) {
                    run(ours, scenario, scenario.messages());
                    run(theirs, scenario, scenario.theirs());
                }
                for (int round = 0; round < servers.rounds(); round++) {
                    report.add(label + scenario.name(), Side.OURS, run(ours, scenario, scenario.messages()));
                    report.add(label + scenario.name(), Side.REFERENCE, run(theirs, scenario, scenario.theirs()));
                }
            }
        }
    }

    private Bench open(Side side, Mode of) throws IOException, InterruptedException {
        Cluster cluster = Cluster.start(servers.executable(side), of.configuration(side));
        try (ApiConnection connection =
                ApiConnection.open(cluster.nodes().getFirst().port())) {
            Api api = new Api(connection);
            String leader = api.create(Api.stream(STREAM, "bench.js"));
            String keys = api.create(Api.bucket(BUCKET));
            List<String> subjects = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                api.create(Api.stream("many" + i, "many." + i));
                subjects.add("many." + i);
            }
            return new Bench(cluster, cluster.node(leader), cluster.node(keys), subjects);
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static Round run(Bench bench, Scenario scenario, int messages) throws IOException, InterruptedException {
        long cpu = bench.cluster().cpuNanos();
        Figures figures = scenario.load().run(bench, messages);
        long used = bench.cluster().cpuNanos() - cpu;
        return new Round(figures.rate(), (double) used / messages, figures.p50Micros());
    }

    private static String size(int messages) {
        return " --size " + SIZE + " --msgs " + messages;
    }

    private Figures cli(Node node, String arguments) throws IOException, InterruptedException {
        return NatsBench.start(servers.cli(), node.url(), arguments).await();
    }

    private static Figures pipelined(List<Node> nodes, List<String> subjects, int messages)
            throws IOException, InterruptedException {
        return new Figures(
                PipelinedLoad.run(nodes, subjects, IN_FLIGHT, messages, SIZE).rate(), 0);
    }

    /** One request at a time. */
    private static Figures one(Node node, String subject, int messages, int size)
            throws IOException, InterruptedException {
        return PipelinedLoad.run(List.of(node), List.of(subject), 1, messages, size);
    }

    /** Pulls batches of 500, acknowledging each message: one request after the other, or a window kept open. */
    private Figures read(Bench bench, String how, int messages) throws IOException, InterruptedException {
        try (ApiConnection connection = ApiConnection.open(bench.leader().port())) {
            Api api = new Api(connection);
            api.ask("CONSUMER.DELETE." + STREAM + ".nats-bench", new byte[0]);
            long stored = api.ask("STREAM.INFO." + STREAM, new byte[0])
                    .path("state")
                    .path("messages")
                    .asLong();
            if (stored < messages) {
                pipelined(List.of(bench.leader()), List.of("bench.js"), messages);
            }
        }
        return cli(bench.leader(), "js " + how + " --acks explicit --batch 500 --msgs " + messages);
    }
}
