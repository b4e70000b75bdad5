package io.penstock.broker.sharing;

import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.Subjects;
import java.util.List;

/**
 * A subject mapping of an account: messages published on {@code source} go to one of the destinations instead.
 *
 * @param source subject pattern, as people write it
 * @param destinations at least one
 */
public record MappingConfig(String source, List<Destination> destinations) {
    public MappingConfig {
        destinations = List.copyOf(destinations);
    }

    /** As the account will follow it. */
    public SubjectMappings.Definition definition() {
        return new SubjectMappings.Definition(
                Subjects.fromUtf8(source),
                destinations.stream()
                        .map(to -> new SubjectMappings.Destination(
                                Subjects.fromUtf8(to.subject()), to.weight(), to.cluster() == null ? "" : to.cluster()))
                        .toList());
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
