package io.penstock.server.json;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A JSON object whose members keep their order. Values are strings, numbers, booleans, {@code null}, collections, maps
 * and other objects.
 */
public final class JsonObject {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Puts a member, whatever its value. */
    public JsonObject put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** Puts a member unless its value is null, zero, false, or empty: what is not there is not shown. */
    public JsonObject putUnlessEmpty(String name, Object value) {
        if (!isEmpty(value)) {
            members.put(name, value);
        }
        return this;
    }

    /** Adds all members of another object. */
    public JsonObject putAll(JsonObject other) {
        members.putAll(other.members);
        return this;
    }

    public Map<String, Object> members() {
        return members;
    }

    private static boolean isEmpty(Object value) {
        return switch (value) {
            case null -> true;
            case String text -> text.isEmpty();
            case Boolean flag -> !flag;
            case Number number -> number.doubleValue() == 0;
            case Collection<?> items -> items.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case JsonObject object -> object.members.isEmpty();
            default -> false;
        };
    }
}
