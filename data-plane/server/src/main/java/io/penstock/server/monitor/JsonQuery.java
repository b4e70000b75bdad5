package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The body of a request on the system account. */
final class JsonQuery implements Query {
    private final ObjectNode options;
    /** Account that the question is confined to, or null. */
    private final String account;

    JsonQuery(ObjectNode options, String account) {
        this.options = options;
        this.account = account;
    }

    @Override
    public boolean flag(String name, String field) {
        return options.path(field).asBoolean();
    }

    @Override
    public long whole(String name, String field, long otherwise) {
        return options.path(field).asLong(otherwise);
    }

    @Override
    public String text(String name, String field) {
        if (account != null && (field.equals("account") || field.equals("acc"))) {
            return account;
        }
        JsonNode value = options.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asText();
    }

    @Override
    public Subscriptions subscriptions() {
        if (flag("", "subscriptions_detail")) {
            return Subscriptions.DETAIL;
        }
        return flag("", "subscriptions") ? Subscriptions.SUBJECTS : Subscriptions.COUNT;
    }

    @Override
    public State state() throws PageException {
        return switch ((int) whole("", "state", 0)) {
            case 0 -> State.OPEN;
            case 1 -> State.CLOSED;
            case 2 -> State.ALL;
            default -> throw new PageException(400, "Error decoding state for " + options.path("state"));
        };
    }
}
