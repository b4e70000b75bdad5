package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A stream as the API shows it.
 */
public record StreamInfo(
        @JsonProperty("config") StreamConfig config,
        @JsonProperty("created") Instant created,
        @JsonProperty("state") StreamStateInfo state,

        @JsonProperty("domain") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String domain,

        @JsonProperty("cluster") @JsonInclude(JsonInclude.Include.NON_NULL)
        ClusterInfo cluster,

        @JsonProperty("ts") Instant ts) {
    /** Absent values become their defaults. */
    public StreamInfo {
        domain = domain == null ? "" : domain;
    }
}
