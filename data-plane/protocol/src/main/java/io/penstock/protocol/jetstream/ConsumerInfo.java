package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A consumer as the API shows it.
 */
public record ConsumerInfo(
        @JsonProperty("stream_name") String streamName,
        @JsonProperty("name") String name,
        @JsonProperty("created") Instant created,

        @JsonProperty("config") @JsonInclude(JsonInclude.Include.NON_NULL)
        ConsumerConfig config,

        @JsonProperty("delivered") SequenceInfo delivered,
        @JsonProperty("ack_floor") SequenceInfo ackFloor,
        @JsonProperty("num_ack_pending") int numAckPending,
        @JsonProperty("num_redelivered") int numRedelivered,
        @JsonProperty("num_waiting") int numWaiting,
        @JsonProperty("num_pending") long numPending,

        @JsonProperty("cluster") @JsonInclude(JsonInclude.Include.NON_NULL)
        ClusterInfo cluster,

        @JsonProperty("push_bound") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean pushBound,

        @JsonProperty("paused") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean paused,

        @JsonProperty("pause_remaining") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long pauseRemaining,

        @JsonProperty("ts") Instant ts) {
    /** Absent values become their defaults. */
    public ConsumerInfo {
        streamName = streamName == null ? "" : streamName;
        name = name == null ? "" : name;
    }
}
