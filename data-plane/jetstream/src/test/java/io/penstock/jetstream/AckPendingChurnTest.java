package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.GROUP;
import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A push consumer whose members die and whose leader changes: what is in flight stays within its bound all the while. */
class AckPendingChurnTest {
    private static final int MESSAGES = 1200;
    private static final int MOST = 50;

    /** What a worker acknowledges in a step: all together less than may be in flight. */
    private static final int AT_ONCE = 6;

    private static final long STEP = SECOND / 10;
    private static final long ACK_WAIT = 2 * SECOND;

    private final TestingNodes nodes = new TestingNodes(61);
    private final Random random = new Random(61);
    private final Set<String> seen = new TreeSet<>();

    /** Takes messages of the group and acknowledges some of them in a step, unless it died meanwhile. */
    private final class Worker {
        private final List<String> due = new ArrayList<>();
        private final InternalSubscription subscription = nodes.router
                .client("outside")
                .subscribeQueue("deliver", "workers", message -> {
                    byte[] payload = new byte[message.payloadLength()];
                    message.copyPayload(payload, 0);
                    seen.add(new String(payload, StandardCharsets.UTF_8));
                    due.add(message.reply());
                });

        void work() {
            List<String> now = List.copyOf(due.subList(0, Math.min(due.size(), AT_ONCE)));
            due.removeAll(now);
            now.forEach(reply -> nodes.send(reply, null, "+ACK"));
        }
    }

    @Test
    void neverMoreInFlightThanAllowed() {
        nodes.create("S", "\"subjects\":[\"s\"]");
        nodes.createConsumer(
                "S",
                "c",
                "\"deliver_subject\":\"deliver\",\"deliver_group\":\"workers\",\"ack_policy\":\"explicit\","
                        + "\"max_ack_pending\":" + MOST + ",\"ack_wait\":" + ACK_WAIT);
        for (int i = 0; i < MESSAGES; i++) {
            nodes.publish("s", "m" + i, "id" + i);
        }
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(new Worker());
        }
        int samples = 0;
        long largest = 0;
        long lastProgress = nodes.cluster.now();
        int before = 0;
        for (long step = 1; seen.size() < MESSAGES; step++) {
            nodes.cluster.run(STEP);
            if (step % 20 == 0) {
                int dies = random.nextInt(workers.size());
                workers.remove(dies).subscription.close();
                workers.add(new Worker());
            }
            if (step % 50 == 0) {
                String next = nodes.follower();
                nodes.cluster.runUntil(() -> nodes.cluster.moveLeader(GROUP, next), 20 * SECOND);
            }
            JsonNode info = nodes.api("CONSUMER.INFO.S.c", "");
            if (info != null && info.has("num_ack_pending")) {
                samples++;
                largest = Math.max(largest, info.get("num_ack_pending").asLong());
                assertThat(largest).as("in flight at step %d", step).isLessThanOrEqualTo(MOST);
            }
            workers.forEach(Worker::work);
            if (seen.size() > before) {
                before = seen.size();
                lastProgress = nodes.cluster.now();
            }
            assertThat(nodes.cluster.now() - lastProgress)
                    .as("nothing new for so long at step %d", step)
                    .isLessThan(ACK_WAIT + 10 * SECOND);
        }
        assertThat(samples).isGreaterThan(30);
        assertThat(largest).as("the bound is reached").isEqualTo(MOST);
        long end = nodes.cluster.now() + 60 * SECOND;
        while (true) {
            nodes.cluster.run(STEP);
            workers.forEach(Worker::work);
            JsonNode info = nodes.api("CONSUMER.INFO.S.c", "");
            if (info != null
                    && info.path("num_ack_pending").asInt(1) == 0
                    && info.path("num_pending").asInt(1) == 0) {
                return;
            }
            assertThat(nodes.cluster.now()).as("still in flight: %s", info).isLessThan(end);
        }
    }
}
