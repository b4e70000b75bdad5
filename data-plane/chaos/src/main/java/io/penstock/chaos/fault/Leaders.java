package io.penstock.chaos.fault;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ClusterInfo;
import java.io.IOException;
import java.time.Duration;

/** Who leads. */
public final class Leaders {
    private Leaders() {}

    /** Whether a stream has a leader and so many replicas, all of them current. */
    public static boolean isWhole(Connection client, String stream, int replicas) {
        ClusterInfo cluster = cluster(client, stream);
        return cluster != null
                && cluster.getLeader() != null
                && cluster.getReplicas() != null
                && cluster.getReplicas().size() == replicas - 1
                && cluster.getReplicas().stream().allMatch(replica -> replica.isCurrent() && !replica.isOffline());
    }

    /** Name of a stream's leader, empty when nobody says. */
    public static String of(Connection client, String stream) {
        ClusterInfo cluster = cluster(client, stream);
        return cluster == null || cluster.getLeader() == null ? "" : cluster.getLeader();
    }

    private static ClusterInfo cluster(Connection client, String stream) {
        try {
            return client.jetStreamManagement(JetStreamOptions.builder()
                            .requestTimeout(Duration.ofSeconds(1))
                            .build())
                    .getStreamInfo(stream)
                    .getClusterInfo();
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            return null;
        }
    }
}
