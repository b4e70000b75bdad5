package io.penstock.chaos;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import io.penstock.chaos.fault.Leaders;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import io.penstock.chaos.host.Client;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long a cluster without a majority takes to work again once a second node is started. */
@Command(
        name = "drill",
        mixinStandardHelpOptions = true,
        description =
                "Kills two of three nodes, sees that nothing is acknowledged, starts one of them: the time from its start"
                        + " to a leader and to an acknowledged publish. Then the third. Needs root.")
final class DrillCommand implements Callable<Integer> {
    private static final String STREAM = "DRILL";
    private static final Duration ALONE = Duration.ofSeconds(4);
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final long PAUSE_NANOS = 10_000_000L;

    @Mixin
    private Place place;

    @Option(names = "--times", defaultValue = "5", description = "How often. Default: 5.")
    private int times;

    private final List<Long> listening = new ArrayList<>();
    private final List<Long> publishing = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Path folder = place.folder("drill");
        int wrong = 0;
        try (ChaosCluster cluster = new ChaosCluster(3, folder, place.server(), place.jetStream())) {
            cluster.start();
            for (int time = 0; time < times; time++) {
                if (cluster.awaitHealthy(LIMIT) == null) {
                    throw new IOException("the cluster is not healthy after 60 s; the logs are in " + folder);
                }
                wrong += drill(cluster, time);
            }
        }
        report("start to clients served", listening);
        report("start to acknowledged publish", publishing);
        return wrong == 0 ? 0 : 1;
    }

    private int drill(ChaosCluster cluster, int time) throws Exception {
        int wrong = 0;
        ChaosNode second = cluster.nodes().get((time + 1) % 3);
        ChaosNode third = cluster.nodes().get((time + 2) % 3);
        try (Client client = cluster.connectFirst("app", time)) {
            Connection connection = client.nats();
            ChaosRun.prepare(() -> stream(connection));
            JetStream jetStream = connection.jetStream(
                    JetStreamOptions.builder().requestTimeout(PATIENCE).build());
            require(ChaosCluster.await(LIMIT, () -> Leaders.isWhole(connection, STREAM, 3)), "all replicas current");
            second.kill();
            third.kill();
            long until = System.nanoTime() + ALONE.toNanos();
            boolean first = true;
            while (System.nanoTime() < until) {
                // The one in flight may have been on two nodes before they died.
                if (isAcknowledged(jetStream) && !first) {
                    wrong++;
                }
                first = false;
            }
            long begin = System.nanoTime();
            second.start();
            Thread watch = Thread.ofVirtual().start(() -> {
                if (ChaosCluster.await(LIMIT, () -> second.get("/varz").contains(second.name())) != null) {
                    listening.add((System.nanoTime() - begin) / 1_000_000);
                }
            });
            require(ChaosCluster.await(LIMIT, () -> isAcknowledged(jetStream)), "a publish acknowledged by two nodes");
            publishing.add((System.nanoTime() - begin) / 1_000_000);
            watch.join();
            System.out.printf(
                    "%s started: clients served after %d ms, acknowledged after %d ms%n",
                    second.name(), listening.getLast(), publishing.getLast());
            third.start();
            require(ChaosCluster.await(LIMIT, () -> Leaders.isWhole(connection, STREAM, 3)), "all replicas current");
        }
        if (wrong > 0) {
            System.out.printf("%d publishes were acknowledged by one node of three%n", wrong);
        }
        return wrong;
    }

    private static void stream(Connection connection) throws IOException, JetStreamApiException {
        JetStreamManagement management = connection.jetStreamManagement();
        if (!management.getStreamNames().contains(STREAM)) {
            management.addStream(StreamConfiguration.builder()
                    .name(STREAM)
                    .subjects("drill")
                    .replicas(3)
                    .build());
        }
    }

    private static boolean isAcknowledged(JetStream jetStream) {
        try {
            return jetStream.publish("drill", new byte[] {1}) != null;
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            LockSupport.parkNanos(PAUSE_NANOS);
            return false;
        }
    }

    private static void require(Duration time, String what) throws IOException {
        if (time == null) {
            throw new IOException("no " + what + " within " + LIMIT.toSeconds() + " s");
        }
    }

    private static void report(String name, List<Long> times) {
        Collections.sort(times);
        System.out.printf("%-32s ms: %s  p50 %d  max %d%n", name, times, times.get(times.size() / 2), times.getLast());
    }
}
