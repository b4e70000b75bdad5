package io.penstock.broker;

/**
 * Limits of one user; -1 is unlimited.
 *
 * @param maxSubscriptions subscriptions of one connection
 * @param maxPayload bytes of a message, headers included
 */
public record UserLimits(long maxSubscriptions, long maxPayload) {
    public static final UserLimits UNLIMITED = new UserLimits(-1, -1);
}
