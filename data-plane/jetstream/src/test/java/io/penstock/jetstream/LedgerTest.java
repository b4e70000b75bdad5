package io.penstock.jetstream;

import static io.penstock.jetstream.Answers.error;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.JetStreamLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final TestingNode node = new TestingNode();

    @Test
    void freedBytesMakeRoomAgain() {
        node.limits = new JetStreamLimits(-1, 1000, -1, -1, -1, -1, -1, false, Map.of());
        node.start();
        node.createStream("S", "\"subjects\":[\"s\"]");
        node.createStream("T", "\"subjects\":[\"t\"]");
        while (node.publish("s", "x".repeat(60)).get("error") == null) {
            assertThat(node.api("INFO", "").get("storage").asLong()).isLessThanOrEqualTo(1000);
        }
        assertThat(refused("t")).isTrue();
        node.api("STREAM.PURGE.S", "{\"keep\":2}");
        assertThat(refused("t")).isFalse();
        node.api("STREAM.DELETE.S", "");
        for (int i = 0; i < 5; i++) {
            assertThat(refused("t")).isFalse();
        }
        node.crash();
        int more = 0;
        while (!refused("t")) {
            more++;
        }
        assertThat(more).isLessThan(10);
    }

    private boolean refused(String subject) {
        JsonNode ack = node.publish(subject, "x".repeat(60));
        return ack.at("/error/err_code").asInt() == 10002;
    }

    @Test
    void theServersBoundHoldsForAllAccountsTogether() {
        node.options = node.options.toBuilder().maxStorage(500).build();
        node.start();
        node.createStream("S", "\"subjects\":[\"s\"]");
        JsonNode ack = node.publish("s", "x");
        while (ack.get("error") == null) {
            ack = node.publish("s", "x".repeat(60));
        }
        assertThat(ack.at("/error/err_code").asInt()).isEqualTo(10023);
        assertThat(node.api("INFO", "").get("storage").asLong()).isLessThanOrEqualTo(500);
    }

    @Test
    void moreStoredThanTodaysLimitIsServedAndOnlyGrowthIsRefused() {
        node.start();
        node.createStream("S", "\"subjects\":[\"s\"],\"max_bytes\":4000");
        for (int i = 0; i < 20; i++) {
            assertThat(refused("s")).isFalse();
        }
        node.checkpoint();
        node.options = node.options.toBuilder().maxStorage(1000).build();
        node.crash();

        JsonNode state = node.api("STREAM.INFO.S", "").get("state");
        assertThat(state.get("messages").asInt()).isEqualTo(20);
        assertThat(state.get("bytes").asLong()).isGreaterThan(1000);
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        for (int i = 0; i < 20; i++) {
            assertThat(node.request("$JS.API.CONSUMER.MSG.NEXT.S.c", "").payload())
                    .hasSize(60);
        }
        assertThat(error(node.publish("s", "x"))).isEqualTo(10023);
        assertThat(error(update(5000))).isEqualTo(10047);
        assertThat(error(update(4000))).isZero();
        assertThat(error(update(3000))).isZero();
        String other = "{\"name\":\"T\",\"subjects\":[\"t\"],\"max_bytes\":1}";
        assertThat(error(node.api("STREAM.CREATE.T", other))).isEqualTo(10047);

        node.api("STREAM.PURGE.S", "{\"keep\":2}");
        assertThat(node.publish("s", "x").get("seq").asInt()).isEqualTo(21);
    }

    private JsonNode update(int maxBytes) {
        return node.api(
                "STREAM.UPDATE.S",
                "{\"name\":\"S\",\"subjects\":[\"s\"],\"description\":\"d\",\"max_bytes\":" + maxBytes + "}");
    }
}
