package io.penstock.broker.permission;

import java.time.Duration;

/**
 * Leave to publish to the reply subjects of messages one received.
 *
 * @param maxMessages publishes for each reply subject, negative when unlimited
 * @param ttl time from the delivery, negative when for ever
 */
public record ResponsePermission(int maxMessages, Duration ttl) {
    public static final int DEFAULT_MAX_MESSAGES = 1;
    public static final Duration DEFAULT_TTL = Duration.ofMinutes(2);
    public static final ResponsePermission DEFAULT = new ResponsePermission(DEFAULT_MAX_MESSAGES, DEFAULT_TTL);
}
