package io.penstock.broker.system;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** JSON of the system account. */
final class Json {
    private Json() {}

    /** Reads; made when first needed, because a mapper costs start-up time. */
    private static final class Reader {
        private static final ObjectMapper MAPPER = new ObjectMapper();
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static byte[] bytes(JsonNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads an object; an empty text is an empty object, null says that it is something else. */
    static ObjectNode parse(byte[] text) {
        String body = new String(text, StandardCharsets.UTF_8).strip();
        if (body.isEmpty()) {
            return object();
        }
        try {
            return Reader.MAPPER.readTree(body) instanceof ObjectNode object ? object : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** Sets a field unless its text is absent or empty. */
    static void putPresent(ObjectNode node, String field, String value) {
        if (value != null && !value.isEmpty()) {
            node.put(field, value);
        }
    }

    static void putTime(ObjectNode node, String field, Instant time) {
        if (time != null) {
            node.put(field, time.toString());
        }
    }

    static ObjectNode counters(long messages, long bytes) {
        return object().put("msgs", messages).put("bytes", bytes);
    }
}
