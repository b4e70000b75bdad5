package io.penstock.broker;

/**
 * One subscription as monitoring shows it.
 *
 * @param queue null when plain
 * @param max 0 when unlimited
 * @param connectionId 0 for the server's own
 */
public record SubscriptionSnapshot(
        String account,
        String accountPublicName,
        String subject,
        String queue,
        String sid,
        long delivered,
        long max,
        long connectionId) {}
