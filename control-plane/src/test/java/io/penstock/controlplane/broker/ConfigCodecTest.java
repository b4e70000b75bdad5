package io.penstock.controlplane.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import org.junit.jupiter.api.Test;

class ConfigCodecTest {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void durationsAndSequencesAreStringsInTheApiOnly() {
        ObjectNode broker = Configs.STREAM.toBroker(
                object(
                        "{\"name\":\"S\",\"max_age\":\"72h\",\"first_seq\":\"18446744073709551615\",\"consumer_limits\":{\"inactive_threshold\":\"1m\"}}"));
        assertThat(broker.toString())
                .isEqualTo(
                        "{\"name\":\"S\",\"max_age\":259200000000000,\"first_seq\":18446744073709551615,\"consumer_limits\":{\"inactive_threshold\":60000000000}}");
        assertThat(Configs.STREAM.toApi(broker).path("max_age").asText()).isEqualTo("72h");
        assertThat(Configs.STREAM.toApi(broker).path("first_seq").asText()).isEqualTo("18446744073709551615");
    }

    @Test
    void unknownFieldsAreRefusedFromClientsAndKeptFromTheBroker() {
        assertThatThrownBy(() -> Configs.STREAM.toBroker(object("{\"mirror\":{\"name\":\"A\",\"nam\":\"B\"}}")))
                .isInstanceOfSatisfying(ProblemException.class, problem -> {
                    assertThat(problem.code()).isEqualTo(ErrorCode.UNKNOWN_FIELD);
                    assertThat(problem.invalidParameters().getFirst().field()).isEqualTo("mirror.nam");
                });
        ObjectNode shown = Configs.STREAM.toApi(object("{\"name\":\"S\",\"of_tomorrow\":{\"x\":1}}"));
        assertThat(shown.at("/of_tomorrow/x").asInt()).isEqualTo(1);
    }

    @Test
    void wrongValuesAreAllNamed() {
        assertThatThrownBy(() -> Configs.CONSUMER.toBroker(object(
                        "{\"ack_wait\":30,\"ack_policy\":\"some\",\"max_deliver\":-2,\"backoff\":[\"1s\",\"x\"]}")))
                .isInstanceOfSatisfying(ProblemException.class, problem -> {
                    assertThat(problem.code()).isEqualTo(ErrorCode.VALIDATION_FAILED);
                    assertThat(problem.invalidParameters())
                            .extracting(ProblemException.InvalidParameter::field)
                            .containsExactly("ack_wait", "ack_policy", "max_deliver", "backoff[1]");
                });
    }

    @Test
    void mergePatchRemovesByNullAndKeepsTheRest() {
        ObjectNode current = object("{\"a\":1,\"b\":{\"x\":1,\"y\":2},\"of_tomorrow\":true}");
        ObjectNode merged = ConfigCodec.merge(current, object("{\"a\":null,\"b\":{\"x\":null,\"z\":3}}"));
        assertThat(merged.toString()).isEqualTo("{\"b\":{\"y\":2,\"z\":3},\"of_tomorrow\":true}");
        assertThat(current.path("a").asInt()).isEqualTo(1);
    }

    private ObjectNode object(String text) {
        try {
            return (ObjectNode) json.readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }
}
