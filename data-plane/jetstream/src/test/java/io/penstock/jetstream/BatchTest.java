package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.runtime.StreamRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Atomic batches on a node alone: all messages or none, and nothing to be seen of them before. */
class BatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String ATOMIC = "\"subjects\":[\"s.>\"],\"allow_direct\":true,\"allow_atomic\":true";

    private final TestingNode node = new TestingNode();

    private void start(String more) {
        node.start();
        assertThat(node.createStream("S", ATOMIC + more).get("error")).isNull();
    }

    private static String[] headers(String id, int sequence, String commit, String... more) {
        List<String> all = new ArrayList<>(List.of("Nats-Batch-Id", id, "Nats-Batch-Sequence", "" + sequence));
        if (commit != null) {
            all.addAll(List.of("Nats-Batch-Commit", commit));
        }
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    /** Sends a message of a batch that goes on, and expects the empty answer. */
    private void stage(String subject, String id, int sequence, String... more) {
        Message answer = node.request(subject, "m" + sequence, headers(id, sequence, null, more));
        assertThat(answer).as("answer to message " + sequence).isNotNull();
        assertThat(answer.payload()).isEmpty();
        assertThat(answer.headers()).isEmpty();
    }

    private JsonNode last(String subject, String id, int sequence, String... more) {
        return node.publish(subject, "m" + sequence, headers(id, sequence, "1", more));
    }

    private void refused(int code, JsonNode answer) {
        assertThat(answer.at("/error/err_code").asInt()).as(answer.toString()).isEqualTo(code);
        assertThat(answer.get("seq").asInt()).isZero();
    }

    private int messages() {
        return node.api("STREAM.INFO.S", "").at("/state/messages").asInt();
    }

    private int lastSequence() {
        return node.api("STREAM.INFO.S", "").at("/state/last_seq").asInt();
    }

    /** Nothing waits for the stream any more, open or not. */
    private void assertNothingHeld() {
        node.loop.runAll();
        String room = node.host.accounts().iterator().next().openBatches();
        assertThat(room).isEqualTo("0 batches, 0 bytes");
        assertThat(stream().waiting()).isZero();
    }

    private StreamRuntime stream() {
        return node.stream("S");
    }

    @Test
    void storesABatchAsAWhole() {
        start("");
        node.publish("s.z", "before");
        stage("s.a", "b1", 1);
        stage("s.b", "b1", 2);
        JsonNode ack = last("s.c", "b1", 3);
        assertThat(ack.toString()).isEqualTo("{\"stream\":\"S\",\"seq\":4,\"batch\":\"b1\",\"count\":3}");
        assertThat(messages()).isEqualTo(4);
        Message second = node.request("$JS.API.DIRECT.GET.S", "{\"seq\":3}");
        assertThat(second.payload()).isEqualTo("m2");
        assertThat(second.header("Nats-Batch-Id")).isEqualTo("b1");
        assertNothingHeld();
    }

    @Test
    void storesABatchOfOne() {
        start("");
        assertThat(last("s.a", "b", 1).get("count").asInt()).isEqualTo(1);
    }

    @Test
    void endsABatchWithoutStoringTheMarker() {
        start("");
        stage("s.a", "b", 1);
        JsonNode ack = node.publish("s.a", "marker", headers("b", 2, "eob"));
        assertThat(ack.get("seq").asInt()).isEqualTo(1);
        assertThat(ack.get("count").asInt()).isEqualTo(1);
        Message stored = node.request("$JS.API.DIRECT.GET.S", "{\"seq\":1}");
        assertThat(stored.header("Nats-Batch-Commit")).isEqualTo("1");
        assertThat(stored.payload()).isEqualTo("m1");
        refused(10176, node.publish("s.a", "marker", headers("c", 1, "eob")));
        assertNothingHeld();
    }

    @Test
    void nothingIsSeenOfABatchBeforeItIsCommitted() {
        start("");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        Inbox box = node.inbox();
        node.send("$JS.API.CONSUMER.MSG.NEXT.S.c", box.subject, "{\"batch\":10,\"expires\":60000000000}");
        stage("s.a", "b", 1);
        stage("s.a", "b", 2);
        assertThat(box.messages).isEmpty();
        assertThat(node.request("$JS.API.DIRECT.GET.S.s.a", "").status()).startsWith("404");
        assertThat(messages()).isZero();
        last("s.a", "b", 3);
        assertThat(box.messages).extracting(Message::payload).containsExactly("m1", "m2", "m3");
    }

    @Test
    void othersMayPublishMeanwhile() {
        start("");
        stage("s.a", "one", 1);
        stage("s.b", "two", 1);
        assertThat(node.publish("s.z", "alone").get("seq").asInt()).isEqualTo(1);
        assertThat(last("s.b", "two", 2).get("seq").asInt()).isEqualTo(3);
        assertThat(last("s.a", "one", 2).get("seq").asInt()).isEqualTo(5);
    }

    @Test
    void refusesWhatIsNoBatch() {
        start("");
        refused(10175, node.publish("s.a", "x", "Nats-Batch-Id", "b"));
        refused(10175, node.publish("s.a", "x", "Nats-Batch-Id", "b", "Nats-Batch-Sequence", "one"));
        refused(10176, node.publish("s.a", "x", headers("b", 0, null)));
        refused(10176, last("s.a", "never begun", 2));
        refused(10179, last("s.a", "i".repeat(65), 1));
        assertThat(last("s.a", "i".repeat(64), 1).get("error")).isNull();
        stage("s.a", "b", 1);
        refused(10200, node.publish("s.a", "x", headers("b", 2, "0")));
        refused(10176, last("s.a", "b", 2));
        assertThat(messages()).isEqualTo(1);
        assertNothingHeld();
    }

    @Test
    void refusesBatchesWhereTheyAreNotAllowed() {
        node.start();
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        refused(10174, last("s.a", "b", 1));
        node.api("STREAM.UPDATE.S", "{\"name\":\"S\"," + ATOMIC + "}");
        stage("s.a", "b", 1);
        node.api("STREAM.UPDATE.S", "{\"name\":\"S\",\"subjects\":[\"s.>\"]}");
        refused(10174, last("s.a", "b", 2));
        node.api("STREAM.UPDATE.S", "{\"name\":\"S\"," + ATOMIC + "}");
        refused(10176, last("s.a", "b", 2));
        assertNothingHeld();
    }

    @Test
    void theConfigurationNamesTheLevelItNeeds() {
        node.start();
        JsonNode made = node.createStream("S", ATOMIC);
        assertThat(made.at("/config/allow_atomic").asBoolean()).isTrue();
        assertThat(made.at("/config/metadata/_nats.req.level").asText()).isEqualTo("2");
        JsonNode off = node.api("STREAM.UPDATE.S", "{\"name\":\"S\",\"subjects\":[\"s.>\"]}");
        assertThat(off.at("/config/metadata/_nats.req.level").asText()).isEqualTo("0");
    }

    @Test
    void aGapEndsTheBatchAndIsTold() {
        start("");
        Inbox told = node.inbox("$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.S");
        stage("s.a", "b", 1);
        refused(10176, node.publish("s.a", "x", headers("b", 3, null)));
        refused(10176, last("s.a", "b", 2));
        JsonNode advisory = TestingNode.json(told.take());
        assertThat(advisory.get("type").asText()).isEqualTo("io.nats.jetstream.advisory.v1.stream_batch_abandoned");
        assertThat(advisory.get("stream").asText()).isEqualTo("S");
        assertThat(advisory.get("batch").asText()).isEqualTo("b");
        assertThat(advisory.get("reason").asText()).isEqualTo("incomplete");
        assertThat(told.messages).isEmpty();
        assertNothingHeld();
    }

    @Test
    void aBatchThatRestsTooLongIsGivenUp() {
        start("");
        Inbox told = node.inbox("$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.S");
        stage("s.a", "slow", 1);
        stage("s.a", "steady", 1);
        node.loop.advance(9 * SECOND);
        stage("s.a", "steady", 2);
        node.loop.advance(2 * SECOND);
        assertThat(TestingNode.json(told.take()).get("reason").asText()).isEqualTo("timeout");
        refused(10176, last("s.a", "slow", 2));
        assertThat(last("s.a", "steady", 3).get("count").asInt()).isEqualTo(3);
        assertThat(told.messages).isEmpty();
        assertNothingHeld();
    }

    @Test
    void refusesMoreMessagesThanABatchMayHave() {
        node.options = node.options.toBuilder()
                .batches(BatchLimits.of(3, 50, 1000, SECOND))
                .build();
        start("");
        Inbox told = node.inbox("$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.S");
        for (int i = 1; i <= 3; i++) {
            stage("s.a", "b", i);
        }
        JsonNode refused = last("s.a", "b", 4);
        refused(10199, refused);
        assertThat(refused.at("/error/description").asText()).isEqualTo("atomic publish batch is too large: 3");
        assertThat(TestingNode.json(told.take()).get("reason").asText()).isEqualTo("large");
        for (int i = 1; i <= 3; i++) {
            stage("s.a", "c", i);
        }
        assertThat(node.publish("s.a", "", headers("c", 4, "eob")).get("count").asInt())
                .isEqualTo(3);
        assertNothingHeld();
    }

    @Test
    void refusesMoreBatchesThanMayBeOpen() {
        node.options = node.options.toBuilder()
                .batches(BatchLimits.of(10, 2, 3, SECOND))
                .build();
        start("");
        node.createStream("T", "\"subjects\":[\"t.>\"],\"allow_atomic\":true");
        stage("s.a", "1", 1);
        stage("s.a", "2", 1);
        refused(10210, last("s.a", "3", 1));
        stage("t.a", "1", 1);
        refused(10210, last("t.a", "2", 1));
        assertThat(last("s.a", "1", 2).get("error")).isNull();
        assertThat(last("t.a", "2", 1).get("error")).isNull();
        node.api("STREAM.DELETE.T", "");
        node.loop.advance(2 * SECOND);
        assertNothingHeld();
    }

    @Test
    void boundsTheBytesOfOpenBatches() {
        node.options = node.options.toBuilder()
                .batches(new BatchLimits(100, 50, 1000, SECOND, 1000, 1500, 2000))
                .build();
        start("");
        String payload = "x".repeat(400);
        node.request("s.a", payload, headers("a", 1, null));
        refused(10199, node.publish("s.a", payload + payload, headers("a", 2, null)));
        node.request("s.a", payload, headers("b", 1, null));
        node.request("s.a", payload, headers("c", 1, null));
        refused(10210, node.publish("s.a", payload, headers("d", 1, "1")));
        assertThat(node.publish("s.a", payload, headers("b", 2, "eob")).get("error"))
                .isNull();
        assertThat(node.publish("s.a", payload, headers("d", 1, "1")).get("error"))
                .isNull();
        node.loop.advance(2 * SECOND);
        assertNothingHeld();
    }

    @Test
    void aRefusedMessageRefusesAll() {
        start(",\"max_msg_size\":400");
        node.publish("s.a", "1", "Nats-Msg-Id", "seen");
        String[][] forbidden = {
            {"10060", "Nats-Expected-Stream", "T"},
            {"10071", "Nats-Expected-Last-Sequence", "9"},
            {"10071", "Nats-Expected-Last-Subject-Sequence", "7"},
            {"10193", "Nats-Expected-Last-Subject-Sequence-Subject", "s.b"},
            {"10177", "Nats-Expected-Last-Msg-Id", "seen"},
            {"10111", "Nats-Rollup", "sub"},
            {"10166", "Nats-TTL", "1s"},
            {"10227", "Nats-Stream-Source", "x"},
            {"10168", "Nats-Incr", "1"},
            {"10188", "Nats-Schedule", "@daily"},
            {"10201", "Nats-Msg-Id", "seen"}
        };
        for (String[] row : forbidden) {
            stage("s.b", "b", 1);
            stage("s.c", "b", 2, row[1], row[2]);
            refused(Integer.parseInt(row[0]), last("s.d", "b", 3));
            refused(10176, last("s.d", "b", 3));
        }
        refused(10054, node.publish("s.b", "x".repeat(400), headers("b", 1, null)));
        refused(10185, last("s.b", "b", 1, "Nats-Required-Api-Level", "99"));
        assertThat(last("s.b", "b", 1, "Nats-Required-Api-Level", "2").get("error"))
                .isNull();
        Message stored = node.request("$JS.API.DIRECT.GET.S.s.b", "");
        assertThat(stored.header("Nats-Required-Api-Level")).isNull();
        assertThat(lastSequence()).isEqualTo(2);
        assertNothingHeld();
    }

    @Test
    void onlyTheFirstMessageExpectsASequence() {
        start("");
        node.publish("s.z", "1");
        stage("s.a", "b", 1, "Nats-Expected-Last-Sequence", "1");
        assertThat(last("s.b", "b", 2).get("seq").asInt()).isEqualTo(3);
        stage("s.a", "c", 1);
        refused(10164, last("s.b", "c", 2, "Nats-Expected-Last-Sequence", "4"));
        stage("s.c", "d", 1, "Nats-Expected-Last-Subject-Sequence", "0");
        assertThat(last("s.d", "d", 2, "Nats-Expected-Last-Subject-Sequence", "0")
                        .get("seq")
                        .asInt())
                .isEqualTo(5);
        stage("s.e", "e", 1);
        refused(10164, last("s.e", "e", 2, "Nats-Expected-Last-Subject-Sequence", "0"));
    }

    @Test
    void sequencesAreComparedWhenTheBatchIsCommitted() {
        start("");
        stage("s.a", "b", 1, "Nats-Expected-Last-Sequence", "0");
        node.publish("s.z", "in between");
        refused(10071, last("s.b", "b", 2));
        assertThat(lastSequence()).isEqualTo(1);
    }

    @Test
    void idsMustBeNewWithinTheBatchToo() {
        start("");
        stage("s.a", "b", 1, "Nats-Msg-Id", "x");
        refused(10201, last("s.b", "b", 2, "Nats-Msg-Id", "x"));
        stage("s.a", "b", 1, "Nats-Msg-Id", "x");
        assertThat(last("s.b", "b", 2, "Nats-Msg-Id", "y").get("error")).isNull();
        assertThat(node.publish("s.c", "again", "Nats-Msg-Id", "y")
                        .get("duplicate")
                        .asBoolean())
                .isTrue();
        node.crash();
        refused(10201, last("s.a", "c", 1, "Nats-Msg-Id", "x"));
    }

    @Test
    void limitsThatDiscardTheNewCountTheWholeBatch() {
        start(",\"discard\":\"new\",\"max_msgs\":4,\"max_msgs_per_subject\":2,\"discard_new_per_subject\":true");
        for (int i = 1; i <= 4; i++) {
            stage("s." + i, "b", i);
        }
        JsonNode refused = last("s.5", "b", 5);
        refused(10077, refused);
        assertThat(refused.at("/error/description").asText()).isEqualTo("maximum messages exceeded");
        stage("s.1", "c", 1);
        stage("s.1", "c", 2);
        refused(10077, last("s.1", "c", 3));
        assertThat(lastSequence()).isZero();
        stage("s.1", "d", 1);
        assertThat(last("s.1", "d", 2).get("error")).isNull();
    }

    @Test
    void limitsThatDiscardTheOldHoldAfterwards() {
        start(",\"max_msgs\":3");
        for (int i = 1; i <= 5; i++) {
            stage("s.a", "b", i);
        }
        assertThat(last("s.a", "b", 6).get("seq").asInt()).isEqualTo(6);
        assertThat(messages()).isEqualTo(3);
    }

    @Test
    void theAccountsLimitCountsWhatIsOpen() {
        node.limits = new io.penstock.broker.internal.JetStreamLimits(
                -1, 2000, -1, -1, -1, -1, -1, false, java.util.Map.of());
        start("");
        String payload = "x".repeat(500);
        node.request("s.a", payload, headers("b", 1, null));
        node.request("s.a", payload, headers("b", 2, null));
        node.request("s.a", payload, headers("b", 3, null));
        refused(10002, node.publish("s.a", payload, headers("b", 4, "1")));
        assertThat(messages()).isZero();
    }

    @Test
    void rollUpsDoNotTakeBackWhatTheBatchStores() {
        start(",\"allow_rollup_hdrs\":true");
        node.publish("s.a", "old");
        stage("s.b", "b", 1);
        refused(10111, last("s.a", "b", 2, "Nats-Rollup", "all"));
        stage("s.a", "b", 1);
        refused(10111, last("s.a", "b", 2, "Nats-Rollup", "sub"));
        stage("s.a", "b", 1, "Nats-Rollup", "all");
        assertThat(last("s.b", "b", 2).get("error")).isNull();
        assertThat(messages()).isEqualTo(2);
    }

    @Test
    void republishesEveryMessageOnceItIsStored() {
        start(",\"republish\":{\"src\":\"s.>\",\"dest\":\"again.>\"}");
        Inbox box = node.inbox("again.>");
        stage("s.a", "b", 1);
        assertThat(box.messages).isEmpty();
        last("s.a", "b", 2);
        assertThat(box.messages).extracting(Message::payload).containsExactly("m1", "m2");
        assertThat(box.messages.get(1).header("Nats-Sequence")).isEqualTo("2");
        assertThat(box.messages.get(1).header("Nats-Last-Sequence")).isEqualTo("1");
    }

    @Test
    void aStreamInMemoryTakesBatches() {
        start(",\"storage\":\"memory\"");
        stage("s.a", "b", 1);
        assertThat(last("s.b", "b", 2).get("seq").asInt()).isEqualTo(2);
        stage("s.a", "c", 1, "Nats-Msg-Id", "x");
        refused(10201, last("s.b", "c", 2, "Nats-Msg-Id", "x"));
        assertThat(messages()).isEqualTo(2);
        assertNothingHeld();
    }

    @Test
    void aStreamWithoutAcknowledgementsAnswersNothing() {
        start(",\"no_ack\":true");
        assertThat(node.request("s.a", "1", headers("b", 1, null))).isNull();
        assertThat(node.request("s.a", "2", headers("b", 2, "1"))).isNull();
        assertThat(messages()).isEqualTo(2);
    }

    @Test
    void aBatchOnItsWayIntoTheLogIsThereWhollyOrNotAtAll() {
        for (boolean committed : new boolean[] {true, false}) {
            TestingNode one = new TestingNode().start();
            one.createStream("S", ATOMIC);
            one.request("s.a", "1", headers("b", 1, null));
            one.log.hold();
            Inbox answer = one.inbox();
            one.send("s.a", answer.subject, "2", headers("b", 2, "1"));
            one.loop.runAll();
            one.log.failPending(new java.io.IOException("power lost"), committed);
            one.crash();
            assertThat(one.stream("S").machine().store().state().messages()).isEqualTo(committed ? 2 : 0);
            assertThat(answer.messages).noneMatch(m -> m.payload().contains("\"count\""));
        }
    }

    @Test
    void anOpenBatchDiesWithTheProcess() {
        start("");
        stage("s.a", "b", 1);
        node.checkpoint();
        node.crash();
        refused(10176, last("s.a", "b", 2));
        assertThat(messages()).isZero();
        assertNothingHeld();
    }

    @Test
    void tenantsDoNotMeetInBatchesOfOneName() {
        start("");
        TestingInternalClient other = new TestingInternalClient("B");
        node.host.enable("B", other, TestingNode.UNLIMITED);
        node.loop.runAll();
        List<String> answers = new ArrayList<>();
        other.subscribe("_INBOX.b", m -> {
            byte[] payload = new byte[m.payloadLength()];
            m.copyPayload(payload, 0);
            answers.add(new String(payload, java.nio.charset.StandardCharsets.UTF_8));
        });
        byte[] config = ("{\"name\":\"S\"," + ATOMIC + "}").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        other.publish("$JS.API.STREAM.CREATE.S", null, new byte[0], config);
        node.loop.runAll();
        stage("s.a", "same", 1);
        other.publish("s.a", "_INBOX.b", TestingNode.headers(headers("same", 2, "1")), new byte[] {'x'});
        node.loop.runAll();
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst()).contains("10176");
        other.publish("s.a", "_INBOX.b", TestingNode.headers(headers("same", 1, "1")), new byte[] {'x'});
        node.loop.runAll();
        assertThat(answers.getLast()).isEqualTo("{\"stream\":\"S\",\"seq\":1,\"batch\":\"same\",\"count\":1}");
        assertThat(last("s.b", "same", 2).get("count").asInt()).isEqualTo(2);
        assertThat(node.host.account("A").stream("S").machine().store().state().messages())
                .isEqualTo(2);
        assertThat(node.host.account("B").stream("S").machine().store().state().messages())
                .isEqualTo(1);
    }
}
