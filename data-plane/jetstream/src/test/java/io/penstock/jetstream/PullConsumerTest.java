package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PullConsumerTest {
    private static final long SECOND = 1_000_000_000L;
    private final TestingNode node = new TestingNode().start();

    @BeforeEach
    void makeStream() {
        node.createStream("S", "\"subjects\":[\"s.>\"]");
    }

    private void consumer(String more) {
        JsonNode answer =
                node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"" + (more.isEmpty() ? "" : "," + more));
        assertThat(answer.get("error")).as(answer.toString()).isNull();
    }

    private Inbox pull(String request) {
        Inbox box = node.inbox();
        node.send("$JS.API.CONSUMER.MSG.NEXT.S.c", box.subject, request);
        node.loop.runAll();
        return box;
    }

    private Message next() {
        Inbox box = pull("{\"no_wait\":true}");
        Message message = box.take();
        box.close();
        return message;
    }

    private void ack(Message message, String body) {
        node.answer(message, null, body);
    }

    private JsonNode info() {
        return node.api("CONSUMER.INFO.S.c", "");
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            node.publish("s.a", "m" + i);
        }
    }

    @Test
    void handsOutInOrderWithAckSubjects() {
        publish(2);
        consumer("");
        Message first = next();
        assertThat(first.payload()).isEqualTo("m0");
        assertThat(first.subject()).isEqualTo("s.a");
        assertThat(first.reply()).matches("\\$JS\\.ACK\\.S\\.c\\.1\\.1\\.1\\.\\d+\\.1");
        assertThat(next().reply()).matches("\\$JS\\.ACK\\.S\\.c\\.1\\.2\\.2\\.\\d+\\.0");
        assertThat(next().status()).isEqualTo("404 No Messages");
        assertThat(info().get("num_ack_pending").asInt()).isEqualTo(2);
    }

    @Test
    void servesBatchesAsMessagesArrive() {
        consumer("");
        Inbox box = pull("{\"batch\":3,\"expires\":5000000000}");
        publish(2);
        assertThat(box.messages).hasSize(2);
        assertThat(info().get("num_waiting").asInt()).isEqualTo(1);
        node.loop.advance(5 * SECOND);
        Message last = box.messages.getLast();
        assertThat(last.status()).isEqualTo("408 Request Timeout");
        assertThat(last.header("Nats-Pending-Messages")).isEqualTo("1");
        assertThat(last.header("Nats-Pending-Bytes")).isEqualTo("0");
    }

    @Test
    void endsNoWaitWithNoMessages() {
        consumer("");
        publish(1);
        Inbox box = pull("{\"batch\":2,\"no_wait\":true}");
        assertThat(box.messages).hasSize(2);
        assertThat(box.messages.get(1).status()).isEqualTo("404 No Messages");
    }

    @Test
    void tellsLimitsOfRequests() {
        consumer("\"max_batch\":1,\"max_expires\":2000000000,\"max_bytes\":100");
        assertThat(pull("{\"batch\":2}").take().status()).isEqualTo("409 Exceeded MaxRequestBatch of 1");
        assertThat(pull("{\"batch\":1,\"expires\":3000000000}").take().status())
                .isEqualTo("409 Exceeded MaxRequestExpires of 2s");
        assertThat(pull("{\"batch\":1,\"max_bytes\":200}").take().status())
                .isEqualTo("409 Exceeded MaxRequestMaxBytes of 100");
        assertThat(pull("{\"batch\":1,\"expires\":1000000000,\"idle_heartbeat\":900000000}")
                        .take()
                        .status())
                .isEqualTo("400 Bad Request - heartbeat value too large");
    }

    @Test
    void refusesTooManyWaitingRequests() {
        consumer("\"max_waiting\":1");
        pull("{\"batch\":1,\"expires\":3000000000}");
        assertThat(pull("{\"batch\":1,\"expires\":3000000000}").take().status()).isEqualTo("409 Exceeded MaxWaiting");
    }

    @Test
    void keepsWithinBytesOfARequest() {
        consumer("");
        node.publish("s.a", "x".repeat(1000));
        Inbox box = pull("{\"batch\":1,\"max_bytes\":500,\"expires\":3000000000}");
        assertThat(box.take().status()).isEqualTo("409 Message Size Exceeds MaxBytes");
        Inbox large = pull("{\"batch\":1,\"max_bytes\":5000,\"expires\":3000000000}");
        assertThat(large.messages).hasSize(2);
        assertThat(large.messages.get(1).status()).isEqualTo("409 Batch Completed");
    }

    @Test
    void sendsHeartbeatsWhileARequestWaits() {
        consumer("");
        Inbox box = pull("{\"batch\":1,\"expires\":5000000000,\"idle_heartbeat\":1000000000}");
        node.loop.advance(3 * SECOND + 1);
        assertThat(box.messages).hasSize(3).allMatch(m -> m.status().equals("100 Idle Heartbeat"));
        assertThat(box.messages.getFirst().header("Nats-Last-Consumer")).isEqualTo("0");
    }

    @Test
    void deliversAgainAfterAckWait() {
        consumer("\"ack_wait\":2000000000");
        publish(1);
        next();
        node.loop.advance(1_900_000_000L);
        assertThat(next().status()).isEqualTo("404 No Messages");
        node.loop.advance(200_000_000L);
        Message again = next();
        assertThat(again.reply()).matches("\\$JS\\.ACK\\.S\\.c\\.2\\.1\\.2\\.\\d+\\.0");
        assertThat(info().get("num_redelivered").asInt()).isEqualTo(1);
        ack(again, "");
        assertThat(info().get("num_ack_pending").asInt()).isZero();
        assertThat(info().at("/ack_floor/stream_seq").asInt()).isEqualTo(1);
    }

    @Test
    void nakComesAtOnceAndWithDelayLater() {
        consumer("\"backoff\":[5000000000]");
        publish(1);
        ack(next(), "-NAK");
        Message second = next();
        assertThat(second.reply()).contains(".c.2.1.2.");
        ack(second, "-NAK {\"delay\":1500000000}");
        assertThat(next().status()).isEqualTo("404 No Messages");
        node.loop.advance(1_600_000_000L);
        assertThat(next().reply()).contains(".c.3.1.3.");
    }

    @Test
    void deliversAgainInTimeThoughTheWallClockWasWrong() {
        consumer("\"ack_wait\":1000000000");
        publish(1);
        node.loop.setWallClockWrong(3600 * SECOND);
        publish(1);
        next();
        next();
        node.loop.setWallClockWrong(0);
        node.loop.advance(SECOND);

        assertThat(next().payload()).isEqualTo("m0");
        assertThat(next().payload()).isEqualTo("m0");

        node.loop.setWallClockWrong(-3600 * SECOND);
        node.loop.advance(SECOND);
        assertThat(next().payload()).isEqualTo("m0");
    }

    @Test
    void endsPullRequestsInTimeThoughTheWallClockIsWrong() {
        consumer("");
        Inbox box = pull("{\"batch\":1,\"expires\":5000000000}");
        node.loop.setWallClockWrong(3600 * SECOND);
        node.loop.advance(SECOND);
        assertThat(box.messages).isEmpty();
        node.loop.setWallClockWrong(-3600 * SECOND);
        node.loop.advance(4 * SECOND);
        assertThat(box.take().status()).isEqualTo("408 Request Timeout");
    }

    @Test
    void progressPutsOffRedelivery() {
        consumer("\"ack_wait\":2000000000");
        publish(1);
        Message message = next();
        for (int i = 0; i < 4; i++) {
            node.loop.advance(SECOND);
            ack(message, "+WPI");
        }
        assertThat(next().status()).isEqualTo("404 No Messages");
        ack(message, "+ACK");
        node.loop.advance(10 * SECOND);
        assertThat(next().status()).isEqualTo("404 No Messages");
    }

    @Test
    void backoffReplacesAckWait() {
        JsonNode answer = node.createConsumer(
                "S",
                "c",
                "\"ack_policy\":\"explicit\",\"ack_wait\":60000000000,\"backoff\":[3000000000],\"max_deliver\":3");
        assertThat(answer.at("/config/ack_wait").asLong()).isEqualTo(3 * SECOND);
        publish(1);
        Inbox box = pull("{\"batch\":10,\"expires\":60000000000}");
        node.loop.advance(3_100_000_000L);
        assertThat(box.messages).hasSize(2);
        node.loop.advance(3_100_000_000L);
        assertThat(box.messages).hasSize(3);
        node.loop.advance(10 * SECOND);
        assertThat(box.messages).hasSize(3);
        assertThat(info().get("num_ack_pending").asInt()).isZero();
    }

    @Test
    void reportsMessagesDeliveredTooOften() {
        Inbox advisories = node.inbox("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.c");
        consumer("\"max_deliver\":2,\"ack_wait\":1000000000");
        publish(1);
        next();
        node.loop.advance(1_100_000_000L);
        next();
        node.loop.advance(1_100_000_000L);
        assertThat(advisories.messages).hasSize(1);
        JsonNode advisory = TestingNode.json(advisories.messages.getFirst());
        assertThat(advisory.get("deliveries").asInt()).isEqualTo(2);
        assertThat(advisory.get("stream_seq").asInt()).isEqualTo(1);
        assertThat(next().status()).isEqualTo("404 No Messages");
    }

    @Test
    void terminatesWithAReason() {
        Inbox advisories = node.inbox("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S.c");
        consumer("");
        publish(1);
        ack(next(), "+TERM bad data");
        assertThat(TestingNode.json(advisories.take()).get("reason").asText()).isEqualTo("bad data");
        assertThat(info().get("num_ack_pending").asInt()).isZero();
    }

    @Test
    void acksAndPullsTheNext() {
        consumer("");
        publish(2);
        Message first = next();
        Inbox box = node.inbox();
        node.answer(first, box, "+NXT");
        assertThat(box.take().payload()).isEqualTo("m1");
        assertThat(info().at("/ack_floor/stream_seq").asInt()).isEqualTo(1);
    }

    @Test
    void answersADoubleAckOnlyOnceItIsInTheLog() {
        consumer("");
        publish(1);
        Message message = next();
        node.log.hold();
        Inbox box = node.inbox();
        node.answer(message, box, "");
        assertThat(box.messages).isEmpty();
        node.log.release();
        node.loop.runAll();
        assertThat(box.messages).hasSize(1);
        node.crash();
        node.loop.advance(60 * SECOND);
        assertThat(next().status()).isEqualTo("404 No Messages");
        assertThat(info().at("/ack_floor/stream_seq").asInt()).isEqualTo(1);
    }

    @Test
    void deliversUnackedAgainAfterACrash() {
        consumer("\"ack_wait\":2000000000");
        publish(3);
        Message first = next();
        next();
        ack(first, "");
        node.loop.advance(SECOND);
        node.crash();
        assertThat(info().get("num_ack_pending").asInt()).isEqualTo(1);
        assertThat(next().payload()).isEqualTo("m2");
        node.loop.advance(1_500_000_000L);
        assertThat(next().payload()).isEqualTo("m1");
    }

    @Test
    void stopsAtMaxAckPending() {
        consumer("\"max_ack_pending\":2");
        publish(5);
        Inbox box = pull("{\"batch\":5,\"expires\":60000000000}");
        assertThat(box.messages).hasSize(2);
        ack(box.messages.getFirst(), "");
        assertThat(box.messages).hasSize(3);
        assertThat(info().get("num_ack_pending").asInt()).isEqualTo(2);
    }

    @Test
    void acksAllBelow() {
        node.createConsumer("S", "c", "\"ack_policy\":\"all\"");
        publish(5);
        Inbox box = pull("{\"batch\":5}");
        ack(box.messages.get(3), "");
        assertThat(info().get("num_ack_pending").asInt()).isEqualTo(1);
        assertThat(info().at("/ack_floor/stream_seq").asInt()).isEqualTo(4);
    }

    @Test
    void countsPendingPerFilter() {
        for (int i = 0; i < 6; i++) {
            node.publish("s." + i % 3, "x");
        }
        consumer("\"filter_subject\":\"s.1\"");
        assertThat(info().get("num_pending").asInt()).isEqualTo(2);
        node.publish("s.1", "x");
        node.publish("s.2", "x");
        assertThat(info().get("num_pending").asInt()).isEqualTo(3);
        next();
        assertThat(info().get("num_pending").asInt()).isEqualTo(2);
        consumer("\"filter_subjects\":[\"s.1\",\"s.2\"]");
        assertThat(info().get("num_pending").asInt()).isEqualTo(5);
        node.api("STREAM.PURGE.S", "{\"filter\":\"s.2\"}");
        assertThat(info().get("num_pending").asInt()).isEqualTo(2);
        node.api("STREAM.MSG.DELETE.S", "{\"seq\":5}");
        assertThat(info().get("num_pending").asInt()).isEqualTo(1);
    }

    @Test
    void beginsWhereItsPolicySays() {
        for (int i = 0; i < 9; i++) {
            node.publish("s." + i % 3, "m" + i);
            node.loop.advance(SECOND);
        }
        assertThat(first("\"deliver_policy\":\"last\"")).isEqualTo("m8");
        assertThat(first("\"deliver_policy\":\"last\",\"filter_subject\":\"s.1\""))
                .isEqualTo("m7");
        assertThat(first("\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":4"))
                .isEqualTo("m3");
        String time =
                node.api("STREAM.MSG.GET.S", "{\"seq\":5}").at("/message/time").asText();
        assertThat(first("\"deliver_policy\":\"by_start_time\",\"opt_start_time\":\"" + time + "\""))
                .isEqualTo("m4");
        assertThat(first("\"deliver_policy\":\"new\"")).isEmpty();
        consumer("\"deliver_policy\":\"last_per_subject\",\"filter_subject\":\"s.>\"");
        assertThat(info().get("num_pending").asInt()).isEqualTo(3);
        node.publish("s.0", "m9");
        Inbox box = pull("{\"batch\":10}");
        assertThat(box.messages).extracting(Message::payload).containsExactly("m6", "m7", "m8", "m9");
    }

    private String first(String more) {
        consumer(more);
        String payload = next().payload();
        node.api("CONSUMER.DELETE.S.c", "");
        return payload;
    }

    @Test
    void sendsHeadersOnly() {
        consumer("\"headers_only\":true");
        node.publish("s.a", "12345", "X", "y");
        Message message = next();
        assertThat(message.payload()).isEmpty();
        assertThat(message.header("Nats-Msg-Size")).isEqualTo("5");
        assertThat(message.header("X")).isEqualTo("y");
    }

    @Test
    void pausesAndResumes() {
        consumer("");
        publish(1);
        String until = io.penstock.protocol.jetstream.GoTime.format(node.loop.now() + 5 * SECOND);
        JsonNode answer = node.api("CONSUMER.PAUSE.S.c", "{\"pause_until\":\"" + until + "\"}");
        assertThat(answer.get("paused").asBoolean()).isTrue();
        Inbox box = pull("{\"batch\":1,\"expires\":60000000000}");
        node.loop.advance(4 * SECOND);
        assertThat(box.messages).isEmpty();
        node.loop.advance(2 * SECOND);
        assertThat(box.messages).hasSize(1);
    }

    @Test
    void isSetBack() {
        consumer("");
        publish(3);
        ack(next(), "");
        next();
        JsonNode answer = node.api("CONSUMER.RESET.S.c", "");
        assertThat(answer.get("reset_seq").asInt()).isEqualTo(2);
        assertThat(next().reply()).matches("\\$JS\\.ACK\\.S\\.c\\.1\\.2\\.1\\..*");
        node.api("CONSUMER.RESET.S.c", "{\"seq\":1}");
        assertThat(next().payload()).isEqualTo("m0");
        node.crash();
        assertThat(info().at("/delivered/stream_seq").asInt()).isLessThanOrEqualTo(1);
    }

    @Test
    void ephemeralsDieWithoutRequests() {
        JsonNode made = node.api(
                "CONSUMER.CREATE.S",
                "{\"stream_name\":\"S\",\"config\":{\"ack_policy\":\"none\",\"inactive_threshold\":2000000000}}");
        assertThat(made.get("name").asText()).hasSize(8);
        node.loop.advance(SECOND);
        assertThat(node.api("CONSUMER.NAMES.S", "").get("total").asInt()).isEqualTo(1);
        node.loop.advance(2 * SECOND);
        assertThat(node.api("CONSUMER.NAMES.S", "").get("total").asInt()).isZero();
    }

    @Test
    void waitingRequestsHearOfTheEnd() {
        consumer("");
        Inbox box = pull("{\"batch\":1,\"expires\":60000000000}");
        node.api("CONSUMER.DELETE.S.c", "");
        assertThat(box.take().status()).isEqualTo("409 Consumer Deleted");
    }

    @Test
    void forgetsRequestsNobodyListensTo() {
        consumer("");
        Inbox gone = pull("{\"batch\":1,\"expires\":60000000000}");
        gone.close();
        Inbox live = pull("{\"batch\":1,\"expires\":60000000000}");
        publish(1);
        assertThat(live.messages).hasSize(1);
        assertThat(info().at("/delivered/consumer_seq").asInt()).isEqualTo(1);
    }

    @Test
    void publishesAckMetrics() {
        Inbox metrics = node.inbox("$JS.EVENT.METRIC.CONSUMER.ACK.S.c");
        consumer("\"sample_freq\":\"100%\"");
        publish(1);
        Message message = next();
        node.loop.advance(SECOND);
        ack(message, "");
        assertThat(TestingNode.json(metrics.take()).get("ack_time").asLong()).isEqualTo(SECOND);
    }
}
