package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import io.penstock.jetstream.TestingNodes.Node;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What clients meet when the leader of their streams changes. */
class LeaderChangeTest {
    private final TestingNodes nodes = new TestingNodes(7);

    private void publish(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(nodes.publish("s." + i % 3, "v" + i, "id" + i).get("error"))
                    .isNull();
        }
    }

    private void assertEqualReplicas() {
        nodes.settle();
        Set<Long> hashes = new HashSet<>();
        for (Node node : nodes.nodes.values()) {
            hashes.add(node.engine.streams().stateHash());
        }
        assertThat(hashes).hasSize(1);
    }

    @Test
    void publishingGoesOnAtTheNewLeader() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 20);
        String first = nodes.awaitLeader().name;
        nodes.moveLeader(nodes.follower());
        assertThat(nodes.leader().name).isNotEqualTo(first);
        publish(20, 40);
        JsonNode info = nodes.api("STREAM.INFO.S", "");
        assertThat(info.at("/state/messages").asInt()).isEqualTo(40);
        assertThat(info.at("/state/last_seq").asInt()).isEqualTo(40);
        assertEqualReplicas();
    }

    @Test
    void aMessageIdCountsAtTheNewLeader() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 5);
        nodes.crash(nodes.awaitLeader().name, true);
        nodes.awaitLeader();
        JsonNode again = nodes.publish("s.1", "v1", "id1");
        assertThat(again.get("duplicate").asBoolean()).isTrue();
        assertThat(again.get("seq").asInt()).isEqualTo(2);
    }

    @Test
    void aPublishTheLogDidNotTakeIsAnsweredAsIfNobodyHadBeenThere() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 5);
        Node first = nodes.awaitLeader();
        nodes.cluster.isolate(first.name);
        Inbox unknown = nodes.inbox();
        nodes.send("s.1", unknown.subject, "in the log of one node");
        nodes.cluster.run(SECOND / 100);
        Inbox notTaken = nodes.inbox();
        nodes.send("s.1", notTaken.subject, "waits for the one before it");
        nodes.cluster.run(SECOND / 100);
        nodes.cluster.run(5 * SECOND);
        nodes.cluster.heal();
        nodes.cluster.runUntil(() -> !first.engine.leading(), 20 * SECOND);
        assertThat(notTaken.await(SECOND).status()).isEqualTo("503");
        assertThat(unknown.messages).isEmpty();
        publish(5, 10);
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(10);
        assertEqualReplicas();
    }

    @Test
    void onlyTheLeaderAnswers() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        Inbox box = nodes.inbox();
        nodes.send("$JS.API.STREAM.INFO.S", box.subject, "");
        nodes.send("s.1", box.subject, "once");
        nodes.cluster.run(2 * SECOND);
        assertThat(box.messages).hasSize(2);
        assertEqualReplicas();
    }

    @Test
    void waitingPullsAreTold() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        Inbox box = nodes.pull("S", "c", "{\"batch\":10,\"expires\":20000000000}");
        nodes.cluster.run(SECOND);
        nodes.moveLeader(nodes.follower());
        Message told = box.await(2 * SECOND);
        assertThat(told.status()).isEqualTo("409 Leadership Change");
        Inbox again = nodes.pull("S", "c", "{\"batch\":10,\"expires\":20000000000}");
        publish(0, 1);
        assertThat(again.await(SECOND).payload()).isEqualTo("v0");
    }

    @Test
    void whatIsUnacknowledgedComesAgainAndWhatIsAnsweredDoesNot() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"ack_wait\":3000000000");
        publish(0, 10);
        Inbox box = nodes.pull("S", "c", "10");
        nodes.cluster.runUntil(() -> box.messages.size() == 10, 5 * SECOND);
        for (int i = 0; i < 5; i++) {
            assertThat(nodes.request(SECOND, box.messages.get(i).reply(), "")).isNotNull();
        }
        nodes.crash(nodes.awaitLeader().name, true);
        nodes.awaitLeader();
        Inbox rest = nodes.pull("S", "c", "{\"batch\":10,\"expires\":20000000000}");
        nodes.cluster.runUntil(() -> rest.messages.size() == 5, 10 * SECOND);
        nodes.cluster.run(5 * SECOND);
        assertThat(rest.messages)
                .extracting(Message::payload)
                .contains("v5", "v9")
                .doesNotContain("v0", "v4");
        rest.messages.forEach(m -> nodes.send(m.reply(), null, ""));
        nodes.cluster.run(SECOND);
        JsonNode info = nodes.api("CONSUMER.INFO.S.c", "");
        assertThat(info.at("/ack_floor/stream_seq").asInt()).isEqualTo(10);
        assertThat(info.at("/num_ack_pending").asInt()).isZero();
    }

    @Test
    void aRefusedDeliveryIsDueAtOnceAtTheNewLeader() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"ack_wait\":60000000000");
        publish(0, 1);
        Inbox box = nodes.pull("S", "c", "1");
        nodes.send(box.await(SECOND).reply(), null, "-NAK");
        nodes.cluster.run(SECOND);
        nodes.moveLeader(nodes.follower());
        assertThat(nodes.pull("S", "c", "1").await(2 * SECOND).payload()).isEqualTo("v0");
    }

    @Test
    void pushConsumersGoOn() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        Inbox box = nodes.inbox();
        nodes.createConsumer("S", "p", "\"deliver_subject\":\"" + box.subject + "\",\"ack_policy\":\"explicit\"");
        publish(0, 10);
        nodes.cluster.runUntil(() -> box.messages.size() == 10, 5 * SECOND);
        box.messages.forEach(m -> nodes.send(m.reply(), null, ""));
        nodes.cluster.run(SECOND);
        nodes.crash(nodes.awaitLeader().name, false);
        nodes.awaitLeader();
        publish(10, 20);
        nodes.cluster.runUntil(() -> box.messages.size() == 20, 5 * SECOND);
        assertThat(box.messages.getLast().payload()).isEqualTo("v19");
    }

    @Test
    void ephemeralsDieWithTheirInterest() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        Inbox box = nodes.inbox();
        JsonNode made = nodes.api(
                "CONSUMER.CREATE.S",
                "{\"stream_name\":\"S\",\"config\":{\"deliver_subject\":\"" + box.subject
                        + "\",\"inactive_threshold\":5000000000}}");
        String name = made.get("name").asText();
        nodes.cluster.run(10 * SECOND);
        nodes.moveLeader(nodes.follower());
        nodes.cluster.run(10 * SECOND);
        assertThat(nodes.api("CONSUMER.INFO.S." + name, "").get("error")).isNull();
        box.close();
        nodes.cluster.run(10 * SECOND);
        assertThat(nodes.api("CONSUMER.INFO.S." + name, "")
                        .at("/error/err_code")
                        .asInt())
                .isEqualTo(10014);
        assertEqualReplicas();
    }

    @Test
    void aLeaderThatWasCutOffDoesNotAcknowledge() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 3);
        Node old = nodes.awaitLeader();
        nodes.isolate(old.name);
        var local = nodes.router.client(old.name);
        int[] answers = {0};
        local.subscribe("_INBOX.local", m -> answers[0]++);
        local.publish("s.1", "_INBOX.local", new byte[0], new byte[] {1});
        nodes.cluster.runUntil(() -> nodes.leader() != null && nodes.leader() != old, 20 * SECOND);
        nodes.awaitLeader();
        publish(3, 6);
        nodes.cluster.run(5 * SECOND);
        assertThat(answers[0]).isZero();
        nodes.heal();
        publish(6, 9);
        assertEqualReplicas();
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(9);
    }

    @Test
    void directGetsAreAnsweredByAnyReplica() {
        nodes.create("S", "\"subjects\":[\"s.>\"],\"allow_direct\":true");
        publish(0, 3);
        nodes.settle();
        String leader = nodes.awaitLeader().name;
        Message got = nodes.request(SECOND, "$JS.API.DIRECT.GET.S.s.1", "");
        assertThat(got.payload()).isEqualTo("v1");
        nodes.crash(leader, false);
        // Nobody leads yet, and reads go on.
        assertThat(nodes.request(SECOND / 10, "$JS.API.DIRECT.GET.S.s.2", "").payload())
                .isEqualTo("v2");
    }

    @Test
    void aClientSeesWhatItWroteAtTheReplicaThatAcknowledgedIt() {
        nodes.create("S", "\"subjects\":[\"s.>\"],\"allow_direct\":true");
        String away = nodes.follower();
        nodes.crash(away, false);
        nodes.awaitLeader();
        for (int i = 0; i < 30; i++) {
            nodes.publish("s.1", "v" + i, "id" + i);
            assertThat(nodes.request(5 * SECOND, "$JS.API.DIRECT.GET.S.s.1", "").payload())
                    .isEqualTo("v" + i);
        }
    }

    @Test
    void aLinearizableGetSeesEverythingAcknowledged() {
        nodes.create("S", "\"subjects\":[\"s.>\"],\"allow_direct\":true");
        for (int i = 0; i < 30; i++) {
            nodes.publish("s.1", "v" + i, "id" + i);
            Message got =
                    nodes.request(5 * SECOND, "$JS.API.DIRECT.GET.S.s.1", "", "Penstock-Consistency", "linearizable");
            assertThat(got.payload()).isEqualTo("v" + i);
        }
    }

    @Test
    void aStreamThatWasTakenAwayGoesEverywhere() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(0, 3);
        String away = nodes.follower();
        nodes.crash(away, false);
        nodes.delete("S");
        nodes.cluster.run(2 * SECOND);
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        publish(10, 12);
        nodes.restart(away);
        assertEqualReplicas();
        assertThat(nodes.nodes.get(away).engine.streams().all()).hasSize(1);
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(2);
    }

    @Test
    void aReplicaBehindTheLogGetsACopy() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        publish(0, 30);
        nodes.nodes.values().forEach(Node::checkpoint);
        String away = nodes.follower();
        nodes.crash(away, true);
        publish(30, 200);
        nodes.send("$JS.API.CONSUMER.MSG.NEXT.S.c", nodes.inbox().subject, "7");
        nodes.settle();
        nodes.nodes.values().forEach(Node::checkpoint);
        nodes.cluster.run(SECOND);
        publish(200, 210);
        nodes.restart(away);
        assertEqualReplicas();
        Node back = nodes.nodes.get(away);
        assertThat(back.engine.streams().all().iterator().next().store().state().messages())
                .isEqualTo(210);
        nodes.moveLeader(away);
        publish(210, 215);
        assertThat(nodes.api("CONSUMER.INFO.S.c", "").at("/num_ack_pending").asInt())
                .isEqualTo(7);
        assertEqualReplicas();
    }
}
