package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.StreamInfo;
import io.penstock.chaos.fault.Leaders;
import io.penstock.chaos.host.ChaosCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads whole streams back, from each replica in turn by making it the leader. */
final class Stored {
    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** A message as it stands in the stream. */
    record Entry(long sequence, String subject, String value) {}

    private Stored() {}

    /** All messages, through whichever node leads. */
    static List<Entry> read(Connection connection, String stream)
            throws IOException, JetStreamApiException, InterruptedException {
        List<Entry> entries = new ArrayList<>();
        StreamInfo info = connection.jetStreamManagement().getStreamInfo(stream);
        long last = info.getStreamState().getLastSequence();
        if (info.getStreamState().getMsgCount() == 0) {
            return entries;
        }
        JetStreamSubscription subscription = connection
                .jetStream()
                .subscribe(
                        ">",
                        PushSubscribeOptions.builder().stream(stream)
                                .ordered(true)
                                .build());
        long until = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < until) {
            Message message = subscription.nextMessage(STEP);
            if (message == null) {
                continue;
            }
            long sequence = message.metaData().streamSequence();
            entries.add(
                    new Entry(sequence, message.getSubject(), new String(message.getData(), StandardCharsets.UTF_8)));
            if (sequence >= last || message.metaData().pendingCount() == 0) {
                break;
            }
        }
        subscription.unsubscribe();
        return entries;
    }

    /** Makes a node the stream's leader; false when it does not become it in time. */
    static boolean lead(Connection connection, String stream, String node) throws InterruptedException {
        byte[] request =
                "{\"placement\":{\"preferred\":\"%s\"}}".formatted(node).getBytes(StandardCharsets.UTF_8);
        for (int attempt = 0; attempt < 5; attempt++) {
            if (node.equals(Leaders.of(connection, stream))) {
                return true;
            }
            connection.request("$JS.API.STREAM.LEADER.STEPDOWN." + stream, request, Duration.ofSeconds(2));
            if (ChaosCluster.await(STEP, () -> node.equals(Leaders.of(connection, stream))) != null) {
                return true;
            }
        }
        return false;
    }

    /** How many messages a stream holds, -1 when nobody says. */
    static long messages(JetStreamManagement management, String stream) {
        try {
            return management.getStreamInfo(stream).getStreamState().getMsgCount();
        } catch (IOException | JetStreamApiException e) {
            return -1;
        }
    }
}
