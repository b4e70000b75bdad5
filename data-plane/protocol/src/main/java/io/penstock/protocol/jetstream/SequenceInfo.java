package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A place in a consumer and in its stream.
 */
public record SequenceInfo(
        @JsonProperty("consumer_seq") long consumerSeq,
        @JsonProperty("stream_seq") long streamSeq,

        @JsonProperty("last_active") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant lastActive) {}
