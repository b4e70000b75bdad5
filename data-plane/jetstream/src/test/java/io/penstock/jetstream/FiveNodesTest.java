package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingMembers.Member;
import io.penstock.jetstream.state.StreamMachine;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Five replicas, of which two stand still while a third loses power, and then the other two. */
class FiveNodesTest {
    private static final int MESSAGES = 25;

    private final Map<Long, String> acknowledged = new TreeMap<>();
    private TestingMembers cluster;

    @Test
    void whatOneReplicaAloneHasOfTheMajorityOutlivesItsPowerLoss() {
        for (long seed = 71; seed < 76; seed++) {
            acknowledged.clear();
            play(seed);
        }
    }

    private void play(long seed) {
        cluster = new TestingMembers(seed, 5, 5, "");
        cluster.awaitGroups(5);
        cluster.create("S", 5, "");
        publish("all", MESSAGES);

        cluster.isolate("n1");
        cluster.isolate("n2");
        publish("without n1 and n2", MESSAGES);
        cluster.crash("n3", true);
        cluster.restart("n3");
        cluster.heal();
        cluster.isolate("n4");
        cluster.isolate("n5");
        // Of those who go on, n3 alone has what was acknowledged last.
        publish("without n4 and n5", MESSAGES);
        cluster.heal();
        publish("all again", MESSAGES);

        assertThat(acknowledged).hasSize(4 * MESSAGES);
        cluster.nodes.runUntil(
                () -> cluster.members.values().stream()
                        .allMatch(m ->
                                machine(m) != null && machine(m).store().state().lastSequence() >= 4 * MESSAGES),
                120 * SECOND);
        cluster.members
                .values()
                .forEach(m -> acknowledged.forEach((sequence, payload) -> assertThat(
                                new String(machine(m).store().load(sequence).payload(), StandardCharsets.UTF_8))
                        .as("message %d at %s, seed %d", sequence, m.name, seed)
                        .isEqualTo(payload)));
    }

    private static StreamMachine machine(Member member) {
        return member.host.engines().stream()
                .flatMap(engine -> engine.streams().all().stream())
                .filter(stream -> stream.config().name().equals("S"))
                .findFirst()
                .orElse(null);
    }

    private void publish(String when, int count) {
        for (int i = 0; i < count; i++) {
            String payload = when + " " + i;
            long end = cluster.nodes.now() + 120 * SECOND;
            JsonNode ack = null;
            while (ack == null || !ack.has("seq")) {
                assertThat(cluster.nodes.now())
                        .as("%s is not acknowledged", payload)
                        .isLessThan(end);
                ack = cluster.publish("S.x", payload, payload);
            }
            long sequence = ack.get("seq").asLong();
            assertThat(acknowledged.put(sequence, payload))
                    .as("another message acknowledged as %d", sequence)
                    .isNull();
        }
    }
}
