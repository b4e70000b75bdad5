package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Where the replicas of a stream should be.
 */
public record Placement(
        @JsonProperty("cluster") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String cluster,

        @JsonProperty("tags") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> tags,

        @JsonProperty("preferred") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String preferred) {
    /** Absent values become their defaults. */
    public Placement {
        cluster = cluster == null ? "" : cluster;
        tags = tags == null ? List.of() : List.copyOf(tags);
        preferred = preferred == null ? "" : preferred;
    }
}
