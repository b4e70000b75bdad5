package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A question to this server, with its options checked for being an object.
 *
 * @param endpoint such as {@code VARZ} or {@code CONNZ}
 * @param account the only account the answer may speak of, or null when the asker is the system account and named none
 * @param options the body; fields are those of the endpoint
 */
public record SystemRequest(String endpoint, String account, ObjectNode options) {}
