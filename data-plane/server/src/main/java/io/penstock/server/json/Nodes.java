package io.penstock.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/** Makes JSON trees. What is "not there" (null, zero, false, empty) is left out by the {@code …IfAny} methods. */
public final class Nodes {
    private Nodes() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    public static ArrayNode texts(Collection<String> texts) {
        ArrayNode array = array();
        texts.forEach(array::add);
        return array;
    }

    public static void textIfAny(ObjectNode node, String name, String value) {
        if (value != null && !value.isEmpty()) {
            node.put(name, value);
        }
    }

    public static void numberIfAny(ObjectNode node, String name, long value) {
        if (value != 0) {
            node.put(name, value);
        }
    }

    public static void flagIfSet(ObjectNode node, String name, boolean value) {
        if (value) {
            node.put(name, true);
        }
    }

    public static void textsIfAny(ObjectNode node, String name, Collection<String> values) {
        if (!values.isEmpty()) {
            node.set(name, texts(values));
        }
    }

    public static void timeIfAny(ObjectNode node, String name, Instant time) {
        if (time != null) {
            node.put(name, time.toString());
        }
    }

    public static void textMapIfAny(ObjectNode node, String name, Map<String, String> values) {
        if (!values.isEmpty()) {
            ObjectNode map = node.putObject(name);
            values.forEach(map::put);
        }
    }

    public static void nodeIfAny(ObjectNode node, String name, JsonNode value) {
        if (value != null && !value.isEmpty()) {
            node.set(name, value);
        }
    }
}
