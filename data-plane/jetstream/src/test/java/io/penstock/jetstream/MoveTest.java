package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.GROUP;
import static io.penstock.jetstream.TestingNodes.OTHER;
import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import org.junit.jupiter.api.Test;

/** Streams on their way from one group to another. */
class MoveTest {
    private final TestingNodes nodes = new TestingNodes(11);

    private void publish(int from, int to) {
        for (int i = from; i < to; i++) {
            JsonNode ack = nodes.publish("s." + i % 3, "v" + i, "id" + i);
            assertThat(ack.get("error")).isNull();
            assertThat(ack.get("seq").asInt()).isEqualTo(i + 1);
        }
    }

    private void awaitMove(String target) {
        nodes.cluster.runUntil(() -> nodes.group("S").equals(target) && nodes.stream("S") != null, 60 * SECOND);
        nodes.cluster.run(SECOND);
    }

    private long copies() {
        return nodes.nodes.values().stream()
                .flatMap(node -> node.groups.stream())
                .mapToLong(group -> group.engine.streams().all().size())
                .sum();
    }

    @Test
    void aStreamMovesWithItsConsumersWhileItIsInUse() {
        nodes.create("S", "\"subjects\":[\"s.>\"],\"max_msgs_per_subject\":40");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"ack_wait\":60000000000");
        publish(0, 200);
        nodes.api("STREAM.MSG.DELETE.S", "{\"seq\":150}");
        Inbox box = nodes.pull("S", "c", "10");
        nodes.cluster.runUntil(() -> box.messages.size() == 10, 5 * SECOND);
        for (int i = 0; i < 4; i++) {
            assertThat(nodes.request(SECOND, box.messages.get(i).reply(), "")).isNotNull();
        }
        Inbox waiting = nodes.pull("S", "c", "{\"batch\":500,\"expires\":60000000000}");
        nodes.move("S", OTHER);
        publish(200, 260);
        awaitMove(OTHER);
        publish(260, 280);
        JsonNode info = nodes.api("STREAM.INFO.S", "");
        assertThat(info.at("/cluster/raft_group").asText()).isEqualTo(OTHER);
        assertThat(info.at("/state/last_seq").asInt()).isEqualTo(280);
        assertThat(info.at("/state/messages").asInt()).isEqualTo(120);
        JsonNode again = nodes.publish("s.1", "v199", "id199");
        assertThat(again.get("duplicate").asBoolean()).isTrue();
        assertThat(waiting.messages.getLast().status()).isEqualTo("409 Leadership Change");
        JsonNode consumer = nodes.api("CONSUMER.INFO.S.c", "");
        assertThat(consumer.at("/cluster/raft_group").asText()).isEqualTo(OTHER);
        assertThat(consumer.at("/delivered/consumer_seq").asInt()).isGreaterThanOrEqualTo(10);
        assertThat(copies()).isEqualTo(3);
    }

    @Test
    void aStreamGetsReplicasAndGivesThemUp() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 50);
        nodes.move("S", "solo:n2");
        awaitMove("solo:n2");
        publish(50, 60);
        JsonNode info = nodes.api("STREAM.INFO.S", "");
        assertThat(info.at("/config/num_replicas").asInt()).isEqualTo(1);
        assertThat(info.at("/cluster/leader").asText()).isEqualTo("n2");
        assertThat(copies()).isEqualTo(1);
        nodes.move("S", GROUP);
        awaitMove(GROUP);
        publish(60, 70);
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(70);
        assertThat(copies()).isEqualTo(3);
    }

    @Test
    void aMoveThatIsCancelledLeavesTheStreamWhereItIs() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 100);
        nodes.isolate("n3");
        nodes.move("S", "solo:n3");
        publish(100, 120);
        nodes.move("S", "");
        nodes.heal();
        publish(120, 130);
        nodes.cluster.run(10 * SECOND);
        assertThat(nodes.group("S")).isEqualTo(GROUP);
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(130);
        assertThat(copies()).isEqualTo(3);
    }

    @Test
    void publishesDuringTheHandOverAreNotLost() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 30);
        Inbox acks = nodes.inbox();
        nodes.move("S", OTHER);
        int sent = 0;
        while (!nodes.group("S").equals(OTHER)) {
            nodes.send("s.x", acks.subject, "w" + sent++);
            nodes.cluster.run(SECOND / 500);
        }
        int total = sent;
        nodes.cluster.runUntil(() -> acks.messages.size() == total, 10 * SECOND);
        assertThat(acks.messages).extracting(Message::payload).noneMatch(p -> p.contains("error"));
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(30 + total);
    }
}
