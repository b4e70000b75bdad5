package io.penstock.chaos;

import io.nats.client.Connection;
import io.penstock.chaos.fault.Leaders;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Violations;
import io.penstock.chaos.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long nobody is answered when a leader dies or its host is cut off. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        description =
                "Longest gap between acknowledgements of synchronous publishers when the stream's leader is killed,"
                        + " and when its host is cut off. Needs root.")
final class FailoverCommand implements Callable<Integer> {
    @Mixin
    private Place place;

    @Option(names = "--times", defaultValue = "5", description = "How often each. Default: 5.")
    private int times;

    @Override
    public Integer call() throws Exception {
        Path folder = place.folder("failover");
        try (ChaosCluster cluster = new ChaosCluster(3, folder, place.server(), place.jetStream())) {
            cluster.start();
            if (cluster.awaitHealthy(Duration.ofMinutes(1)) == null) {
                throw new IOException("the cluster is not healthy after 60 s; the logs are in " + folder);
            }
            Violations violations = new Violations();
            Workload workload = Workload.Kind.W1.create(cluster, new Random(1), violations);
            ChaosRun.prepare(workload::prepare);
            workload.start();
            try (Client app = cluster.connect("app")) {
                Connection client = app.nats();
                measure("SIGKILL of the leader", cluster, client, workload, ChaosNode::kill);
                measure(
                        "leader's host cut off",
                        cluster,
                        client,
                        workload,
                        node -> cluster.network().cut(node.number()));
            }
            workload.stopWriting();
            workload.check();
            violations.list().forEach(System.out::println);
            System.out.printf("%d acknowledged, %d violations%n", workload.acked(), violations.count());
            return violations.count() == 0 ? 0 : 1;
        }
    }

    private void measure(
            String name, ChaosCluster cluster, Connection client, Workload workload, Consumer<ChaosNode> loss) {
        List<Long> gaps = new ArrayList<>();
        List<Long> ofOne = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            settle(cluster, workload);
            ChaosNode leader = cluster.node(Leaders.of(client, workload.stream()));
            workload.gap().restart();
            loss.accept(leader);
            Duration ignored = ChaosCluster.await(Duration.ofSeconds(12), () -> false);
            assert ignored == null;
            gaps.add(workload.gap().longestNanos() / 1_000_000);
            ofOne.add(workload.gap().longestOfOneNanos() / 1_000_000);
            cluster.heal();
        }
        report(name + ", anybody answered", gaps);
        report(name + ", of one publisher", ofOne);
    }

    private static void report(String name, List<Long> gaps) {
        Collections.sort(gaps);
        System.out.printf(
                "%-44s longest gap ms: %s  p50 %d  max %d%n", name, gaps, gaps.get(gaps.size() / 2), gaps.getLast());
    }

    private static void settle(ChaosCluster cluster, Workload workload) {
        if (cluster.awaitHealthy(Duration.ofMinutes(1)) == null) {
            throw new IllegalStateException("not every node is healthy 60 s after it came back");
        }
        workload.spread();
        long acks = workload.gap().acks();
        Duration ignored =
                ChaosCluster.await(Duration.ofSeconds(30), () -> workload.gap().acks() > acks + 500);
    }
}
