package io.penstock.controlplane.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.penstock.controlplane.web.Durations;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.ProblemException.InvalidParameter;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Translates a configuration between the API and the broker: the same names, but durations are strings in the API and nanoseconds
 * in the broker, and sequences are strings in the API. Pure. Towards the broker it is strict; what the broker shows and we do not
 * know passes unchanged.
 */
public final class ConfigCodec {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** How the broker writes what is not set. */
    private static final Set<String> UNSET = Set.of("", "0", "false", "default");

    private static final BigInteger MAX_SEQUENCE = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private final Map<String, Kind> fields;

    ConfigCodec(Map<String, Kind> fields) {
        this.fields = Map.copyOf(fields);
    }

    /** What a field holds. */
    sealed interface Kind {
        /** Text; with `values` only those. */
        record Text(List<String> values) implements Kind {}

        /** A whole number from `min`. */
        record Whole(long min) implements Kind {}

        /** True or false. */
        record Flag() implements Kind {}

        /** A string in the API, nanoseconds in the broker. */
        record Span() implements Kind {}

        /** A string in the API, an unsigned 64-bit number in the broker. */
        record Sequence() implements Kind {}

        /** A time of RFC 3339. */
        record Time() implements Kind {}

        /** A map of texts. */
        record TextMap() implements Kind {}

        /** An object with fields of its own. */
        record Group(ConfigCodec codec) implements Kind {}

        /** A list. */
        record Many(Kind each) implements Kind {}
    }

    /** Checks and translates what a client sent. Null values stay null: in a merge patch they remove. */
    public ObjectNode toBroker(ObjectNode api) {
        List<InvalidParameter> unknown = new ArrayList<>();
        List<InvalidParameter> wrong = new ArrayList<>();
        ObjectNode out = toBroker(api, "", unknown, wrong);
        if (!unknown.isEmpty()) {
            throw ProblemException.invalid(ErrorCode.UNKNOWN_FIELD, unknown);
        }
        if (!wrong.isEmpty()) {
            throw ProblemException.invalid(ErrorCode.VALIDATION_FAILED, wrong);
        }
        return out;
    }

    private ObjectNode toBroker(
            ObjectNode api, String path, List<InvalidParameter> unknown, List<InvalidParameter> wrong) {
        ObjectNode out = NODES.objectNode();
        for (Map.Entry<String, JsonNode> entry : api.properties()) {
            String field = path + entry.getKey();
            Kind kind = fields.get(entry.getKey());
            if (kind == null) {
                unknown.add(
                        new InvalidParameter(field, "known", "there is no such field; see /v1/openapi.json", "body"));
            } else {
                out.set(entry.getKey(), value(kind, entry.getValue(), field, unknown, wrong));
            }
        }
        return out;
    }

    private static JsonNode value(
            Kind kind, JsonNode given, String field, List<InvalidParameter> unknown, List<InvalidParameter> wrong) {
        if (given.isNull()) {
            return given;
        }
        JsonNode out = switch (kind) {
            case Kind.Text(List<String> values) ->
                given.isTextual() && (values.isEmpty() || values.contains(given.asText())) ? given : null;
            case Kind.Whole(long min) ->
                given.canConvertToLong() && given.isIntegralNumber() && given.asLong() >= min ? given : null;
            case Kind.Flag() -> given.isBoolean() ? given : null;
            case Kind.Span() -> span(given);
            case Kind.Sequence() -> sequence(given);
            case Kind.Time() -> time(given);
            case Kind.TextMap() -> isTextMap(given) ? given : null;
            case Kind.Group(ConfigCodec codec) ->
                given instanceof ObjectNode object ? codec.toBroker(object, field + ".", unknown, wrong) : null;
            case Kind.Many(Kind each) -> many(each, given, field, unknown, wrong);
        };
        if (out == null) {
            wrong.add(new InvalidParameter(field, "value", expectation(kind), "body"));
            return NODES.nullNode();
        }
        return out;
    }

    private static JsonNode many(
            Kind each, JsonNode given, String field, List<InvalidParameter> unknown, List<InvalidParameter> wrong) {
        if (!given.isArray() || given.size() > 1000) {
            return null;
        }
        ArrayNode out = NODES.arrayNode();
        for (int i = 0; i < given.size(); i++) {
            out.add(value(each, given.get(i), field + "[" + i + "]", unknown, wrong));
        }
        return out;
    }

    private static JsonNode span(JsonNode given) {
        try {
            return given.isTextual() ? LongNode.valueOf(Durations.parseNanos(given.asText())) : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static JsonNode sequence(JsonNode given) {
        boolean digits = given.isTextual() && given.asText().matches("\\d{1,20}");
        if (!digits) {
            return null;
        }
        BigInteger number = new BigInteger(given.asText());
        return number.compareTo(MAX_SEQUENCE) <= 0 ? NODES.numberNode(number) : null;
    }

    private static JsonNode time(JsonNode given) {
        try {
            return given.isTextual()
                    ? TextNode.valueOf(
                            OffsetDateTime.parse(given.asText()).toInstant().toString())
                    : null;
        } catch (DateTimeParseException malformed) {
            return null;
        }
    }

    private static boolean isTextMap(JsonNode given) {
        if (!given.isObject()) {
            return false;
        }
        for (JsonNode value : given) {
            // In a merge patch a null takes the key away.
            if (!value.isTextual() && !value.isNull()) {
                return false;
            }
        }
        return true;
    }

    private static String expectation(Kind kind) {
        return switch (kind) {
            case Kind.Text(List<String> values) -> values.isEmpty() ? "a text" : "one of " + String.join(", ", values);
            case Kind.Whole(long min) -> "a whole number from " + min;
            case Kind.Flag() -> "true or false";
            case Kind.Span() -> "a duration such as \"90s\", \"15m\" or \"72h\"";
            case Kind.Sequence() -> "a sequence as a string of digits";
            case Kind.Time() -> "a time such as 2026-11-30T09:00:00Z";
            case Kind.TextMap() -> "an object of texts";
            case Kind.Group group -> "an object";
            case Kind.Many many -> "a list of at most 1000";
        };
    }

    /** Shows what the broker has. */
    public ObjectNode toApi(JsonNode broker) {
        ObjectNode out = NODES.objectNode();
        for (Map.Entry<String, JsonNode> entry : broker.properties()) {
            Kind kind = fields.get(entry.getKey());
            out.set(entry.getKey(), kind == null ? entry.getValue() : shown(kind, entry.getValue()));
        }
        return out;
    }

    private static JsonNode shown(Kind kind, JsonNode value) {
        return switch (kind) {
            case Kind.Span() when value.isNumber() -> TextNode.valueOf(Durations.format(value.asLong()));
            case Kind.Sequence() when value.isNumber() -> TextNode.valueOf(value.asText());
            case Kind.Group(ConfigCodec codec) when value.isObject() -> codec.toApi(value);
            case Kind.Many(Kind each)
            when value.isArray() -> {
                ArrayNode out = NODES.arrayNode();
                value.forEach(one -> out.add(shown(each, one)));
                yield out;
            }
            default -> value;
        };
    }

    /** Whether two values say the same; what is unset says false, 0 or the broker's word for its default. */
    public static boolean same(JsonNode one, JsonNode other) {
        return plain(one).equals(plain(other));
    }

    private static String plain(JsonNode value) {
        String text = value == null || value.isNull() ? "" : value.isValueNode() ? value.asText() : value.toString();
        return UNSET.contains(text) ? "" : text;
    }

    /** RFC 7396 on the broker's document, so that fields we do not know stay as they are. */
    public static ObjectNode merge(JsonNode current, ObjectNode patch) {
        ObjectNode out = current.deepCopy();
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                out.remove(entry.getKey());
            } else if (value instanceof ObjectNode nested && out.get(entry.getKey()) instanceof ObjectNode old) {
                out.set(entry.getKey(), merge(old, nested));
            } else {
                out.set(entry.getKey(), withoutNulls(value));
            }
        }
        return out;
    }

    private static JsonNode withoutNulls(JsonNode value) {
        return value instanceof ObjectNode object ? merge(NODES.objectNode(), object) : value;
    }
}
