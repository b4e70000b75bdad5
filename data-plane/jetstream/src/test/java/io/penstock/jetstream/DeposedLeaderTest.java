package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import io.penstock.jetstream.TestingNodes.Node;
import org.junit.jupiter.api.Test;

/**
 * A leader that is cut off from the other replicas but not from clients, and does not know yet that another leads. How
 * long it does not know is up to the dice: the seeds are played until it was so in some of them.
 */
class DeposedLeaderTest {
    private static final long MILLI = 1_000_000L;
    private static final int SEEDS = 40;

    /** Answers whether the deposed leader still led by its own account when another was there. */
    private interface Play {
        boolean with(TestingNodes nodes);
    }

    private static void play(Play play) {
        int times = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            try {
                times += play.with(new TestingNodes(seed)) ? 1 : 0;
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(times).as("seeds with two leaders").isPositive();
    }

    private static Node cutOffLeader(TestingNodes nodes) {
        Node old = nodes.awaitLeader();
        nodes.cluster.isolate(old.name);
        nodes.router.isolate(old.name);
        nodes.cluster.runUntil(() -> nodes.leader() != null && nodes.leader() != old, 20 * SECOND);
        nodes.awaitLeader();
        return old;
    }

    @Test
    void redeliversNothingThatTheNextLeaderHasAcknowledged() {
        play(nodes -> {
            nodes.create("S", "\"subjects\":[\"s.>\"]");
            nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"ack_wait\":300000000");
            nodes.publish("s.1", "one", "id1");
            Inbox first = nodes.pull("S", "c", "{\"batch\":1,\"expires\":1000000000}");
            Message message = first.await(SECOND);
            first.close();
            // Its delivery gets to the other replicas.
            nodes.cluster.run(100 * MILLI);
            Node old = cutOffLeader(nodes);
            boolean answered = nodes.request(SECOND / 10, message.reply(), "+ACK") != null;
            boolean two = answered && old.engine.leading();
            nodes.router.heal();
            Inbox again = nodes.pull("S", "c", "{\"batch\":1,\"expires\":1000000000}");
            nodes.cluster.run(SECOND);
            if (answered) {
                assertThat(again.messages).noneMatch(m -> m.reply() != null);
            }
            again.close();
            return two;
        });
    }

    /** A backup begins with the same look at the lease as any answer; the deliver subject that is refused comes after it. */
    @Test
    void beginsNoBackup() {
        play(nodes -> {
            nodes.create("S", "\"subjects\":[\"s.>\"]");
            Node old = cutOffLeader(nodes);
            boolean two = old.engine.leading();
            nodes.router.heal();
            Inbox box = nodes.inbox();
            nodes.send("$JS.API.STREAM.SNAPSHOT.S", box.subject, "{\"deliver_subject\":\"$SYS.x\"}");
            nodes.cluster.run(SECOND / 10);
            two &= old.engine.leading();
            nodes.cluster.run(SECOND);
            assertThat(box.messages).hasSize(1);
            assertThat(TestingNode.json(box.messages.getFirst())
                            .at("/error/err_code")
                            .asInt())
                    .isEqualTo(10015);
            box.close();
            return two;
        });
    }

    @Test
    void doesNotAnswerWithAStateThatIsOver() {
        play(nodes -> {
            nodes.create("S", "\"subjects\":[\"s.>\"]");
            nodes.publish("s.1", "one", "id1");
            Node old = cutOffLeader(nodes);
            Message ack = nodes.request(SECOND / 10, "s.2", "two", "Nats-Msg-Id", "id2");
            boolean stored = ack != null && TestingNode.json(ack).get("error") == null;
            boolean two = stored && old.engine.leading();
            nodes.router.heal();
            Inbox box = nodes.inbox();
            nodes.send("$JS.API.STREAM.INFO.S", box.subject, "");
            nodes.cluster.run(SECOND);
            if (stored) {
                for (Message answer : box.messages) {
                    JsonNode info = TestingNode.json(answer);
                    assertThat(info.at("/state/messages").asInt()).isEqualTo(2);
                }
                assertThat(box.messages).isNotEmpty();
            }
            box.close();
            return two;
        });
    }
}
