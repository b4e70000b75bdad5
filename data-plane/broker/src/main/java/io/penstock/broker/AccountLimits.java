package io.penstock.broker;

/**
 * Limits of an account; -1 is unlimited, 0 is none.
 *
 * @param maxConnections client connections in the cluster
 * @param maxLeafNodes leaf node connections
 * @param maxSubscriptions subscriptions of one connection
 * @param maxPayload bytes of a message, headers included
 */
public record AccountLimits(long maxConnections, long maxLeafNodes, long maxSubscriptions, long maxPayload) {
    public static final AccountLimits UNLIMITED = new AccountLimits(-1, -1, -1, -1);
}
