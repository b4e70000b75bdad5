package io.penstock.broker.route;

import io.penstock.broker.TrafficStats;

/**
 * All routes together, since start.
 *
 * @param routes open connections to other nodes
 * @param nodes other nodes with routes
 * @param traffic messages from and to other nodes; its slow consumers are routes that did not take what was written
 * @param stale routes closed for not answering
 */
public record RouteTotals(int routes, int nodes, TrafficStats traffic, long stale) {
    public static final RouteTotals NONE = new RouteTotals(0, 0, TrafficStats.NONE, 0);
}
