package io.penstock.benchmarks;

import io.penstock.benchmarks.NatsBench.Figures;
import io.penstock.benchmarks.Report.Round;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Core publish and subscribe: one to one at three sizes, one to eight. */
@Command(
        name = "core",
        mixinStandardHelpOptions = true,
        description = "nats bench pub/sub 1:1 at 16 B, 128 B, 1 KiB and 1:8 at 128 B.")
final class CoreCommand implements Callable<Integer> {
    /** One shape of traffic; messages are per publisher. */
    private record Scenario(String name, int size, int subscribers, int messages) {}

    private static final List<Scenario> SCENARIOS = List.of(
            new Scenario("core 1:1 16 B", 16, 1, 4_000_000),
            new Scenario("core 1:1 128 B", 128, 1, 3_000_000),
            new Scenario("core 1:1 1 KiB", 1024, 1, 1_000_000),
            new Scenario("core 1:8 128 B", 128, 8, 500_000));

    /** Long enough for the compilers to settle: a broker runs for weeks. */
    private static final int WARM_UP_RUNS = 2;

    @Mixin
    private Servers servers;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Report report = new Report();
        try (ServerProcess ours = ServerProcess.start(servers.executable(Side.OURS), "");
                ServerProcess reference = ServerProcess.start(servers.executable(Side.REFERENCE), "")) {
            for (Scenario scenario : SCENARIOS) {
                for (int i = 0; i < WARM_UP_RUNS; i++) {
                    run(ours, scenario);
                }
                run(reference, scenario);
                for (int round = 0; round < servers.rounds(); round++) {
                    report.add(scenario.name(), Side.OURS, run(ours, scenario));
                    report.add(scenario.name(), Side.REFERENCE, run(reference, scenario));
                }
            }
            report.print();
            System.out.printf(
                    "%nresident memory: ours %d MiB, reference %d MiB%n", ours.residentMib(), reference.residentMib());
        }
        return 0;
    }

    private Round run(ServerProcess server, Scenario scenario) throws IOException, InterruptedException {
        String shape = " bench.core --size " + scenario.size() + " --msgs ";
        NatsBench subscribers = NatsBench.start(
                servers.cli(),
                server.url(),
                "sub" + shape + scenario.messages() + " --clients " + scenario.subscribers());
        awaitSubscribers(server);
        long cpu = server.cpuNanos();
        Figures published = NatsBench.start(
                        servers.cli(), server.url(), "pub" + shape + scenario.messages() + " --clients 1")
                .await();
        Figures received = subscribers.await();
        long used = server.cpuNanos() - cpu;
        double rate = Math.min(published.rate(), received.rate() / scenario.subscribers());
        return new Round(rate, (double) used / scenario.messages(), 0);
    }

    /** The CLI says nothing when its subscriptions stand; both servers get the same generous moment. */
    private static void awaitSubscribers(ServerProcess server) {
        long until = System.nanoTime() + 700_000_000L;
        while (System.nanoTime() < until && !server.url().isEmpty()) {
            LockSupport.parkNanos(50_000_000L);
        }
    }
}
