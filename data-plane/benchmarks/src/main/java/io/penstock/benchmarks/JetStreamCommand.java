package io.penstock.benchmarks;

import io.penstock.benchmarks.NatsBench.Figures;
import io.penstock.benchmarks.Report.Round;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** JetStream on one node, at equal durability and against the reference's default. */
@Command(
        name = "js",
        mixinStandardHelpOptions = true,
        description = "R1 file: publish sync and 500 in flight, consume, fetch. Ours acknowledges after fsync; the"
                + " reference once with sync_interval: always and once with its default of two minutes.")
final class JetStreamCommand implements Callable<Integer> {
    private static final String CONFIGURATION = "jetstream { store_dir: \"@STORE@\"\n%s }\n";

    /**
     * One measurement.
     *
     * @param command arguments of nats bench
     * @param messages how many it moves
     * @param syncedMessages how many the reference moves when it forces each: it would take minutes otherwise
     * @param warmUps runs before the first that counts: a server is measured as it works, not as it starts
     */
    private record Scenario(String name, String command, int messages, int syncedMessages, int warmUps) {}

    private static final List<Scenario> PUBLISH = List.of(
            new Scenario("publish sync 256 B", "js pub sync bench.js --purge --size 256", 5_000, 5_000, 3),
            new Scenario(
                    "publish 500 in flight 256 B",
                    "js pub async bench.js --purge --batch 500 --size 256",
                    100_000,
                    10_000,
                    3));

    private static final List<Scenario> READ = List.of(
            new Scenario("consume 256 B", "js consume --acks explicit --batch 500", 100_000, 100_000, 1),
            new Scenario("fetch 256 B", "js fetch --acks explicit --batch 500", 100_000, 100_000, 1));

    @Mixin
    private Servers servers;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Report report = new Report();
        measure(report, "fsync", "sync_interval: always");
        measure(report, "reference default", "");
        report.print();
        return 0;
    }

    private void measure(Report report, String label, String reference) throws IOException, InterruptedException {
        try (ServerProcess ours = ServerProcess.start(servers.executable(Side.OURS), CONFIGURATION.formatted(""));
                ServerProcess theirs =
                        ServerProcess.start(servers.executable(Side.REFERENCE), CONFIGURATION.formatted(reference))) {
            // The CLI's own --create asks for features this version refuses.
            NatsBench.createStream(servers.cli(), ours.url());
            NatsBench.createStream(servers.cli(), theirs.url());
            for (Scenario scenario : PUBLISH) {
                int theirMessages = reference.isEmpty() ? scenario.messages() : scenario.syncedMessages();
                for (int warmUp = 0; warmUp < scenario.warmUps(); warmUp++) {
                    run(ours, scenario, scenario.messages(), "w");
                    run(theirs, scenario, theirMessages, "w");
                }
                for (int round = 0; round < servers.rounds(); round++) {
                    report.add(label + ": " + scenario.name(), Side.OURS, run(ours, scenario, scenario.messages(), ""));
                    report.add(
                            label + ": " + scenario.name(), Side.REFERENCE, run(theirs, scenario, theirMessages, ""));
                }
            }
            // Reading does not sync: measured once, where filling the reference takes seconds and not minutes.
            if (reference.isEmpty()) {
                read(report, label, ours, theirs);
            }
        }
    }

    private void read(Report report, String label, ServerProcess ours, ServerProcess theirs)
            throws IOException, InterruptedException {
        fill(ours);
        fill(theirs);
        for (Scenario scenario : READ) {
            run(ours, scenario, scenario.messages(), "warm");
            run(theirs, scenario, scenario.messages(), "warm");
            for (int round = 0; round < servers.rounds(); round++) {
                String name = Integer.toString(round);
                report.add(label + ": " + scenario.name(), Side.OURS, run(ours, scenario, scenario.messages(), name));
                report.add(
                        label + ": " + scenario.name(),
                        Side.REFERENCE,
                        run(theirs, scenario, scenario.messages(), name));
            }
        }
    }

    private void fill(ServerProcess server) throws IOException, InterruptedException {
        Figures ignored = NatsBench.start(
                        servers.cli(),
                        server.url(),
                        "js pub async bench.js --purge --batch 500 --size 256 --msgs 100000")
                .await();
        System.err.printf("filled at %,.0f msg/s%n", ignored.rate());
    }

    private Round run(ServerProcess server, Scenario scenario, int messages, String round)
            throws IOException, InterruptedException {
        NatsBench.removeConsumer(servers.cli(), server.url());
        long cpu = server.cpuNanos();
        Figures figures = NatsBench.start(
                        servers.cli(),
                        server.url(),
                        scenario.command().replace("@ROUND@", round) + " --msgs " + messages)
                .await();
        long used = server.cpuNanos() - cpu;
        return new Round(figures.rate(), (double) used / messages, figures.p50Micros());
    }
}
