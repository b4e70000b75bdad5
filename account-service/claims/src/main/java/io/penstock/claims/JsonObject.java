package io.penstock.claims;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a JSON object field by field with the path in every complaint, and remembers which fields were read: the
 * rest is what {@link #unknown} keeps for re-encoding.
 */
final class JsonObject {
    private final String path;
    private final Map<String, Object> fields;
    private final Set<String> read = new LinkedHashSet<>();

    JsonObject(String path, Map<String, Object> fields) {
        this.path = path;
        this.fields = fields;
    }

    static Map<String, Object> asObject(String path, Object value) throws InvalidTokenException {
        if (!(value instanceof Map<?, ?> map)) {
            throw new InvalidTokenException(path + " must be an object");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, inner) -> object.put(String.valueOf(key), inner));
        return object;
    }

    String string(String name) throws InvalidTokenException {
        Object value = take(name);
        if (value == null) {
            return "";
        }
        if (value instanceof String text) {
            return text;
        }
        throw wrong(name, "a string");
    }

    long number(String name) throws InvalidTokenException {
        Object value = take(name);
        return value == null ? 0 : toLong(name, value);
    }

    boolean bool(String name) throws InvalidTokenException {
        Object value = take(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(name, "true or false");
    }

    List<String> strings(String name) throws InvalidTokenException {
        List<String> strings = new ArrayList<>();
        for (Object value : list(name)) {
            if (!(value instanceof String text)) {
                throw wrong(name, "a list of strings");
            }
            strings.add(text);
        }
        return List.copyOf(strings);
    }

    /** A list of strings that older tokens spell as one string with commas. */
    List<String> stringsOrCommas(String name) throws InvalidTokenException {
        if (!(fields.get(name) instanceof String text)) {
            return strings(name);
        }
        read.add(name);
        List<String> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return List.copyOf(parts);
    }

    List<?> list(String name) throws InvalidTokenException {
        Object value = take(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(name, "a list");
    }

    List<JsonObject> objects(String name) throws InvalidTokenException {
        List<JsonObject> objects = new ArrayList<>();
        for (Object value : list(name)) {
            String at = path + "." + name + "[" + objects.size() + "]";
            objects.add(new JsonObject(at, asObject(at, value)));
        }
        return objects;
    }

    /** The object of this name, an empty one when it is absent. */
    JsonObject object(String name) throws InvalidTokenException {
        Object value = take(name);
        String at = path + "." + name;
        return new JsonObject(at, value == null ? Map.of() : asObject(at, value));
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    boolean isString(String name) {
        return fields.get(name) instanceof String;
    }

    Set<String> names() {
        return fields.keySet();
    }

    Map<String, Long> numbers() throws InvalidTokenException {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (String name : fields.keySet()) {
            numbers.put(name, number(name));
        }
        return numbers;
    }

    /** Every field nobody read. */
    Map<String, Object> unknown() {
        Map<String, Object> rest = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            if (!read.contains(name) && value != null) {
                rest.put(name, value);
            }
        });
        return Collections.unmodifiableMap(rest);
    }

    InvalidTokenException wrong(String name, String expected) {
        return new InvalidTokenException(path + "." + name + " must be " + expected);
    }

    private Object take(String name) {
        read.add(name);
        return fields.get(name);
    }

    private long toLong(String name, Object value) throws InvalidTokenException {
        if (value instanceof Long || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 0x1p62) {
            return number.longValue();
        }
        throw wrong(name, "a whole number of at most 64 bits");
    }
}
