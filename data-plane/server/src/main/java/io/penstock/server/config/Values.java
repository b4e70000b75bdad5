package io.penstock.server.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Turns parsed values into the types the options have; a value of another kind is an error at its place. */
final class Values {
    private Values() {}

    /** A host and a port; port -1 asks for a random one. */
    record HostPort(String host, int port) {}

    static String text(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Text text) {
            return text.value();
        }
        throw mismatch("a string", value);
    }

    static boolean flag(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value();
        }
        throw mismatch("a boolean", value);
    }

    static long whole(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Whole whole) {
            return whole.value();
        }
        throw mismatch("a whole number", value);
    }

    static int small(String key, ConfigValue value) throws ConfigException {
        long number = whole(value);
        if (number > Integer.MAX_VALUE || number < Integer.MIN_VALUE) {
            throw new ConfigException(value.position(), key + " value is too big");
        }
        return (int) number;
    }

    static int port(String key, ConfigValue value) throws ConfigException {
        long number = whole(value);
        if (number < -1 || number > 65_535) {
            throw new ConfigException(value.position(), key + ": " + number + " is not a port (0 to 65535, -1 random)");
        }
        return (int) number;
    }

    static ConfigValue.Block block(String key, ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Block block) {
            return block;
        }
        throw new ConfigException(value.position(), "Expected " + key + " to be a map, got " + value.kind());
    }

    static List<ConfigValue> items(String key, ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Items items) {
            return items.values();
        }
        throw new ConfigException(value.position(), "Expected " + key + " to be an array, got " + value.kind());
    }

    /** A string, or an array of strings. */
    static List<String> texts(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Items items) {
            List<String> texts = new ArrayList<>();
            for (ConfigValue item : items.values()) {
                texts.add(text(item));
            }
            return texts;
        }
        return List.of(text(value));
    }

    /** A duration; a bare number is seconds, which earns a warning because its unit is easily mistaken. */
    static Duration duration(String key, ConfigValue value, Problems problems) throws ConfigException {
        if (value instanceof ConfigValue.Whole whole) {
            problems.warn(
                    value.position(),
                    "invalid use of field \"" + key + "\": " + key + " should be converted to a duration");
            return Duration.ofSeconds(whole.value());
        }
        try {
            return Durations.parse(text(value));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(value.position(), "error parsing " + key + ": " + e.getMessage());
        }
    }

    /** A time-out: seconds with or without a fraction, or a duration. */
    static Duration seconds(String key, ConfigValue value) throws ConfigException {
        return switch (value) {
            case ConfigValue.Whole whole -> Duration.ofSeconds(whole.value());
            case ConfigValue.Decimal decimal -> Duration.ofNanos((long) (decimal.value() * 1e9));
            case ConfigValue.Text text -> {
                try {
                    yield Durations.parse(text.value());
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(
                            value.position(), "error parsing " + key + ", 'timeout' " + e.getMessage());
                }
            }
            default -> throw mismatch("seconds or a duration", value);
        };
    }

    /** A JetStream size: a whole number, or a string with one binary suffix. Empty when the string is. */
    static OptionalLong storage(String key, ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Whole whole) {
            return OptionalLong.of(whole.value());
        }
        if (!(value instanceof ConfigValue.Text text)) {
            throw new ConfigException(value.position(), key + " must be a whole number or a string");
        }
        String word = text.value();
        if (word.isEmpty()) {
            return OptionalLong.empty();
        }
        int power = "KMGT".indexOf(word.charAt(word.length() - 1)) + 1;
        if (power == 0) {
            throw new ConfigException(
                    value.position(), key + " sizes defined as strings must end in K, M, G, T, not \"" + word + "\"");
        }
        try {
            long number = Long.parseLong(word.substring(0, word.length() - 1));
            return OptionalLong.of(Math.multiplyExact(number, 1L << (10 * power)));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new ConfigException(value.position(), key + ": \"" + word + "\" is not a size");
        }
    }

    /** A port, or {@code host:port}; the host of {@code :port} is empty. */
    static HostPort listen(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Whole) {
            return new HostPort("", port("listen", value));
        }
        if (!(value instanceof ConfigValue.Text)) {
            throw new ConfigException(value.position(), "expected port or host:port, got " + value.kind());
        }
        String text = text(value);
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0 || (host.indexOf(':') >= 0 && !bracketed)) {
            throw new ConfigException(value.position(), "could not parse address string \"" + text + "\"");
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port < -1 || port > 65_535) {
                throw new NumberFormatException();
            }
            return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
        } catch (NumberFormatException e) {
            throw new ConfigException(value.position(), "could not parse port \"" + text.substring(colon + 1) + "\"");
        }
    }

    /** A percentage, as a number or as {@code "40%"}. */
    static int percent(String key, ConfigValue value, int least) throws ConfigException {
        long number;
        try {
            number = value instanceof ConfigValue.Text text
                    ? Long.parseLong(
                            text.value().endsWith("%")
                                    ? text.value().substring(0, text.value().length() - 1)
                                    : text.value())
                    : whole(value);
        } catch (NumberFormatException e) {
            throw new ConfigException(value.position(), "Invalid " + key + " \"" + text(value) + "\"");
        }
        if (number < least || number > 100) {
            throw new ConfigException(
                    value.position(), "Invalid " + key + " " + number + ", needs to be " + least + " to 100");
        }
        return (int) number;
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static ConfigException mismatch(String expected, ConfigValue value) {
        return new ConfigException(value.position(), "expected " + expected + ", got " + value.kind());
    }
}
