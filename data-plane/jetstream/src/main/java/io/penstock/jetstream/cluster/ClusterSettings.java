package io.penstock.jetstream.cluster;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * How a node takes part in its cluster.
 *
 * @param name of this node
 * @param cluster name of the cluster
 * @param tags of this node
 * @param uniqueTag prefix of the tag whose values must differ among the replicas of a stream; empty when there is none
 * @param maxHaAssets most replicated streams and consumers of a node; 0 for no limit
 * @param expectedNodes how many nodes form the cluster; a cluster that is formed may grow beyond
 * @param accounts hears of accounts that are in use on other nodes: this one must serve them too. Any thread
 * @param balanceNanos how long a leader that does not rank first is left in place; default 60 s
 */
public record ClusterSettings(
        String name,
        String cluster,
        List<String> tags,
        String uniqueTag,
        int maxHaAssets,
        IntSupplier expectedNodes,
        Consumer<String> accounts,
        long balanceNanos) {
    /** How long leaders are left in place when nothing is said. */
    public static final long BALANCE_NANOS = 60_000_000_000L;

    public ClusterSettings {
        tags = tags.stream().map(t -> t.toLowerCase(Locale.ROOT)).toList();
    }
}
