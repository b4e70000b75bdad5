package io.penstock.jetstream;

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
}
