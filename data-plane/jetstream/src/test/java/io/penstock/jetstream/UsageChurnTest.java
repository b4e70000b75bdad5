package io.penstock.jetstream;

import static io.penstock.jetstream.Answers.error;
import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.JetStreamLimits;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an account uses, after streams came, grew, moved and went among changes of leaders; from a seed. */
class UsageChurnTest {
    private static final int CYCLES = 200;
    private static final long LIMIT = 40_000;

    private final TestingMembers cluster = new TestingMembers(51, 5, 5, "");
    private final Random random = new Random(51);
    private int messages;

    @Test
    void usageDoesNotDrift() {
        cluster.awaitGroups(5);
        cluster.members
                .values()
                .forEach(m -> cluster.nodes
                        .loop(m.name)
                        .execute(() -> m.host.enable(
                                "A",
                                cluster.router.client(m.name),
                                new JetStreamLimits(-1, LIMIT, -1, -1, -1, -1, -1, false, Map.of()))));
        int room = fill("Fill");
        remove("Fill");
        for (int i = 0; i < CYCLES; i++) {
            String name = "S" + i % 7;
            JsonNode made = insist("STREAM.CREATE." + name, config(name, random.nextBoolean() ? 3 : 5), 10058);
            assertThat(made.path("error").isMissingNode()).as("%s", made).isTrue();
            int count = 1 + random.nextInt(5);
            for (int j = 0; j < count; j++) {
                publish(name);
            }
            if (random.nextInt(3) == 0) {
                cluster.api("STREAM.LEADER.STEPDOWN." + name, "");
            }
            if (random.nextInt(3) == 0) {
                insist("STREAM.PURGE." + name, "{\"keep\":1}", 0);
            }
            if (random.nextInt(4) == 0) {
                int replicas = made.path("config").path("num_replicas").asInt() == 3 ? 5 : 3;
                cluster.api("STREAM.UPDATE." + name, config(name, replicas));
                publish(name);
            }
            if (i % 25 == 0) {
                awaitEqual(i);
            }
            remove(name);
        }
        awaitEqual(CYCLES);
        assertThat(scanned()).isZero();
        assertThat(told()).isZero();
        assertThat(fill("Fill")).isEqualTo(room);
    }

    private static String config(String name, int replicas) {
        return "{\"name\":\"" + name + "\",\"subjects\":[\"" + name + ".>\"],\"num_replicas\":" + replicas + "}";
    }

    /** Asks until there is an answer; {@code done} is the error of what was done already, though the answer was lost. */
    private JsonNode insist(String subject, String body, int done) {
        for (int i = 0; i < 20; i++) {
            JsonNode answer = cluster.api(subject, body);
            if (answer != null && (answer.path("error").isMissingNode() || error(answer) == done)) {
                return answer;
            }
            cluster.nodes.run(SECOND / 2);
        }
        throw new AssertionError("no answer to " + subject + "; seed " + cluster.nodes.seed());
    }

    private JsonNode publish(String name) {
        String id = "m" + messages++;
        for (int i = 0; i < 60; i++) {
            JsonNode ack = cluster.publish(name + ".x", "x".repeat(200), id);
            if (ack != null) {
                return ack;
            }
        }
        throw new AssertionError("never acknowledged: " + name + "; seed " + cluster.nodes.seed());
    }

    private void remove(String name) {
        insist("STREAM.DELETE." + name, "", 10059);
        cluster.nodes.runUntil(() -> error(answered(name)) == 10059, 30 * SECOND);
    }

    private JsonNode answered(String name) {
        JsonNode info = cluster.api("STREAM.INFO." + name, "");
        return info == null ? TestingNode.json(new TestingNode.Message("", "", "", "{}")) : info;
    }

    /** How many messages the account may store, all others gone. */
    private int fill(String name) {
        insist("STREAM.CREATE." + name, config(name, 3), 10058);
        cluster.nodes.run(3 * SECOND);
        int count = 0;
        while (true) {
            JsonNode ack = publish(name);
            if (error(ack) == 10002) {
                return count;
            }
            assertThat(ack.path("seq").asInt()).as("%s", ack).isEqualTo(++count);
        }
    }

    /** Nodes tell each other what they lead once a second. */
    private void awaitEqual(int cycles) {
        long end = cluster.nodes.now() + 30 * SECOND;
        while (told() != scanned()) {
            assertThat(cluster.nodes.now())
                    .as("after %d cycles %d bytes are told and %d are there", cycles, told(), scanned())
                    .isLessThan(end);
            cluster.nodes.run(SECOND);
        }
    }

    /** What the streams that are led come to, with each of their replicas. */
    private long scanned() {
        return cluster.members.values().stream()
                .flatMap(m -> m.host.account("A").streams().stream())
                .mapToLong(stream -> stream.machine().store().state().bytes()
                        * stream.machine().config().numReplicas())
                .sum();
    }

    private long told() {
        return insist("INFO", "", 0).path("storage").asLong();
    }
}
