package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiTest {
    private final TestingNode node = new TestingNode().start();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"max_age\":5|10052|max age needs to be >= 100ms",
                "\"max_age\":-1|10052|max age can not be negative",
                "\"duplicate_window\":5|10052|duplicates window needs to be >= 100ms",
                "\"max_age\":1000000000,\"duplicate_window\":2000000000|10052|duplicates window can not be larger then max age",
                "\"discard_new_per_subject\":true|10052|discard new per subject requires discard new policy to be set",
                "\"discard\":\"new\",\"discard_new_per_subject\":true|10052|discard new per subject requires max msgs per subject > 0",
                "\"deny_purge\":true,\"allow_rollup_hdrs\":true|10052|roll-ups require the purge permission",
                "\"num_replicas\":3|10074|replicas > 1 not supported in non-clustered mode",
                "\"num_replicas\":6|10052|maximum replicas is 5",
                "\"num_replicas\":-1|10133|replicas count cannot be negative",
                "\"subjects\":[\"a..b\"]|10052|invalid subject",
                "\"subjects\":[\"a\",\"a\"]|10052|subject \"a\" overlaps with \"a\"",
                "\"subjects\":[\"a.*\",\"a.b\"]|10052|subject \"a.*\" overlaps with \"a.b\"",
                "\"subjects\":[\">\"]|10052|capturing all subjects requires no-ack to be true",
                "\"subjects\":[\"$JS.API.x\"]|10052|subjects that overlap with jetstream api require no-ack to be true",
                "\"subjects\":[\"$SYS.x\"]|10052|subjects that overlap with system api require no-ack to be true",
                "\"subjects\":[\"taken.x\"]|10065|subjects overlap with an existing stream",
                "\"sealed\":true|10052|stream configuration for create can not be sealed",
                "\"subject_delete_marker_ttl\":1|10052|subject delete marker TTL must be at least 1 second",
                "\"republish\":{\"dest\":\"T.x\"},\"subjects\":[\"T.>\"]|10052|stream configuration for republish destination forms a cycle",
                "\"placement\":{\"preferred\":\"n\"}|10052|preferred server not permitted in placement",
                "\"max_msgs\":-5,\"pedantic\":true|10157|pedantic mode: max_msgs must be set to -1",
                "\"mirror\":{\"name\":\"x\"}|10052|mirrors not supported by this server",
                "\"foo\":1|10025|invalid JSON: json: unknown field \"foo\"",
                "\"retention\":\"x\"|10025|invalid JSON: can not unmarshal \"\\\"x\\\"\"",
            })
    void refusesStreams(String more, int code, String description) {
        node.createStream("X", "\"subjects\":[\"taken.>\"]");
        JsonNode answer = node.createStream("T", more);
        assertThat(answer.at("/error/err_code").asInt()).as(answer.toString()).isEqualTo(code);
        assertThat(answer.at("/error/description").asText()).isEqualTo(description);
        assertThat(node.api("STREAM.NAMES", "").get("total").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"ack_wait\":-1,\"ack_policy\":\"explicit\"|10183|consumer ack wait needs to be positive",
                "\"backoff\":[-1],\"ack_policy\":\"explicit\"|10184|consumer backoff needs to be positive",
                "\"backoff\":[1,2],\"max_deliver\":1,\"ack_policy\":\"explicit\"|10116|max deliver is required to be > length of backoff values",
                "\"deliver_subject\":\"a.*\"|10079|consumer deliver subject has wildcards",
                "\"deliver_subject\":\"s.x\"|10081|consumer deliver subject forms a cycle",
                "\"deliver_subject\":\"d\",\"max_waiting\":5|10080|consumer in push mode can not set max waiting",
                "\"deliver_subject\":\"d\",\"max_ack_pending\":5|10082|consumer requires ack policy for max ack pending",
                "\"deliver_subject\":\"d\",\"idle_heartbeat\":5|10083|consumer idle heartbeat needs to be >= 100ms",
                "\"deliver_subject\":\"d\",\"flow_control\":true|10108|consumer with flow control also needs heartbeats",
                "\"rate_limit_bps\":5|10086|consumer in pull mode can not have rate limit set",
                "\"idle_heartbeat\":500000000|10088|consumer idle heartbeat requires a push based consumer",
                "\"flow_control\":true|10089|consumer flow control requires a push based consumer",
                "\"filter_subject\":\"a\",\"filter_subjects\":[\"b\"]|10136|consumer cannot have both FilterSubject and FilterSubjects specified",
                "\"filter_subjects\":[\"f.a\",\"\"]|10139|consumer filter in FilterSubjects cannot be empty",
                "\"filter_subjects\":[\"f.a.>\",\"f.a.b\"]|10138|consumer subject filters cannot overlap",
                "\"deliver_policy\":\"all\",\"opt_start_seq\":4|10094|consumer delivery policy is deliver all, but optional start sequence is also set",
                "\"deliver_policy\":\"by_start_sequence\"|10094|consumer delivery policy is deliver by start sequence, but optional start sequence is not set",
                "\"deliver_policy\":\"last_per_subject\"|10094|consumer delivery policy is deliver last per subject, but optional filter subject is not set",
                "\"sample_freq\":\"x\"|10095|failed to parse consumer sampling configuration: strconv.Atoi: parsing \"x\": invalid syntax",
                "\"max_expires\":5|10115|consumer max request expires needs to be >= 1ms",
                "\"priority_groups\":[\"a\"]|10196|consumer can not have priority groups when policy is none",
                "\"priority_policy\":\"overflow\"|10159|Setting PriorityPolicy requires at least one PriorityGroup to be set",
                "\"num_replicas\":3|10074|replicas > 1 not supported in non-clustered mode",
                "\"direct\":true|10090|consumer direct requires a push based consumer",
            })
    void refusesConsumers(String more, int code, String description) {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        JsonNode answer =
                node.api("CONSUMER.CREATE.S.c", "{\"stream_name\":\"S\",\"config\":{\"name\":\"c\"," + more + "}}");
        assertThat(answer.at("/error/err_code").asInt()).as(answer.toString()).isEqualTo(code);
        assertThat(answer.at("/error/description").asText()).isEqualTo(description);
        assertThat(node.api("CONSUMER.NAMES.S", "").get("total").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "STREAM.INFO.T||10059|io.nats.jetstream.api.v1.stream_info_response",
                "STREAM.DELETE.T||10059|io.nats.jetstream.api.v1.stream_delete_response",
                "STREAM.DELETE.S|x|10038|io.nats.jetstream.api.v1.stream_delete_response",
                "STREAM.UPDATE.T|{\"name\":\"T\"}|10059|io.nats.jetstream.api.v1.stream_update_response",
                "STREAM.CREATE.T|{\"name\":\"U\"}|10056|io.nats.jetstream.api.v1.stream_create_response",
                "STREAM.CREATE.T|hello|10025|io.nats.jetstream.api.v1.stream_create_response",
                "STREAM.PURGE.T||10059|io.nats.jetstream.api.v1.stream_purge_response",
                "STREAM.MSG.GET.S||10003|io.nats.jetstream.api.v1.stream_msg_get_response",
                "STREAM.MSG.GET.S|{\"seq\":9}|10037|io.nats.jetstream.api.v1.stream_msg_get_response",
                "STREAM.MSG.GET.S|{\"seq\":1,\"last_by_subj\":\"s.a\"}|10003|io.nats.jetstream.api.v1.stream_msg_get_response",
                "STREAM.MSG.DELETE.S|{\"seq\":9}|10057|io.nats.jetstream.api.v1.stream_msg_delete_response",
                "STREAM.SNAPSHOT.S|{}|10015|io.nats.jetstream.api.v1.stream_snapshot_response",
                "STREAM.LEADER.STEPDOWN.S||10010|io.nats.jetstream.api.v1.stream_leader_stepdown_response",
                "CONSUMER.INFO.S.c||10014|io.nats.jetstream.api.v1.consumer_info_response",
                "CONSUMER.INFO.S.c|x|10038|io.nats.jetstream.api.v1.consumer_info_response",
                "CONSUMER.DELETE.S.c||10014|io.nats.jetstream.api.v1.consumer_delete_response",
                "CONSUMER.DURABLE.CREATE.S.c|{\"stream_name\":\"S\",\"config\":{}}|10018|io.nats.jetstream.api.v1.consumer_create_response",
                "CONSUMER.DURABLE.CREATE.S.c|{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"d\"}}|10017|io.nats.jetstream.api.v1.consumer_create_response",
                "CONSUMER.CREATE.S|{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"d\"}}|10020|io.nats.jetstream.api.v1.consumer_create_response",
                "CONSUMER.CREATE.S.c.s.a|{\"stream_name\":\"S\",\"config\":{\"filter_subject\":\"s.b\"}}|10131|io.nats.jetstream.api.v1.consumer_create_response",
                "CONSUMER.CREATE.S.c|{\"stream_name\":\"T\",\"config\":{}}|10056|io.nats.jetstream.api.v1.consumer_create_response",
                "CONSUMER.CREATE.S.c|{\"stream_name\":\"S\",\"config\":{},\"action\":\"update\"}|10149|io.nats.jetstream.api.v1.consumer_create_response",
                "STREAM.NAMES|{\"x\":1}|10025|io.nats.jetstream.api.v1.stream_names_response",
            })
    void answersErrors(String subject, String body, int code, String type) {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        JsonNode answer = node.api(subject, body == null ? "" : body);
        assertThat(answer.at("/error/err_code").asInt()).as(answer.toString()).isEqualTo(code);
        assertThat(answer.get("type").asText()).isEqualTo(type);
    }

    @Test
    void staysSilentOnUnknownRequests() {
        assertThat(node.api("NOPE", "")).isNull();
        assertThat(node.api("STREAM.NOPE.S", "")).isNull();
        assertThat(node.api("META.LEADER.STEPDOWN", "")).isNull();
    }

    @Test
    void createsIdenticalStreamsAgainAndRefusesOthers() {
        String config = "\"subjects\":[\"s.>\"],\"metadata\":{\"a\":\"b\"}";
        JsonNode first = node.createStream("S", config);
        assertThat(first.get("did_create").asBoolean()).isTrue();
        assertThat(first.at("/config/metadata/_nats.req.level").asText()).isEqualTo("0");
        JsonNode again = node.createStream("S", config);
        assertThat(again.get("created")).isEqualTo(first.get("created"));
        assertThat(node.createStream("S", "\"subjects\":[\"s.*\"]")
                        .at("/error/err_code")
                        .asInt())
                .isEqualTo(10058);
    }

    @Test
    void updatesWhatMayChange() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        for (int i = 0; i < 5; i++) {
            node.publish("s.a", "x");
        }
        JsonNode updated = node.api("STREAM.UPDATE.S", "{\"name\":\"S\",\"subjects\":[\"s.>\",\"t\"],\"max_msgs\":2}");
        assertThat(updated.at("/state/messages").asInt()).isEqualTo(2);
        assertThat(node.publish("t", "x").get("seq").asInt()).isEqualTo(6);
        assertThat(updateError("\"storage\":\"memory\""))
                .isEqualTo("stream configuration update can not change storage type");
        assertThat(updateError("\"retention\":\"workqueue\""))
                .isEqualTo("stream configuration update can not change retention policy to/from workqueue");
        JsonNode sealed = node.api("STREAM.UPDATE.S", "{\"name\":\"S\",\"subjects\":[\"s.>\"],\"sealed\":true}");
        assertThat(sealed.at("/config/deny_delete").asBoolean()).isTrue();
        assertThat(node.api("STREAM.PURGE.S", "").at("/error/err_code").asInt()).isEqualTo(10109);
        assertThat(updateError("\"subjects\":[\"s.>\"]"))
                .isEqualTo("stream configuration update can not unseal a sealed stream");
    }

    private String updateError(String more) {
        return node.api("STREAM.UPDATE.S", "{\"name\":\"S\"," + more + "}")
                .at("/error/description")
                .asText();
    }

    @Test
    void refusedConsumerChangesLeaveEverythingAsItWas() {
        node.createStream("S", "\"subjects\":[\"s\"]");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        JsonNode memory = node.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"mem_storage\":true");
        assertThat(memory.at("/error/err_code").asInt()).isEqualTo(10012);
        assertThat(memory.at("/error/description").asText()).isEqualTo("storage type can not be updated");
        assertThat(node.createConsumer("S", "c", "\"ack_policy\":\"all\"")
                        .at("/error/err_code")
                        .asInt())
                .isEqualTo(10012);
        JsonNode create = node.api(
                "CONSUMER.CREATE.S.c",
                "{\"stream_name\":\"S\",\"action\":\"create\",\"config\":{\"durable_name\":\"c\",\"ack_policy\":\"explicit\",\"description\":\"d\"}}");
        assertThat(create.at("/error/err_code").asInt()).isEqualTo(10148);
        JsonNode same = node.api(
                "CONSUMER.CREATE.S.c",
                "{\"stream_name\":\"S\",\"action\":\"create\",\"config\":{\"durable_name\":\"c\",\"ack_policy\":\"explicit\"}}");
        assertThat(same.get("error")).isNull();
        assertThat(node.createConsumer("S", "c", "\"ack_policy\":\"explicit\",\"max_deliver\":5")
                        .at("/config/max_deliver")
                        .asInt())
                .isEqualTo(5);
    }

    @Test
    void listsSubjectsAndDeletedSequences() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        for (int i = 0; i < 6; i++) {
            node.publish("s." + i % 2, "x");
        }
        node.api("STREAM.MSG.DELETE.S", "{\"seq\":3}");
        JsonNode info = node.api("STREAM.INFO.S", "{\"subjects_filter\":\"s.>\",\"deleted_details\":true}");
        assertThat(info.at("/state/subjects/s.0").asInt()).isEqualTo(2);
        assertThat(info.at("/state/deleted/0").asInt()).isEqualTo(3);
        assertThat(info.get("total").asInt()).isEqualTo(2);
        assertThat(node.api("STREAM.NAMES", "{\"subject\":\"s.1\"}")
                        .at("/streams/0")
                        .asText())
                .isEqualTo("S");
        assertThat(node.api("STREAM.NAMES", "{\"subject\":\"t\"}").get("total").asInt())
                .isZero();
    }

    @Test
    void readsMessagesDirectly() {
        node.createStream("S", "\"subjects\":[\"s.>\"],\"allow_direct\":true");
        for (int i = 0; i < 6; i++) {
            node.publish("s." + i % 3, "m" + i);
        }
        Message last = node.request("$JS.API.DIRECT.GET.S.s.1", "");
        assertThat(last.payload()).isEqualTo("m4");
        assertThat(last.header("Nats-Subject")).isEqualTo("s.1");
        assertThat(last.header("Nats-Sequence")).isEqualTo("5");
        assertThat(node.request("$JS.API.DIRECT.GET.S.s.9", "").status()).isEqualTo("404 Message Not Found");
        assertThat(node.request("$JS.API.DIRECT.GET.S", "").status()).isEqualTo("408 Empty Request");
        assertThat(node.request("$JS.API.DIRECT.GET.S", "{\"seq\":2}").payload())
                .isEqualTo("m1");
        Inbox batch = direct("{\"seq\":1,\"batch\":2,\"next_by_subj\":\"s.>\"}");
        assertThat(batch.messages).hasSize(3);
        assertThat(batch.messages.get(1).header("Nats-Num-Pending")).isEqualTo("4");
        assertThat(batch.messages.get(2).status()).isEqualTo("204 EOB");
        Inbox multi = direct("{\"multi_last\":[\"s.0\",\"s.2\"]}");
        assertThat(multi.messages).extracting(Message::payload).containsExactly("m3", "m5", "");
        assertThat(multi.messages.get(2).header("Nats-UpTo-Sequence")).isEqualTo("6");
        Inbox upTo = direct("{\"multi_last\":[\"s.>\"],\"up_to_seq\":3}");
        assertThat(upTo.messages).extracting(Message::payload).containsExactly("m0", "m1", "m2", "");
    }

    private Inbox direct(String body) {
        Inbox box = node.inbox();
        node.send("$JS.API.DIRECT.GET.S", box.subject, body);
        node.loop.runAll();
        return box;
    }

    @Test
    void auditsRequestsWhenSomebodyListens() {
        Inbox audit = node.inbox("$JS.EVENT.ADVISORY.API");
        Inbox actions = node.inbox("$JS.EVENT.ADVISORY.STREAM.CREATED.S");
        node.createStream("S", "");
        JsonNode advisory = TestingNode.json(audit.take());
        assertThat(advisory.get("subject").asText()).isEqualTo("$JS.API.STREAM.CREATE.S");
        assertThat(advisory.at("/client/user").asText()).isEqualTo("u");
        assertThat(TestingNode.json(actions.take()).get("action").asText()).isEqualTo("create");
    }

    @Test
    void speaksThroughItsDomain() {
        node.options = node.options.toBuilder().domain("D").build();
        node.crash();
        JsonNode info = TestingNode.json(node.request("$JS.D.API.INFO", ""));
        assertThat(info.get("domain").asText()).isEqualTo("D");
        node.createStream("KV_b", "\"subjects\":[\"$KV.b.>\"]");
        Message ack = node.request("$JS.D.API.$KV.b.k", "v");
        assertThat(ack.payload()).isEqualTo("{\"stream\":\"KV_b\",\"domain\":\"D\",\"seq\":1}");
    }

    @Test
    void refusesHigherApiLevels() {
        JsonNode answer = node.api("STREAM.NAMES", "", "Nats-Required-Api-Level", "99");
        assertThat(answer.at("/error/err_code").asInt()).isEqualTo(10185);
        assertThat(node.api("STREAM.NAMES", "", "Nats-Required-Api-Level", "4").get("error"))
                .isNull();
    }

    @Test
    void deletedStreamsLeaveNothing() {
        int before = node.client.subscriptions();
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.createConsumer("S", "c", "");
        assertThat(node.api("STREAM.DELETE.S", "").get("success").asBoolean()).isTrue();
        assertThat(node.client.subscriptions()).isEqualTo(before);
        assertThat(node.request("s.a", "x")).isNull();
        node.crash();
        assertThat(node.api("STREAM.NAMES", "").get("total").asInt()).isZero();
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        assertThat(node.publish("s.a", "x").get("seq").asInt()).isEqualTo(1);
    }

    @Test
    void refusesWritesWhileTheDiskTakesNoneAndGoesOnLater() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        node.publish("s.a", "1");
        node.log.changeRole(io.penstock.consensus.ReplicatedLog.Role.CANDIDATE);
        assertThat(node.publish("s.a", "2").at("/error/err_code").asInt()).isEqualTo(10047);
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(1);
        assertThat(node.createStream("T", "").at("/error/err_code").asInt()).isEqualTo(10047);
        node.log.changeRole(io.penstock.consensus.ReplicatedLog.Role.LEADER);
        node.loop.runAll();
        assertThat(node.publish("s.a", "2").get("seq").asInt()).isEqualTo(2);
        assertThat(node.createStream("T", "").get("error")).isNull();
    }
}
