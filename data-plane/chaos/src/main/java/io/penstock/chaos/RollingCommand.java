package io.penstock.chaos;

import io.penstock.chaos.fault.Leaders;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Operations;
import io.penstock.chaos.workload.ServiceWorkload;
import io.penstock.chaos.workload.Violations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether clients notice that all nodes are restarted one after the other. */
@Command(
        name = "rolling",
        mixinStandardHelpOptions = true,
        description =
                "Restarts the three nodes one after the other while clients publish, consume and ask, each knowing one"
                        + " node only. The next goes when all are healthy and all replicas current. Ends with 1 when an"
                        + " operation failed after its attempts, or something acknowledged was lost or came again."
                        + " Needs root.")
final class RollingCommand implements Callable<Integer> {
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration WHOLE = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofSeconds(3);

    @Mixin
    private Place place;

    @Option(names = "--rounds", defaultValue = "1", description = "How often all nodes are restarted. Default: 1.")
    private int rounds;

    @Option(
            names = "--lame-duck",
            description = "Ends nodes by lame duck mode (SIGUSR2), which takes 30 s each, instead of SIGTERM.")
    private boolean lameDuck;

    @Override
    public Integer call() throws Exception {
        Path folder = place.folder("rolling");
        Violations violations = new Violations();
        try (ChaosCluster cluster = new ChaosCluster(3, folder, place.server(), place.jetStream())) {
            cluster.start();
            if (cluster.awaitHealthy(START) == null) {
                throw new IOException("the cluster is not healthy after 60 s; the logs are in " + folder);
            }
            ServiceWorkload workload = new ServiceWorkload(cluster, violations);
            ChaosRun.prepare(workload::prepare);
            workload.start();
            try (Client watcher = cluster.connect("app")) {
                ChaosRun.sleep(QUIET);
                for (int round = 1; round <= rounds; round++) {
                    for (ChaosNode node : cluster.nodes()) {
                        restart(cluster, node, watcher, workload, violations);
                    }
                }
                ChaosRun.sleep(QUIET);
            }
            workload.operations().stream().map(Operations::line).forEach(System.out::println);
            workload.stopWriting();
            workload.check();
            violations.list().forEach(System.out::println);
            System.out.printf(
                    "%d restarts, %d violations%n", rounds * cluster.nodes().size(), violations.count());
            return violations.count() == 0 ? 0 : 1;
        }
    }

    private void restart(
            ChaosCluster cluster, ChaosNode node, Client watcher, ServiceWorkload workload, Violations violations) {
        boolean leads = node.name().equals(Leaders.of(watcher.nats(), workload.stream()));
        long begin = System.nanoTime();
        if (lameDuck) {
            node.retire();
        } else {
            node.stop();
        }
        long stopped = System.nanoTime();
        node.start();
        Duration healthy = cluster.awaitHealthy(WHOLE);
        Duration current = ChaosCluster.await(WHOLE, () -> Leaders.isWhole(watcher.nats(), workload.stream(), 3));
        if (healthy == null || current == null) {
            violations.add(
                    "I13",
                    "%s is not %s %d s after its restart"
                            .formatted(node.name(), healthy == null ? "healthy" : "current", WHOLE.toSeconds()));
        }
        System.out.printf(
                "%s%s: stopped in %d ms, healthy after %s ms, all current after %d ms%n",
                node.name(),
                leads ? ", the leader" : "",
                (stopped - begin) / 1_000_000,
                healthy == null ? "?" : Long.toString(healthy.toMillis()),
                (System.nanoTime() - stopped) / 1_000_000);
    }
}
