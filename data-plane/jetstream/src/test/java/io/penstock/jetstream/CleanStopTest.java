package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What consumers did just before their node is stopped is known afterwards. */
class CleanStopTest {
    private static final String CONSUMER = "\"ack_policy\":\"explicit\",\"ack_wait\":60000000000";

    private static void assertKnown(JsonNode info) {
        assertThat(info.at("/delivered/stream_seq").asInt()).isEqualTo(6);
        assertThat(info.at("/num_ack_pending").asInt()).isEqualTo(2);
        assertThat(info.at("/ack_floor/stream_seq").asInt()).isEqualTo(4);
    }

    @Test
    void aNodeAloneKnowsWhatWasDeliveredAndAcknowledged() {
        TestingNode node = new TestingNode().start();
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.createConsumer("S", "c", CONSUMER);
        for (int i = 0; i < 6; i++) {
            node.publish("s.1", "v" + i);
        }
        TestingNode.Inbox box = node.inbox();
        node.send("$JS.API.CONSUMER.MSG.NEXT.S.c", box.subject, "6");
        node.loop.runAll();
        assertThat(box.messages).hasSize(6);
        box.messages.subList(0, 4).forEach(message -> node.answer(message, null, ""));
        node.host.stop();
        node.loop.runAll();
        node.crash();
        assertKnown(node.api("CONSUMER.INFO.S.c", ""));
    }

    /** Each seed lets the other node take over after another while. */
    @ParameterizedTest
    @ValueSource(longs = {1, 4, 5})
    void whoeverTakesOverKnowsWhatWasDeliveredAndAcknowledged(long seed) {
        TestingMembers cluster = new TestingMembers(seed, 3, 3, "");
        cluster.awaitGroups(3);
        assertThat(cluster.create("S", 3, "").get("error")).isNull();
        cluster.api(
                "CONSUMER.CREATE.S.c", "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\"," + CONSUMER + "}}");
        for (int i = 0; i < 6; i++) {
            assertThat(cluster.publish("S.1", "v" + i, "id" + i)).isNotNull();
        }
        List<String> acks = new ArrayList<>();
        cluster.client.subscribe("_INBOX.six", message -> acks.add(message.reply()));
        cluster.client.publish(
                "$JS.API.CONSUMER.MSG.NEXT.S.c", "_INBOX.six", new byte[0], "6".getBytes(StandardCharsets.UTF_8));
        cluster.nodes.runUntil(() -> acks.size() == 6, 5 * SECOND);
        String before = leader(cluster);
        acks.subList(0, 4).forEach(ack -> cluster.client.publish(ack, null, new byte[0], new byte[0]));
        var _ = cluster.members.get(before).cluster.handOver();
        cluster.nodes.runUntil(
                () -> !leader(cluster).isEmpty() && !leader(cluster).equals(before), 20 * SECOND);
        assertKnown(cluster.api("CONSUMER.INFO.S.c", ""));
    }

    private static String leader(TestingMembers cluster) {
        JsonNode info = cluster.api("STREAM.INFO.S", "");
        return info == null ? "" : info.at("/cluster/leader").asText("");
    }

    @Test
    void whoCouldNotHandOverGoesOn() {
        TestingNodes nodes = new TestingNodes(3);
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.createConsumer("S", "c", CONSUMER);
        Inbox box = nodes.pull("S", "c", "{\"batch\":10,\"expires\":60000000000}");
        nodes.cluster.run(SECOND);
        TestingNodes.Node leader = nodes.awaitLeader();
        CompletableFuture<Void> settled = new CompletableFuture<>();
        nodes.cluster.loop(leader.name).execute(() -> leader.host.settle(() -> settled.complete(null)));
        nodes.cluster.run(SECOND);
        assertThat(settled).isDone();
        nodes.publish("s.1", "one", "1");
        nodes.cluster.run(SECOND);
        assertThat(box.messages).isEmpty();
        nodes.cluster.loop(leader.name).execute(leader.host::resume);
        nodes.cluster.run(SECOND);
        assertThat(box.messages).extracting(Message::payload).containsExactly("one");
    }
}
