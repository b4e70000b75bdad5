package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.jetstream.runtime.Waiter;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.RestoredStream;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stream that is on its way out of a backup. */
class HiddenStreamTest {
    private final TestingNode node = new TestingNode().start();

    private void begin() {
        StreamConfig config =
                StreamConfig.builder().name("S").subjects(List.of("s")).build();
        byte[] body = RestoredStream.creation("A", JetStreamJson.write(config), node.loop.now());
        node.engine.propose(RecordType.STREAM_CREATE, 0, body, Waiter.NOBODY);
        node.loop.runAll();
        assertThat(node.engine.streams().all()).hasSize(1);
    }

    @Test
    void isNotThereForAnybody() {
        begin();
        assertThat(node.api("STREAM.NAMES", "").get("total").asInt()).isZero();
        assertThat(node.request("s", "x")).isNull();
        assertThat(node.createStream("S", "\"subjects\":[\"s\"]").has("error")).isFalse();
        assertThat(node.publish("s", "x").get("seq").asInt()).isEqualTo(1);
    }

    @Test
    void goesWithTheProcessThatBroughtIt() {
        begin();
        node.crash();
        assertThat(node.engine.streams().all()).isEmpty();
        node.checkpoint();
        node.crash();
        assertThat(node.engine.streams().all()).isEmpty();
    }
}
