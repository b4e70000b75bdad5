package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.GROUP;
import static io.penstock.jetstream.TestingNodes.OTHER;
import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.state.Phase;
import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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

    /**
     * Publishes twice a millisecond while a stream moves from a group led by one node to a group led by another, which
     * hear of it at different times. Without message ids, and every other one without asking for an answer.
     */
    private void publishesOnceEachWhileTheStreamMoves(Map<String, Long> lateness) {
        nodes.moveLeader("n1");
        nodes.moveOther("n2");
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        Inbox acks = nodes.new Inbox("_INBOX.acks.>");
        Inbox heard = nodes.new Inbox("s.>");
        nodes.lateness.putAll(lateness);
        nodes.move("S", OTHER);
        int sent = 0;
        long end = Long.MAX_VALUE;
        while (nodes.cluster.now() < end) {
            nodes.send("s.x", sent % 2 == 0 ? "_INBOX.acks." + sent : null, "w" + sent);
            sent++;
            nodes.cluster.run(SECOND / 2000);
            if (end == Long.MAX_VALUE && nodes.group("S").equals(OTHER)) {
                end = nodes.cluster.now() + SECOND;
            }
        }
        nodes.cluster.run(5 * SECOND);
        List<String> all = IntStream.range(0, sent).mapToObj(i -> "w" + i).toList();
        assertThat(stored()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(heard.messages).as("others hear each once").hasSize(sent);
        assertThat(acks.messages).extracting(Message::payload).noneMatch(p -> p.contains("error") || p.isEmpty());
        assertThat(acks.messages).extracting(Message::subject).doesNotHaveDuplicates();
        assertThat(acks.messages).hasSize((sent + 1) / 2);
        assertThat(copies()).isEqualTo(3);
    }

    private List<String> stored() {
        List<String> payloads = new ArrayList<>();
        StreamStore store = nodes.stream("S").machine().store();
        for (StoredMessage m = store.next(SubjectFilter.ALL, 1); m != null; ) {
            payloads.add(new String(m.payload(), StandardCharsets.UTF_8));
            m = store.next(SubjectFilter.ALL, m.sequence() + 1);
        }
        return payloads;
    }

    @Test
    void whatBothGroupsHearIsStoredOnce() {
        publishesOnceEachWhileTheStreamMoves(Map.of("n1", SECOND / 10));
    }

    @Test
    void thereIsNoTimeInWhichNeitherGroupHears() {
        publishesOnceEachWhileTheStreamMoves(Map.of("n2", SECOND / 10, "n3", SECOND / 5));
    }

    @Test
    void messagesThatAreEqualAndAskForNoAnswerAreKeptWhenOnlyTheFirstGroupHeardThem() {
        nodes.moveLeader("n1");
        nodes.moveOther("n2");
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.move("S", OTHER);
        nodes.cluster.runUntil(() -> nodes.stream("S").machine().phase() == Phase.FENCED, 10 * SECOND);
        for (int i = 0; i < 5; i++) {
            nodes.send("s.x", null, "tick");
        }
        awaitMove(OTHER);
        for (int i = 0; i < 3; i++) {
            nodes.send("s.x", null, "tick");
        }
        nodes.cluster.run(5 * SECOND);
        assertThat(stored()).hasSize(8);
    }

    @Test
    void aLeaderWithOldMetadataLeavesAStreamThatArrivedAlone() {
        nodes.moveLeader("n3");
        nodes.moveOther("n2");
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 5);
        // Of the move this node hears, of its end it does not for a long time.
        nodes.move("S", OTHER);
        nodes.cluster.run(SECOND / 100);
        nodes.lateness.put("n1", 30 * SECOND);
        awaitMove(OTHER);
        publish(5, 10);
        nodes.moveOther("n1");
        nodes.cluster.run(5 * SECOND);
        assertThat(copies()).isEqualTo(3);
        nodes.cluster.run(60 * SECOND);
        assertThat(stored()).hasSize(10);
        publish(10, 12);
        assertThat(copies()).isEqualTo(3);
    }

    @Test
    void aLeaderWithOldMetadataDoesNotMakeAStreamAnewThatLeft() {
        nodes.moveLeader("n3");
        nodes.moveOther("n2");
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 5);
        nodes.lateness.put("n1", 30 * SECOND);
        nodes.move("S", OTHER);
        awaitMove(OTHER);
        nodes.cluster.run(5 * SECOND);
        nodes.moveLeader("n1");
        nodes.cluster.run(5 * SECOND);
        assertThat(copies()).isEqualTo(3);
        publish(5, 10);
        nodes.cluster.run(60 * SECOND);
        publish(10, 12);
        assertThat(copies()).isEqualTo(3);
    }

    @Test
    void aSubjectGivenUpWithTheMoveIsNotTakenAnyMoreOnceTheStreamSaysSo() {
        nodes.moveLeader("n1");
        nodes.moveOther("n2");
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.subjectsOnceMoved = List.of("s.1");
        nodes.lateness.put("n1", SECOND / 5);
        nodes.move("S", OTHER);
        AccountRuntime target = nodes.nodes.get("n2").host.account("A");
        nodes.cluster.runUntil(
                () -> target.stream("S") != null
                        && target.stream("S").machine().config().subjects().equals(List.of("s.1")),
                60 * SECOND);
        Inbox refused = nodes.new Inbox("_INBOX.refused.>");
        Inbox taken = nodes.new Inbox("_INBOX.taken.>");
        for (int i = 0; i < 500; i++) {
            nodes.send("s.2", "_INBOX.refused." + i, "nobody's" + i);
            nodes.send("s.1", "_INBOX.taken." + i, "w" + i);
            nodes.cluster.run(SECOND / 1000);
        }
        nodes.cluster.run(5 * SECOND);
        assertThat(stored())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 500).mapToObj(i -> "w" + i).toList());
        assertThat(taken.messages).hasSize(500);
        assertThat(refused.messages).as("none is acknowledged").allMatch(m -> m.status() != null);
    }
}
