package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a stream imposes on its consumers; durations in nanoseconds, 0 is no limit.
 */
public record StreamConsumerLimits(
        @JsonProperty("inactive_threshold") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long inactiveThreshold,

        @JsonProperty("max_ack_pending") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxAckPending) {}
