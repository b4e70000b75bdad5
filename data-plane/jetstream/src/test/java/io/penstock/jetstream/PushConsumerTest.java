package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PushConsumerTest {
    private static final long SECOND = 1_000_000_000L;
    private final TestingNode node = new TestingNode().start();

    @BeforeEach
    void makeStream() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
    }

    private void consumer(String more) {
        JsonNode answer =
                node.createConsumer("S", "c", "\"deliver_subject\":\"d\"" + (more.isEmpty() ? "" : "," + more));
        assertThat(answer.get("error")).as(answer.toString()).isNull();
    }

    private JsonNode info() {
        return node.api("CONSUMER.INFO.S.c", "");
    }

    @Test
    void sendsOnlyWhileSomebodyListens() {
        consumer("");
        node.publish("s.a", "1");
        assertThat(info().get("push_bound")).isNull();
        Inbox box = node.inbox("d");
        assertThat(box.messages).hasSize(1);
        assertThat(info().get("push_bound").asBoolean()).isTrue();
        box.close();
        node.publish("s.a", "2");
        Inbox again = node.inbox("d");
        assertThat(again.messages).extracting(Message::payload).containsExactly("2");
    }

    @Test
    void sharesAmongADeliverGroup() {
        consumer("\"deliver_group\":\"g\"");
        Inbox a = node.queue("d", "g");
        Inbox b = node.queue("d", "g");
        node.publish("s.a", "1");
        node.publish("s.a", "2");
        assertThat(a.messages.size() + b.messages.size()).isEqualTo(2);
    }

    @Test
    void sendsHeartbeatsInSilence() {
        consumer("\"idle_heartbeat\":1000000000");
        Inbox box = node.inbox("d");
        node.publish("s.a", "1");
        node.loop.advance(2_500_000_000L);
        assertThat(box.messages).hasSize(3);
        Message beat = box.messages.getLast();
        assertThat(beat.status()).isEqualTo("100 Idle Heartbeat");
        assertThat(beat.header("Nats-Last-Consumer")).isEqualTo("1");
        assertThat(beat.header("Nats-Last-Stream")).isEqualTo("1");
    }

    @Test
    void stopsUntilFlowControlIsAnswered() {
        consumer("\"idle_heartbeat\":1000000000,\"flow_control\":true");
        Inbox box = node.inbox("d");
        String large = "x".repeat(500_000);
        for (int i = 0; i < 10; i++) {
            node.publish("s.a", large);
        }
        assertThat(box.messages).filteredOn(m -> m.payload().length() > 0).hasSize(5);
        Message request = box.messages.stream()
                .filter(m -> m.status().startsWith("100 Flow"))
                .findFirst()
                .orElseThrow();
        assertThat(request.reply()).startsWith("$JS.FC.S.c.");
        node.loop.advance(1_100_000_000L);
        assertThat(box.messages.getLast().header("Nats-Consumer-Stalled")).isEqualTo(request.reply());
        node.answer(request, null, "");
        assertThat(box.messages).filteredOn(m -> m.payload().length() > 0).hasSizeGreaterThan(7);
    }

    @Test
    void keepsToItsRate() {
        consumer("\"rate_limit_bps\":8000");
        Inbox box = node.inbox("d");
        for (int i = 0; i < 5; i++) {
            node.publish("s.a", "x".repeat(1000));
        }
        assertThat(box.messages).hasSize(1);
        node.loop.advance(2_300_000_000L);
        assertThat(box.messages).hasSize(3);
    }

    @Test
    void replaysAtTheOriginalPace() {
        for (int i = 0; i < 3; i++) {
            node.publish("s.a", "" + i);
            node.loop.advance(2 * SECOND);
        }
        consumer("\"replay_policy\":\"original\"");
        Inbox box = node.inbox("d");
        assertThat(box.messages).hasSize(1);
        node.loop.advance(1_900_000_000L);
        assertThat(box.messages).hasSize(1);
        node.loop.advance(200_000_000L);
        assertThat(box.messages).hasSize(2);
        node.publish("s.a", "3");
        node.loop.advance(2 * SECOND);
        assertThat(box.messages).hasSize(4);
    }

    @Test
    void resumesWhereItStoppedAfterACrash() {
        consumer("\"deliver_policy\":\"new\"");
        Inbox box = node.inbox("d");
        node.publish("s.a", "1");
        node.publish("s.a", "2");
        box.close();
        node.publish("s.a", "3");
        node.loop.advance(SECOND);
        node.crash();
        Inbox again = node.inbox("d");
        assertThat(again.messages).extracting(Message::payload).containsExactly("3");
        again.close();
        node.loop.advance(SECOND);
        node.crash();
        assertThat(node.inbox("d").messages).isEmpty();
    }

    @Test
    void ephemeralsDieWithTheirListener() {
        node.api(
                "CONSUMER.CREATE.S",
                "{\"stream_name\":\"S\",\"config\":{\"deliver_subject\":\"e\",\"mem_storage\":true,\"inactive_threshold\":2000000000}}");
        Inbox box = node.inbox("e");
        node.loop.advance(10 * SECOND);
        assertThat(node.api("CONSUMER.NAMES.S", "").get("total").asInt()).isEqualTo(1);
        box.close();
        node.loop.advance(3 * SECOND);
        assertThat(node.api("CONSUMER.NAMES.S", "").get("total").asInt()).isZero();
    }

    @Test
    void pullOnAPushConsumerIsRefused() {
        consumer("");
        assertThat(node.request("$JS.API.CONSUMER.MSG.NEXT.S.c", "").status()).isEqualTo("409 Consumer is push based");
    }
}
