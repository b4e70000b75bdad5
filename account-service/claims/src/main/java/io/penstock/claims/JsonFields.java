package io.penstock.claims;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds a JSON object; what is empty, zero or false is left out, as readers of these tokens expect. */
final class JsonFields {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    JsonFields put(String name, String value) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
        return this;
    }

    JsonFields put(String name, long value) {
        if (value != 0) {
            fields.put(name, value);
        }
        return this;
    }

    JsonFields put(String name, boolean value) {
        if (value) {
            fields.put(name, true);
        }
        return this;
    }

    JsonFields put(String name, Collection<?> value) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
        return this;
    }

    JsonFields put(String name, Map<String, ?> value) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
        return this;
    }

    /** Written even when empty. */
    JsonFields always(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    JsonFields all(Map<String, Object> others) {
        fields.putAll(others);
        return this;
    }

    Map<String, Object> toMap() {
        return fields;
    }
}
