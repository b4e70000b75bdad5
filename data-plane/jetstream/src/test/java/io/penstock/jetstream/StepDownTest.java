package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.GROUP;
import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to let another replica lead. */
class StepDownTest {
    private final TestingNodes nodes = new TestingNodes(5);

    @BeforeEach
    void create() {
        nodes.moveLeader("n1");
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
    }

    private JsonNode consumer(String body) {
        return nodes.api("CONSUMER.LEADER.STEPDOWN.S.c", body);
    }

    private JsonNode stream(String placement) {
        return nodes.api("STREAM.LEADER.STEPDOWN.S", "{\"placement\":" + placement + "}");
    }

    private static void refuses(JsonNode answer, String why) {
        assertThat(answer.at("/error/code").asInt()).isEqualTo(400);
        assertThat(answer.at("/error/err_code").asInt()).isEqualTo(10005);
        assertThat(answer.at("/error/description").asText()).isEqualTo(why);
    }

    @Test
    void nothingMovesForTheSakeOfOneConsumer() {
        long term = nodes.awaitLeader().log.term();
        JsonNode answer = consumer("");
        assertThat(answer.at("/type").asText()).endsWith("consumer_leader_stepdown_response");
        refuses(answer, "consumer \"c\" is led where stream \"S\" is, step down the stream instead");
        refuses(consumer("{\"placement\":{\"preferred\":\"n1\"}}"), "preferred server \"n1\" is already leader");
        refuses(consumer("{\"placement\":{\"preferred\":\"x\"}}"), "preferred server \"x\" not known");
        nodes.cluster.run(5 * SECOND);
        assertThat(nodes.awaitLeader().name).isEqualTo("n1");
        assertThat(nodes.awaitLeader().log.term()).isEqualTo(term);
        assertThat(nodes.api("CONSUMER.LEADER.STEPDOWN.S.none", "")
                        .at("/error/err_code")
                        .asInt())
                .isEqualTo(10014);
    }

    @Test
    void aConsumerOfAStreamWithOneReplicaIsLedWhereItIs() {
        nodes.move("S", "solo:n2");
        nodes.cluster.runUntil(() -> !nodes.group("S").equals(GROUP) && nodes.stream("S") != null, 20 * SECOND);
        nodes.cluster.run(SECOND);
        JsonNode answer = consumer("");
        assertThat(answer.at("/success").asBoolean()).as(String.valueOf(answer)).isTrue();
    }

    @Test
    void aStreamSaysWhyNobodyTakesOver() {
        refuses(stream("{\"preferred\":\"n1\"}"), "preferred server \"n1\" is already leader");
        refuses(stream("{\"preferred\":\"x\",\"cluster\":\"other\"}"), "preferred server \"x\" not known");
        refuses(stream("{\"tags\":[\"t\"]}"), "no replacement peer connected");
        refuses(stream("{\"cluster\":\"other\"}"), "no replacement peer connected");
        assertThat(nodes.awaitLeader().name).isEqualTo("n1");
        assertThat(stream("{\"preferred\":\"n3\"}").at("/success").asBoolean()).isTrue();
        assertThat(nodes.awaitLeader().name).isEqualTo("n3");
    }
}
