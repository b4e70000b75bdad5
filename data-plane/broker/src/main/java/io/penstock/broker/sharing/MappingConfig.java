package io.penstock.broker.sharing;

import java.util.List;

/**
 * A subject mapping of an account: messages published on {@code source} go to one of the destinations instead.
 *
 * @param source subject pattern
 * @param destinations at least one
 */
public record MappingConfig(String source, List<Destination> destinations) {
    public MappingConfig {
        destinations = List.copyOf(destinations);
    }

    /**
     * Where a share of the messages goes.
     *
     * @param subject destination with {@code {{wildcard(n)}}} and the other mapping functions
     * @param weight per cent of the messages, 0 to 100; 100 by default
     * @param cluster cluster in which this destination applies, or null for all
     */
    public record Destination(String subject, int weight, String cluster) {}
}
