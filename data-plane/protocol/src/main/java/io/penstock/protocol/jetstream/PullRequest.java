package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The body of a request for the next messages. Durations are nanoseconds.
 */
public record PullRequest(
        @JsonProperty("expires") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long expires,

        @JsonProperty("batch") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int batch,

        @JsonProperty("max_bytes") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxBytes,

        @JsonProperty("no_wait") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean noWait,

        @JsonProperty("idle_heartbeat") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long idleHeartbeat,

        @JsonProperty("group") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String group,

        @JsonProperty("min_pending") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long minPending,

        @JsonProperty("min_ack_pending") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long minAckPending,

        @JsonProperty("id") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String id,

        @JsonProperty("priority") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int priority) {
    /** Absent values become their defaults. */
    public PullRequest {
        group = group == null ? "" : group;
        id = id == null ? "" : id;
    }
}
