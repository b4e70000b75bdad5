package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final long SECOND = 1_000_000_000L;
    private final TestingNode node = new TestingNode().start();

    private JsonNode state() {
        return node.api("STREAM.INFO.S", "").get("state");
    }

    private Message next(String consumer) {
        Inbox box = node.inbox();
        node.send("$JS.API.CONSUMER.MSG.NEXT.S." + consumer, box.subject, "{\"no_wait\":true}");
        node.loop.runAll();
        Message message = box.take();
        box.close();
        return message;
    }

    private void ack(Message message) {
        Inbox box = node.inbox();
        node.answer(message, box, "");
        assertThat(box.messages).hasSize(1);
        box.close();
    }

    private int code(JsonNode answer) {
        return answer.at("/error/err_code").asInt();
    }

    @Test
    void interestKeepsWhatSomebodyWaitsFor() {
        node.createStream("S", "\"subjects\":[\"i.>\"],\"retention\":\"interest\"");
        assertThat(node.publish("i.a", "1").get("seq").asInt()).isEqualTo(1);
        assertThat(state().get("messages").asInt()).isZero();
        node.createConsumer("S", "b", "\"ack_policy\":\"explicit\",\"filter_subject\":\"i.b\"");
        node.publish("i.a", "2");
        node.publish("i.b", "3");
        assertThat(state().get("messages").asInt()).isEqualTo(1);
        node.api("CONSUMER.DELETE.S.b", "");
        assertThat(state().get("messages").asInt()).isZero();
        assertThat(state().get("last_seq").asInt()).isEqualTo(3);
    }

    @Test
    void loweredLimitsRemoveNothingWhereNewMessagesAreRefused() {
        for (String discard : new String[] {"old", "new"}) {
            node.createStream("S", "\"subjects\":[\"s\"]");
            for (int i = 0; i < 8; i++) {
                node.publish("s", "message");
            }
            JsonNode answer = node.api(
                    "STREAM.UPDATE.S",
                    "{\"name\":\"S\",\"subjects\":[\"s\"],\"discard\":\"" + discard
                            + "\",\"max_msgs\":5,\"max_bytes\":200}");
            assertThat(answer.get("error")).isNull();
            assertThat(state().get("messages").asInt()).isEqualTo(discard.equals("new") ? 8 : 5);
            assertThat(node.publish("s", "message").has("error")).isEqualTo(discard.equals("new"));
            node.api("STREAM.DELETE.S", "");
        }
    }

    @Test
    void interestRemovesOnceAllAreDone() {
        node.createStream("S", "\"subjects\":[\"i.>\"],\"retention\":\"interest\"");
        node.createConsumer("S", "all", "\"ack_policy\":\"explicit\"");
        node.createConsumer("S", "foo", "\"ack_policy\":\"explicit\",\"filter_subject\":\"i.foo\"");
        node.publish("i.foo", "1");
        node.publish("i.bar", "2");
        node.publish("i.foo", "3");
        for (int i = 0; i < 3; i++) {
            ack(next("all"));
        }
        assertThat(state().get("messages").asInt()).isEqualTo(2);
        ack(next("foo"));
        ack(next("foo"));
        assertThat(state().get("messages").asInt()).isZero();
        assertThat(node.api("CONSUMER.INFO.S.foo", "").get("num_pending").asInt())
                .isZero();
    }

    @Test
    void interestKeepsAMessageThatWasDeliveredTooOften() {
        node.createStream("S", "\"subjects\":[\"i.>\"],\"retention\":\"interest\"");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"max_deliver\":1,\"ack_wait\":1000000000");
        node.publish("i.a", "1");
        Message message = next("c");
        node.loop.advance(2 * SECOND);
        assertThat(state().get("messages").asInt()).isEqualTo(1);
        assertThat(node.api("CONSUMER.INFO.S.c", "").get("num_ack_pending").asInt())
                .isZero();
        assertThat(message).isNotNull();
        node.api("CONSUMER.DELETE.S.c", "");
        assertThat(state().get("messages").asInt()).isZero();
    }

    @Test
    void workqueueRemovesWithTheAck() {
        node.createStream(
                "S",
                "\"subjects\":[\"w.>\"],\"retention\":\"workqueue\",\"discard\":\"new\",\"max_msgs_per_subject\":1,\"discard_new_per_subject\":true");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        for (int i = 0; i < 50; i++) {
            assertThat(node.publish("w.a", "" + i).get("error")).isNull();
            ack(next("c"));
        }
        assertThat(state().get("messages").asInt()).isZero();
    }

    @Test
    void workqueueConsumersMustNotOverlap() {
        node.createStream("S", "\"subjects\":[\"w.>\"],\"retention\":\"workqueue\"");
        String explicit = "\"ack_policy\":\"explicit\"";
        assertThat(code(node.createConsumer("S", "a", explicit + ",\"filter_subject\":\"w.*.x\"")))
                .isZero();
        assertThat(code(node.createConsumer("S", "b", explicit + ",\"filter_subject\":\"w.>\"")))
                .isEqualTo(10100);
        assertThat(code(node.createConsumer("S", "b", explicit))).isEqualTo(10099);
        assertThat(code(node.createConsumer("S", "b", explicit + ",\"filter_subject\":\"w.y.z\"")))
                .isZero();
        assertThat(code(node.createConsumer("S", "a", explicit + ",\"filter_subject\":\"w.>\"")))
                .isEqualTo(10100);
        assertThat(code(node.createConsumer("S", "d", "\"ack_policy\":\"none\"")))
                .isEqualTo(10084);
        assertThat(code(node.createConsumer("S", "d", explicit + ",\"deliver_policy\":\"new\"")))
                .isEqualTo(10101);
    }

    @Test
    void poisonMessagesStayInAWorkqueue() {
        node.createStream("S", "\"subjects\":[\"w\"],\"retention\":\"workqueue\",\"discard\":\"new\",\"max_msgs\":10");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"max_deliver\":2,\"ack_wait\":200000000");
        Inbox advisories = node.inbox("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.c");
        for (int i = 0; i < 10; i++) {
            node.publish("w", "x");
        }
        Inbox box = node.inbox();
        node.send("$JS.API.CONSUMER.MSG.NEXT.S.c", box.subject, "{\"batch\":100,\"expires\":10000000000}");
        node.loop.advance(SECOND);
        assertThat(advisories.messages).hasSize(10);
        assertThat(code(node.publish("w", "x"))).isEqualTo(10077);
        node.api("STREAM.PURGE.S", "");
        assertThat(node.publish("w", "x").get("seq").asInt()).isEqualTo(11);
    }

    @Test
    void aPurgeBelowASequenceThatIsYetToComeMovesTheNextOne() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        assertThat(node.api("STREAM.PURGE.S", "{\"seq\":10}").get("purged").asInt())
                .isZero();
        assertThat(state().get("first_seq").asInt()).isEqualTo(10);
        assertThat(node.publish("s.a", "x").get("seq").asInt()).isEqualTo(10);
        node.api("STREAM.PURGE.S", "{\"seq\":40,\"filter\":\"s.a\"}");
        assertThat(node.publish("s.a", "x").get("seq").asInt()).isEqualTo(11);
        assertThat(node.api("STREAM.PURGE.S", "{\"seq\":20}").get("purged").asInt())
                .isEqualTo(1);
        node.crash();
        assertThat(state().get("last_seq").asInt()).isEqualTo(19);
        assertThat(node.publish("s.a", "x").get("seq").asInt()).isEqualTo(20);
        node.api("STREAM.PURGE.S", "{\"seq\":9223372036854775807}");
        assertThat(node.publish("s.a", "x").get("seq").asInt()).isEqualTo(21);
    }

    @Test
    void purgeCountsExactly() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        for (int i = 0; i < 6; i++) {
            node.publish("s." + i % 2, "x");
        }
        assertThat(node.api("STREAM.PURGE.S", "{\"seq\":1}").get("purged").asInt())
                .isZero();
        assertThat(node.api("STREAM.PURGE.S", "{\"seq\":3}").get("purged").asInt())
                .isEqualTo(2);
        assertThat(code(node.api("STREAM.PURGE.S", "{\"seq\":3,\"keep\":1}"))).isEqualTo(10003);
        assertThat(node.api("STREAM.PURGE.S", "{\"filter\":\"s.0\"}")
                        .get("purged")
                        .asInt())
                .isEqualTo(2);
        assertThat(state().get("first_seq").asInt()).isEqualTo(4);
        assertThat(state().get("last_seq").asInt()).isEqualTo(6);
        assertThat(node.api("STREAM.PURGE.S", "{\"keep\":1}").get("purged").asInt())
                .isEqualTo(1);
        node.api("STREAM.PURGE.S", "");
        node.crash();
        assertThat(state().get("first_seq").asInt()).isEqualTo(7);
        assertThat(node.publish("s.a", "x").get("seq").asInt()).isEqualTo(7);
    }

    @Test
    void memoryStreamsWorkWithoutTheLog() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"storage\":\"memory\",\"retention\":\"workqueue\"");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        long before = node.log.lastIndex();
        node.publish("s.a", "1");
        node.publish("s.a", "2");
        ack(next("c"));
        assertThat(state().get("messages").asInt()).isEqualTo(1);
        assertThat(node.log.lastIndex()).isEqualTo(before);
        node.checkpoint();
        node.crash();
        assertThat(state().get("messages").asInt()).isZero();
        assertThat(node.publish("s.a", "3").get("seq").asInt()).isEqualTo(1);
        assertThat(next("c").payload()).isEqualTo("3");
    }

    @Test
    void keepsAccountLimits() {
        node.limits =
                new io.penstock.broker.internal.JetStreamLimits(0, 400, 2, 3, -1, -1, -1, false, java.util.Map.of());
        TestingNode limited = node;
        limited.crash();
        assertThat(code(node.createStream("M", "\"storage\":\"memory\""))).isEqualTo(10028);
        assertThat(code(node.createStream("B", "\"max_bytes\":500"))).isEqualTo(10047);
        node.createStream("S", "\"subjects\":[\"s\"]");
        node.createStream("T", "");
        assertThat(code(node.createStream("U", ""))).isEqualTo(10027);
        int stored = 0;
        while (code(node.publish("s", "x".repeat(50))) == 0) {
            stored++;
        }
        assertThat(code(node.publish("s", "x".repeat(50)))).isEqualTo(10002);
        assertThat(stored).isBetween(3, 8);
        for (int i = 0; i < 3; i++) {
            assertThat(code(node.createConsumer("S", "c" + i, ""))).isZero();
        }
        assertThat(code(node.createConsumer("S", "c4", ""))).isEqualTo(10026);
    }
}
