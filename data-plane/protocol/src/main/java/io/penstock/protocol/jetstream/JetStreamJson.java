package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Reads and writes the JSON of the JetStream API. Thread-safe. */
public final class JetStreamJson {
    private static final ObjectMapper MAPPER = mapper();
    private static final ObjectReader STRICT = MAPPER.reader().with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final ObjectReader LENIENT =
            MAPPER.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private JetStreamJson() {}

    private static ObjectMapper mapper() {
        SimpleModule times = new SimpleModule();
        times.addSerializer(Instant.class, new InstantWriter());
        times.addDeserializer(Instant.class, new InstantReader());
        ObjectMapper mapper = JsonMapper.builder()
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .addModule(times)
                .build();
        mapper.getFactory().setCharacterEscapes(new GoEscapes());
        for (CoercionInputShape shape :
                List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
            mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
        }
        return mapper;
    }

    /**
     * Reads a request body.
     *
     * @param strict whether a field nobody knows is an error
     */
    public static <T> T read(byte[] json, Class<T> type, boolean strict) throws InvalidJsonException {
        try {
            T value = (strict ? STRICT : LENIENT).forType(type).readValue(json);
            if (value == null) {
                throw new InvalidJsonException("unexpected EOF");
            }
            return value;
        } catch (IOException e) {
            throw new InvalidJsonException(describe(e, json, type));
        }
    }

    /** Reads what we wrote ourselves. */
    public static <T> T readOwn(byte[] json, Class<T> type) {
        try {
            return LENIENT.forType(type).readValue(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The object as a tree, to be put together with other fields. */
    public static ObjectNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    private static String describe(IOException e, byte[] json, Class<?> type) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "json: unknown field \"" + unknown.getPropertyName() + "\"";
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownWordException) {
                return cause.getMessage();
            }
            if (cause instanceof DateTimeParseException time) {
                String text = time.getParsedString();
                return "parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + text
                        + "\" as \"2006\"";
            }
        }
        if (e instanceof JsonEOFException) {
            return "unexpected EOF";
        }
        if (e instanceof JsonParseException parse) {
            int at = (int) Math.max(0, parse.getLocation().getByteOffset());
            int shown = Math.min(at, json.length - 1);
            if (json.length > 0 && json[0] != '{') {
                shown = 0;
            }
            return "invalid character '" + (char) (json[shown] & 0xff) + "' looking for beginning of value at offset "
                    + (shown + 1);
        }
        if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            if (new String(json, StandardCharsets.UTF_8).isBlank()) {
                return "unexpected EOF";
            }
            if (mismatch.getPath().isEmpty()) {
                return "json: cannot unmarshal " + kind(mismatch) + " into Go value of type server."
                        + type.getSimpleName();
            }
            return "json: cannot unmarshal " + kind(mismatch) + " into Go struct field " + owner(type) + path(mismatch)
                    + " of type " + goType(mismatch.getTargetType());
        }
        return e instanceof JsonProcessingException p ? p.getOriginalMessage() : String.valueOf(e.getMessage());
    }

    /** The name clients know the request by. */
    private static String owner(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "StreamConfig" -> "StreamConfigRequest.StreamConfig.";
            case "ConsumerCreate" -> "ConsumerConfig.";
            case "PullRequest" -> "JSApiConsumerGetNextRequest.";
            case "MessageGetRequest" -> "JSApiMsgGetRequest.";
            default -> type.getSimpleName() + ".";
        };
    }

    private static String path(MismatchedInputException e) {
        StringBuilder out = new StringBuilder();
        for (JsonMappingException.Reference part : e.getPath()) {
            if (part.getFieldName() != null) {
                out.append(out.isEmpty() ? "" : ".").append(part.getFieldName());
            }
        }
        return out.toString();
    }

    /** What stood there instead; the library tells it only in its message. */
    private static String kind(MismatchedInputException e) {
        String message = String.valueOf(e.getOriginalMessage());
        if (message.contains("START_OBJECT") || message.contains("Object value")) {
            return "object";
        }
        if (message.contains("START_ARRAY") || message.contains("Array value")) {
            return "array";
        }
        if (message.contains("Boolean value") || message.contains("VALUE_TRUE") || message.contains("VALUE_FALSE")) {
            return "bool";
        }
        if (message.contains("String")
                && !message.contains("Integer value")
                && !message.contains("Floating-point value")
                && !message.contains("VALUE_NUMBER")) {
            return "string";
        }
        return "number";
    }

    private static String goType(Class<?> type) {
        if (type == long.class || type == Long.class) {
            return "int64";
        }
        if (type == int.class) {
            return "int";
        }
        if (type == boolean.class) {
            return "bool";
        }
        if (type == String.class) {
            return "string";
        }
        return List.class.isAssignableFrom(type) ? "[]string" : type.getSimpleName();
    }

    private static final class InstantWriter extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(GoTime.format(value));
        }
    }

    private static final class InstantReader extends JsonDeserializer<Instant> {
        @Override
        public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return GoTime.parse(in.getText());
        }
    }
}
