package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Stored.Entry;
import java.time.Duration;
import java.util.List;

/** W1. */
final class LimitsWorkload implements Workload {
    private static final String STREAM = "LIMITS";

    private final ChaosCluster cluster;
    private final Violations violations;
    private final Publishers publishers;

    LimitsWorkload(ChaosCluster cluster, Violations violations) {
        this.cluster = cluster;
        this.violations = violations;
        this.publishers = new Publishers(cluster, "limits", 6, 20);
    }

    @Override
    public void prepare() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name(STREAM)
                            .subjects("limits.>")
                            .storageType(StorageType.File)
                            .retentionPolicy(RetentionPolicy.Limits)
                            .duplicateWindow(Duration.ofMinutes(10))
                            .replicas(cluster.nodes().size())
                            .build());
        }
    }

    @Override
    public void start() {
        publishers.start();
    }

    @Override
    public void stopWriting() {
        publishers.stop();
    }

    @Override
    public void check() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            List<Entry> first = null;
            for (ChaosNode node : cluster.nodes()) {
                if (!Stored.lead(connection, STREAM, node.name())) {
                    violations.add("I13", "%s does not become the leader of %s".formatted(node.name(), STREAM));
                    continue;
                }
                List<Entry> entries = Stored.read(connection, STREAM);
                PublishCheck.check(publishers.acked(), publishers.sent(), entries, node.name(), violations);
                if (first != null && !first.equals(entries)) {
                    violations.add("I10", "%s holds another stream than the first replica".formatted(node.name()));
                }
                first = first == null ? entries : first;
            }
        }
    }

    @Override
    public AckGap gap() {
        return publishers.gap();
    }

    @Override
    public void spread() {
        publishers.spread();
    }

    @Override
    public String stream() {
        return STREAM;
    }

    @Override
    public long acked() {
        return publishers.acked().size();
    }
}
