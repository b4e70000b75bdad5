package io.penstock.broker;

/** Figures of an interest graph, summed over the accounts that were asked for. */
public record InterestStats(
        long subscriptions,
        long cached,
        long inserts,
        long removes,
        long matches,
        double cacheHitRate,
        long maxFanout,
        double averageFanout) {}
