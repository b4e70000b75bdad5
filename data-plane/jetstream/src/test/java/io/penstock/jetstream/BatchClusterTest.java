package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.OTHER;
import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import io.penstock.jetstream.TestingNodes.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Atomic batches while leaders change, nodes die and streams move. */
class BatchClusterTest {
    private static final int COUNT = 5;
    private static final String ATOMIC = "\"subjects\":[\"s.>\"],\"allow_atomic\":true";

    private static String[] headers(String id, int sequence, boolean commit) {
        return commit
                ? new String[] {"Nats-Batch-Id", id, "Nats-Batch-Sequence", "" + sequence, "Nats-Batch-Commit", "1"}
                : new String[] {"Nats-Batch-Id", id, "Nats-Batch-Sequence", "" + sequence};
    }

    private static void stage(TestingNodes nodes, String id, int from, int to) {
        for (int i = from; i <= to; i++) {
            Message answer = nodes.request(SECOND, "s." + i, "m" + i, headers(id, i, false));
            assertThat(answer).isNotNull();
            assertThat(answer.payload()).isEmpty();
        }
    }

    private static JsonNode commit(TestingNodes nodes, String id, int sequence) {
        return TestingNode.json(
                nodes.request(5 * SECOND, "s." + sequence, "m" + sequence, headers(id, sequence, true)));
    }

    private static long stored(Node node) {
        return node.engine.streams().all().iterator().next().store().state().messages();
    }

    private static void assertEqualReplicas(TestingNodes nodes) {
        nodes.settle();
        Set<Long> hashes = new HashSet<>();
        nodes.nodes.values().forEach(node -> hashes.add(node.engine.streams().stateHash()));
        assertThat(hashes).hasSize(1);
    }

    @Test
    void aNewLeaderKnowsNothingOfOpenBatches() {
        TestingNodes nodes = new TestingNodes(11);
        nodes.create("S", ATOMIC);
        Inbox told = nodes.inbox();
        stage(nodes, "b", 1, 3);
        Node before = nodes.awaitLeader();
        nodes.moveLeader(nodes.follower());
        nodes.cluster.runUntil(() -> nodes.stream("S") != null, 20 * SECOND);
        assertThat(commit(nodes, "b", 4).at("/error/err_code").asInt()).isEqualTo(10176);
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isZero();
        assertThat(before.host.account("A").openBatches()).isEqualTo("0 batches, 0 bytes");
        stage(nodes, "b", 1, 3);
        assertThat(commit(nodes, "b", 4).get("count").asInt()).isEqualTo(4);
        assertThat(told.messages).isEmpty();
        assertEqualReplicas(nodes);
    }

    @Test
    void aBatchIsThereWhollyOrNotAtAllWhereverPowerIsLost() {
        int moments = 0;
        boolean died = true;
        while (died) {
            died = crashAt(moments++, moments % 2 == 0);
        }
        // The log of three nodes gets to three disks: before and behind each.
        assertThat(moments).isGreaterThan(5);
    }

    /** Lets whichever node comes to it die at this moment after the commit was sent; false when there is no such. */
    private static boolean crashAt(int moment, boolean power) {
        TestingNodes nodes = new TestingNodes(100 + moment);
        nodes.create("S", ATOMIC);
        nodes.publish("s.0", "before", "before");
        nodes.settle();
        stage(nodes, "b", 1, COUNT - 1);
        int[] left = {moment};
        boolean[] crashed = {false};
        nodes.cluster.onPersist((node, what) -> {
            boolean now = !crashed[0] && left[0]-- == 0;
            crashed[0] |= now;
            return now;
        });
        Inbox answer = nodes.inbox();
        nodes.send("s." + COUNT, answer.subject, "m" + COUNT, headers("b", COUNT, true));
        nodes.cluster.run(SECOND);
        nodes.cluster.onPersist((node, what) -> false);
        for (String name : List.copyOf(nodes.cluster.nodes())) {
            if (!nodes.cluster.up(name)) {
                nodes.died(name, power);
                nodes.restart(name);
            }
        }
        assertEqualReplicas(nodes);
        for (Node node : nodes.nodes.values()) {
            assertThat(stored(node)).as("moment " + moment + " at " + node.name).isIn(1L, 1L + COUNT);
        }
        if (answer.messages.stream().anyMatch(m -> m.payload().contains("\"count\":" + COUNT))) {
            assertThat(stored(nodes.awaitLeader())).isEqualTo(1L + COUNT);
        }
        return crashed[0];
    }

    @Test
    void everyReplicaHasTheBatchAfterPowerIsLostEverywhere() {
        TestingNodes nodes = new TestingNodes(12);
        nodes.create("S", ATOMIC);
        stage(nodes, "b", 1, 2);
        assertThat(commit(nodes, "b", 3).get("seq").asInt()).isEqualTo(3);
        for (String name : List.copyOf(nodes.cluster.nodes())) {
            nodes.crash(name, true);
        }
        for (String name : List.copyOf(nodes.cluster.nodes())) {
            nodes.restart(name);
        }
        assertEqualReplicas(nodes);
        nodes.nodes.values().forEach(node -> assertThat(stored(node)).isEqualTo(3));
    }

    @Test
    void aCommitThatMeetsAMoveFollowsTheStreamOrIsRefused() {
        TestingNodes nodes = new TestingNodes(13);
        nodes.create("S", ATOMIC);
        stage(nodes, "b", 1, 2);
        nodes.move("S", OTHER);
        nodes.cluster.runUntil(
                () -> nodes.stream("S") == null
                        || nodes.stream("S").machine().phase() != io.penstock.jetstream.state.Phase.SERVING
                        || nodes.group("S").equals(OTHER),
                20 * SECOND);
        Inbox answer = nodes.inbox();
        nodes.send("s.3", answer.subject, "m3", headers("b", 3, true));
        nodes.cluster.runUntil(() -> nodes.group("S").equals(OTHER) && nodes.stream("S") != null, 60 * SECOND);
        nodes.cluster.run(2 * SECOND);
        boolean taken = answer.messages.stream().anyMatch(m -> m.payload().contains("\"count\":3"));
        assertThat(nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(taken ? 3 : 0);
        stage(nodes, "c", 1, 2);
        assertThat(commit(nodes, "c", 3).get("count").asInt()).isEqualTo(3);
    }
}
