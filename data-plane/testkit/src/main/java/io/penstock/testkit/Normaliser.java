package io.penstock.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Takes out of an answer what differs between two servers that behave the same: times, random names, versions. */
final class Normaliser {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern ACK_TIME =
            Pattern.compile("(\\$JS\\.ACK\\.[^. ]+\\.[^. ]+\\.\\d+\\.\\d+\\.\\d+)\\.\\d{15,}");
    private static final Pattern SIZES = Pattern.compile("^(HMSG .*) \\d+ \\d+$|^(MSG .*) \\d+$");

    /** Values that are the server's own business; that the field is there is compared, its value is not. */
    private static final Set<String> OWN = Set.of("_nats.ver", "_nats.level", "leader", "level", "server_id", "id");

    private Normaliser() {}

    static String normalise(String item) {
        int bar = item.indexOf('|');
        if (bar < 0) {
            return item;
        }
        String line = ACK_TIME.matcher(item.substring(0, bar)).replaceAll("$1.<time>");
        String body = item.substring(bar + 1);
        boolean json = body.startsWith("{");
        // Sizes follow from times and versions inside.
        String head = SIZES.matcher(line).replaceAll("$1$2").stripTrailing();
        return head + "|" + (json ? json(body) : TIME.matcher(body).replaceAll("<time>"));
    }

    private static String json(String body) {
        try {
            return JSON.writeValueAsString(sorted(JSON.readTree(body), ""));
        } catch (JsonProcessingException e) {
            return body;
        }
    }

    private static JsonNode sorted(JsonNode node, String name) {
        if (OWN.contains(name) && node.isValueNode()) {
            return TextNode.valueOf("<" + name + ">");
        }
        if (node instanceof ObjectNode object) {
            Map<String, JsonNode> fields = new TreeMap<>();
            object.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue(), field.getKey())));
            ObjectNode ordered = JSON.createObjectNode();
            fields.forEach(ordered::set);
            return ordered;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode elements = JSON.createArrayNode();
            array.forEach(element -> elements.add(sorted(element, "")));
            return elements;
        }
        if (node.isTextual()) {
            return TextNode.valueOf(TIME.matcher(node.textValue()).replaceAll("<time>"));
        }
        return node;
    }
}
