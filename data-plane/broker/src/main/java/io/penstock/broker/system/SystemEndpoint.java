package io.penstock.broker.system;

import com.fasterxml.jackson.databind.JsonNode;

/** Answers one kind of question. Runs on the system services' thread, where a moment of blocking is allowed. */
@FunctionalInterface
public interface SystemEndpoint {
    /** The {@code data} of the reply, or null for none. */
    JsonNode answer(SystemRequest request) throws SystemRequestException;
}
