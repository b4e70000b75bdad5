package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class PublishTest {
    private final TestingNode node = new TestingNode().start();

    @Test
    void acknowledgesWithRisingSequences() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        assertThat(node.request("s.a", "hi").payload()).isEqualTo("{\"stream\":\"S\",\"seq\":1}");
        assertThat(node.request("s.b", "hi").payload()).isEqualTo("{\"stream\":\"S\",\"seq\":2}");
    }

    @Test
    void answersDuplicatesWithTheFirstSequence() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.publish("s.a", "1", "Nats-Msg-Id", "x");
        assertThat(node.request("s.b", "2", "Nats-Msg-Id", "x").payload())
                .isEqualTo("{\"stream\":\"S\",\"seq\":1,\"duplicate\": true}");
        node.loop.advance(121_000_000_000L);
        assertThat(node.publish("s.b", "2", "Nats-Msg-Id", "x").get("seq").asLong())
                .isEqualTo(2);
    }

    @Test
    void keepsIdsOverPurgeAndCrash() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.publish("s.a", "1", "Nats-Msg-Id", "1");
        node.api("STREAM.PURGE.S", "");
        assertThat(node.publish("s.a", "1", "Nats-Msg-Id", "1").get("duplicate").asBoolean())
                .isTrue();
        node.checkpoint();
        node.crash();
        JsonNode ack = node.publish("s.a", "1", "Nats-Msg-Id", "1");
        assertThat(ack.get("duplicate").asBoolean()).isTrue();
        assertThat(ack.get("seq").asLong()).isEqualTo(1);
    }

    @Test
    void refusesWhatHeadersForbid() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"max_msg_size\":200");
        node.publish("s.a", "1");
        refused(10060, "Nats-Expected-Stream", "T");
        refused(10071, "Nats-Expected-Last-Sequence", "9");
        refused(10071, "Nats-Expected-Last-Subject-Sequence", "0");
        refused(10193, "Nats-Expected-Last-Subject-Sequence-Subject", "s.b");
        refused(10070, "Nats-Expected-Last-Msg-Id", "x");
        refused(10111, "Nats-Rollup", "sub");
        refused(10166, "Nats-TTL", "1s");
        refused(10227, "Nats-Stream-Source", "x");
        refused(10168, "Nats-Incr", "1");
        refused(10188, "Nats-Schedule", "@daily");
        refused(10174, "Nats-Batch-Id", "b");
        assertThat(node.publish("s.a", "x".repeat(201)).at("/error/err_code").asInt())
                .isEqualTo(10054);
        assertThat(node.publish("s.a", "2").get("seq").asLong()).isEqualTo(2);
    }

    private void refused(int code, String header, String value) {
        JsonNode ack = node.publish("s.a", "x", header, value);
        assertThat(ack.at("/error/err_code").asInt()).as(header).isEqualTo(code);
        assertThat(ack.get("seq").asLong()).isZero();
    }

    @Test
    void comparesExpectedSequences() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        assertThat(node.publish("s.a", "1", "Nats-Expected-Last-Subject-Sequence", "0")
                        .get("seq")
                        .asLong())
                .isEqualTo(1);
        assertThat(node.publish("s.b", "1", "Nats-Expected-Last-Subject-Sequence", "0")
                        .get("seq")
                        .asLong())
                .isEqualTo(2);
        assertThat(node.publish("s.a", "1", "Nats-Expected-Last-Subject-Sequence", "1")
                        .get("seq")
                        .asLong())
                .isEqualTo(3);
        assertThat(node.publish("s.a", "1", "Nats-Expected-Last-Sequence", "3")
                        .get("seq")
                        .asLong())
                .isEqualTo(4);
        JsonNode wild = node.publish(
                "s.c",
                "1",
                "Nats-Expected-Last-Subject-Sequence",
                "4",
                "Nats-Expected-Last-Subject-Sequence-Subject",
                "s.>");
        assertThat(wild.get("seq").asLong()).isEqualTo(5);
    }

    @Test
    void keepsLimitsPerSubjectUnderDiscardNew() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"discard\":\"new\",\"max_msgs_per_subject\":10");
        for (int i = 0; i < 200; i++) {
            assertThat(node.publish("s.a", "" + i).get("seq").asLong()).isEqualTo(i + 1);
        }
        JsonNode state = node.api("STREAM.INFO.S", "").get("state");
        assertThat(state.get("messages").asInt()).isEqualTo(10);
        assertThat(state.get("first_seq").asInt()).isEqualTo(191);
    }

    @Test
    void discardsNewPerSubjectWithoutUsingASequence() {
        node.createStream(
                "S",
                "\"subjects\":[\"s.>\"],\"discard\":\"new\",\"discard_new_per_subject\":true,\"max_msgs_per_subject\":1");
        node.publish("s.a", "1");
        JsonNode second = node.publish("s.a", "2");
        assertThat(second.at("/error/err_code").asInt()).isEqualTo(10077);
        assertThat(second.at("/error/description").asText()).isEqualTo("maximum messages per subject exceeded");
        assertThat(node.publish("s.b", "1").get("seq").asLong()).isEqualTo(2);
    }

    @Test
    void removesAtEndOfLifeAndLeavesAMarker() {
        node.createStream(
                "S",
                "\"subjects\":[\"s.>\"],\"allow_msg_ttl\":true,\"subject_delete_marker_ttl\":5000000000,\"max_msgs_per_subject\":1");
        node.publish("s.a", "1", "Nats-TTL", "2s");
        assertThat(node.publish("s.a", "1", "Nats-TTL", "bogus")
                        .at("/error/err_code")
                        .asInt())
                .isEqualTo(10165);
        assertThat(node.publish("s.a", "1", "Nats-TTL", "500ms")
                        .at("/error/err_code")
                        .asInt())
                .isEqualTo(10165);
        node.loop.advance(1_900_000_000L);
        node.crash();
        assertThat(node.api("STREAM.INFO.S", "").at("/state/last_seq").asInt()).isEqualTo(1);
        node.loop.advance(500_000_000L);
        TestingNode.Message marker = node.request("$JS.API.STREAM.MSG.GET.S", "{\"last_by_subj\":\"s.a\"}");
        String headers = new String(
                java.util.Base64.getDecoder()
                        .decode(TestingNode.json(marker).at("/message/hdrs").asText()),
                java.nio.charset.StandardCharsets.UTF_8);
        assertThat(headers).contains("Nats-Marker-Reason: MaxAge", "Nats-TTL: 5s", "Nats-Rollup: sub");
        node.loop.advance(5_500_000_000L);
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isZero();
    }

    @Test
    void measuresAgeFromTheMessageNotFromTheRestart() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"max_age\":4000000000");
        node.publish("s.a", "1");
        node.loop.advance(2_500_000_000L);
        node.crash();
        node.loop.advance(1_400_000_000L);
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(1);
        node.loop.advance(200_000_000L);
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isZero();
    }

    @Test
    void republishesWithTheStoredPlace() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"republish\":{\"src\":\"s.>\",\"dest\":\"r.>\"}");
        TestingNode.Inbox box = node.inbox("r.>");
        node.publish("s.a", "1");
        node.publish("s.a", "2");
        assertThat(box.messages).hasSize(2);
        assertThat(box.messages.get(1).header("Nats-Sequence")).isEqualTo("2");
        assertThat(box.messages.get(1).header("Nats-Last-Sequence")).isEqualTo("1");
        assertThat(box.messages.get(1).subject()).isEqualTo("r.a");
    }

    @Test
    void transformsBeforeStoring() {
        node.createStream(
                "S", "\"subjects\":[\"s.*\"],\"subject_transform\":{\"src\":\"s.*\",\"dest\":\"t.{{wildcard(1)}}\"}");
        node.publish("s.a", "1");
        JsonNode m = node.api("STREAM.MSG.GET.S", "{\"seq\":1}");
        assertThat(m.at("/message/subject").asText()).isEqualTo("t.a");
    }

    @Test
    void startsAtTheFirstSequenceAskedFor() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"first_seq\":1000");
        assertThat(node.publish("s.a", "1").get("seq").asLong()).isEqualTo(1000);
        node.crash();
        assertThat(node.publish("s.a", "1").get("seq").asLong()).isEqualTo(1001);
    }

    @Test
    void givesNoAnswerWhenTheOutcomeIsUnknown() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.log.hold();
        TestingNode.Inbox box = node.inbox();
        node.send("s.a", box.subject, "1");
        node.loop.runAll();
        node.log.failPending(new java.io.IOException("gone"), true);
        node.loop.runAll();
        assertThat(box.messages).isEmpty();
        node.log.release();
        assertThat(node.publish("s.a", "2").get("seq").asLong()).isEqualTo(2);
    }

    @Test
    void stopsAStreamWhoseStoreFails() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.stores.failNextAppend("disk full");
        assertThat(node.publish("s.a", "1").at("/error/err_code").asInt()).isEqualTo(10077);
        assertThat(node.api("STREAM.INFO.S", "").at("/error/err_code").asInt()).isEqualTo(10194);
        node.crash();
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(1);
    }
}
