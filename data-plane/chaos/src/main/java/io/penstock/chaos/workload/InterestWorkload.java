package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Publishers.Acked;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** W3. */
final class InterestWorkload implements Workload {
    private static final String STREAM = "INTEREST";
    private static final Duration DRAIN = Duration.ofMinutes(2);

    private final ChaosCluster cluster;
    private final Violations violations;
    private final Publishers publishers;
    private final Map<String, Worker.Shared> seen = new LinkedHashMap<>();
    private final Map<String, Worker> workers = new LinkedHashMap<>();

    InterestWorkload(ChaosCluster cluster, Violations violations) {
        this.cluster = cluster;
        this.violations = violations;
        this.publishers = new Publishers(cluster, "interest", 3, 10);
        reader("quick", 0);
        reader("steady", 0);
        reader("slow", 4_000_000);
    }

    private void reader(String durable, long pauseNanos) {
        Worker.Shared shared = new Worker.Shared();
        seen.put(durable, shared);
        workers.put(
                durable,
                new Worker(() -> cluster.connect("app"), STREAM, durable, shared, 0, 0, 0, pauseNanos, violations));
    }

    @Override
    public void prepare() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            JetStreamManagement management = connection.jetStreamManagement();
            management.addStream(StreamConfiguration.builder()
                    .name(STREAM)
                    .subjects("interest.>")
                    .retentionPolicy(RetentionPolicy.Interest)
                    .duplicateWindow(Duration.ofMinutes(10))
                    .replicas(cluster.nodes().size())
                    .build());
            for (String durable : workers.keySet()) {
                management.addOrUpdateConsumer(
                        STREAM,
                        ConsumerConfiguration.builder()
                                .durable(durable)
                                .ackPolicy(AckPolicy.Explicit)
                                .ackWait(Duration.ofSeconds(5))
                                .build());
            }
        }
    }

    @Override
    public void start() {
        publishers.start();
        workers.values().forEach(Worker::start);
    }

    @Override
    public void stopWriting() {
        publishers.stop();
    }

    @Override
    public void check() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            JetStreamManagement management = connection.jetStreamManagement();
            Duration drained = ChaosCluster.await(DRAIN, () -> Stored.messages(management, STREAM) == 0);
            workers.values().forEach(Worker::stop);
            if (drained == null) {
                violations.add(
                        "I13", "%d messages are left after %s".formatted(Stored.messages(management, STREAM), DRAIN));
            }
        }
        seen.forEach((durable, shared) -> {
            for (Acked message : publishers.acked()) {
                if (!shared.delivered.contains(message.value())) {
                    violations.add(
                            "I7",
                            "%s at %d was never delivered to %s"
                                    .formatted(message.value(), message.sequence(), durable));
                }
            }
        });
    }

    @Override
    public AckGap gap() {
        return publishers.gap();
    }

    @Override
    public String stream() {
        return STREAM;
    }

    @Override
    public long acked() {
        return publishers.acked().size()
                + seen.values().stream()
                        .mapToLong(shared -> shared.acknowledged.size())
                        .sum();
    }
}
