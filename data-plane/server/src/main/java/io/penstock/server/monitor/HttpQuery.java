package io.penstock.server.monitor;

import java.util.Locale;
import java.util.function.UnaryOperator;

/** A query string. */
final class HttpQuery implements Query {
    /** The value of a parameter, or null. */
    private final UnaryOperator<String> parameters;

    HttpQuery(UnaryOperator<String> parameters) {
        this.parameters = parameters;
    }

    @Override
    public boolean flag(String name, String field) throws PageException {
        return parse(name, text(name, field));
    }

    private static boolean parse(String name, String value) throws PageException {
        return switch (value) {
            case "", "0", "f", "F", "false", "FALSE", "False" -> false;
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            default ->
                throw new PageException(
                        400,
                        "Error decoding boolean for '" + name + "': strconv.ParseBool: parsing \"" + value
                                + "\": invalid syntax");
        };
    }

    @Override
    public long whole(String name, String field, long otherwise) throws PageException {
        String value = text(name, field);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new PageException(
                    400,
                    "Error decoding int for '" + name + "': strconv.Atoi: parsing \"" + value + "\": invalid syntax");
        }
    }

    @Override
    public String text(String name, String field) {
        String value = parameters.apply(name);
        return value == null ? "" : value;
    }

    @Override
    public Subscriptions subscriptions() throws PageException {
        String value = text("subs", "");
        if (value.equalsIgnoreCase("detail")) {
            return Subscriptions.DETAIL;
        }
        return parse("subs", value) ? Subscriptions.SUBJECTS : Subscriptions.COUNT;
    }

    @Override
    public State state() throws PageException {
        String value = text("state", "");
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "", "open" -> State.OPEN;
            case "closed" -> State.CLOSED;
            case "any", "all" -> State.ALL;
            default -> throw new PageException(400, "Error decoding state for " + value);
        };
    }
}
