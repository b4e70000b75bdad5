package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;

/** Takes the switch {@code pedantic} out of a request that is otherwise a configuration. */
final class PedanticConfig {
    record Split(byte[] rest, boolean pedantic) {}

    private PedanticConfig() {}

    static Split split(byte[] body) throws InvalidJsonException {
        ObjectNode node = JetStreamJson.read(body, ObjectNode.class, false);
        JsonNode pedantic = node.remove("pedantic");
        if (pedantic == null) {
            return new Split(body, false);
        }
        return new Split(JetStreamJson.write(node), pedantic.asBoolean());
    }
}
