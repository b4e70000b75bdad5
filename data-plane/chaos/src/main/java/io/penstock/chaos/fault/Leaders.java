package io.penstock.chaos.fault;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;

/** Who leads. */
public final class Leaders {
    private Leaders() {}

    /** Name of a stream's leader, empty when nobody says. */
    public static String of(Connection client, String stream) {
        try {
            StreamInfo info = client.jetStreamManagement(JetStreamOptions.builder()
                            .requestTimeout(Duration.ofSeconds(1))
                            .build())
                    .getStreamInfo(stream);
            String leader =
                    info.getClusterInfo() == null ? null : info.getClusterInfo().getLeader();
            return leader == null ? "" : leader;
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            return "";
        }
    }
}
