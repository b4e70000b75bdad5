package io.penstock.broker;

import io.penstock.broker.route.RouteTotals;
import java.time.Instant;

/**
 * The server's counters at one moment.
 *
 * @param stalledClients how often a producer was slowed for a receiver's sake
 */
public record BrokerStats(
        Instant started,
        Instant now,
        int connections,
        long totalConnections,
        TrafficStats traffic,
        long slowConsumersPending,
        long slowConsumersDeadline,
        long staleConnections,
        long stalledClients,
        long authenticationErrors,
        int subscriptions,
        int accounts,
        int activeAccounts,
        RouteTotals routes) {}
