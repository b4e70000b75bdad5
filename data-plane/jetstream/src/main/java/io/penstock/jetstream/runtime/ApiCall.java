package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.MessageOrigin;

/**
 * A request to the API.
 *
 * @param subject the subject without a domain: begins with {@code $JS.API.}
 * @param reply where the answer goes; null when nobody wants one
 */
public record ApiCall(
        AccountRuntime account, String subject, String reply, byte[] headers, byte[] body, MessageOrigin origin) {}
