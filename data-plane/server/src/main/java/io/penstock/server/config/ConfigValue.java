package io.penstock.server.config;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A parsed value with the place it came from: that of its key, or its own inside an array. */
public sealed interface ConfigValue {
    /** Where to point at when the value is wrong. */
    Position position();

    /** The same value seen from another place, as when a variable refers to it. */
    ConfigValue at(Position position);

    /** What to call this kind of value in a message. */
    String kind();

    /** A string, bare, quoted or a block. */
    record Text(String value, Position position) implements ConfigValue {
        @Override
        public Text at(Position other) {
            return new Text(value, other);
        }

        @Override
        public String kind() {
            return "a string";
        }
    }

    /** A whole number, a size suffix already applied. */
    record Whole(long value, Position position) implements ConfigValue {
        @Override
        public Whole at(Position other) {
            return new Whole(value, other);
        }

        @Override
        public String kind() {
            return "a whole number";
        }
    }

    /** A number with a fraction. */
    record Decimal(double value, Position position) implements ConfigValue {
        @Override
        public Decimal at(Position other) {
            return new Decimal(value, other);
        }

        @Override
        public String kind() {
            return "a decimal number";
        }
    }

    /** A boolean. */
    record Flag(boolean value, Position position) implements ConfigValue {
        @Override
        public Flag at(Position other) {
            return new Flag(value, other);
        }

        @Override
        public String kind() {
            return "a boolean";
        }
    }

    /** A date and time in UTC. */
    record Moment(Instant value, Position position) implements ConfigValue {
        @Override
        public Moment at(Position other) {
            return new Moment(value, other);
        }

        @Override
        public String kind() {
            return "a date";
        }
    }

    /** An array. */
    record Items(List<ConfigValue> values, Position position) implements ConfigValue {
        @Override
        public Items at(Position other) {
            return new Items(values, other);
        }

        @Override
        public String kind() {
            return "an array";
        }
    }

    /** A map; keys keep the order and the spelling of the file, a later duplicate replaces an earlier one. */
    record Block(LinkedHashMap<String, ConfigValue> entries, Position position) implements ConfigValue {
        @Override
        public Block at(Position other) {
            return new Block(entries, other);
        }

        @Override
        public String kind() {
            return "a map";
        }

        /** The value of the first key that equals one of the names, whatever its case, or null. */
        public ConfigValue find(String... names) {
            for (Map.Entry<String, ConfigValue> entry : entries.entrySet()) {
                for (String name : names) {
                    if (name.equalsIgnoreCase(entry.getKey())) {
                        return entry.getValue();
                    }
                }
            }
            return null;
        }
    }
}
