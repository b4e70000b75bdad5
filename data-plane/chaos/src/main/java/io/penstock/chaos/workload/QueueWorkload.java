package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Publishers.Acked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** W2. */
final class QueueWorkload implements Workload {
    private static final String STREAM = "QUEUE";
    private static final String DURABLE = "workers";
    private static final Duration DRAIN = Duration.ofMinutes(2);

    private final ChaosCluster cluster;
    private final Violations violations;
    private final Publishers publishers;
    private final Worker.Shared shared = new Worker.Shared();
    private final List<Worker> workers = new ArrayList<>();

    QueueWorkload(ChaosCluster cluster, long seed, Violations violations) {
        this.cluster = cluster;
        this.violations = violations;
        this.publishers = new Publishers(cluster, "queue", 4, 10);
        Random seeds = new Random(seed);
        for (int worker = 0; worker < 4; worker++) {
            workers.add(new Worker(
                    () -> cluster.connect("app"), STREAM, DURABLE, shared, seeds.nextLong(), 5, 1, 0, violations));
        }
    }

    @Override
    public void prepare() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            JetStreamManagement management = connection.jetStreamManagement();
            management.addStream(StreamConfiguration.builder()
                    .name(STREAM)
                    .subjects("queue.>")
                    .retentionPolicy(RetentionPolicy.WorkQueue)
                    .duplicateWindow(Duration.ofMinutes(10))
                    .replicas(cluster.nodes().size())
                    .build());
            management.addOrUpdateConsumer(STREAM, Worker.consumer(DURABLE));
        }
    }

    @Override
    public void start() {
        publishers.start();
        workers.forEach(Worker::start);
    }

    @Override
    public void stopWriting() {
        publishers.stop();
        workers.forEach(Worker::drain);
    }

    @Override
    public void check() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            JetStreamManagement management = connection.jetStreamManagement();
            Duration drained = ChaosCluster.await(DRAIN, () -> Stored.messages(management, STREAM) == 0);
            workers.forEach(Worker::stop);
            if (drained == null) {
                violations.add(
                        "I13",
                        "%d messages are left in the queue after %s"
                                .formatted(Stored.messages(management, STREAM), DRAIN));
            }
        }
        for (Acked message : publishers.acked()) {
            if (!shared.delivered.contains(message.value())) {
                violations.add(
                        "I7",
                        "acknowledged %s at %d was never delivered".formatted(message.value(), message.sequence()));
            }
        }
        for (String value : shared.delivered) {
            if (!publishers.sent().containsKey(value)) {
                violations.add("I6", "%s was delivered and never sent".formatted(value));
            }
        }
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
        return (long) publishers.acked().size() + shared.acknowledged.size();
    }
}
