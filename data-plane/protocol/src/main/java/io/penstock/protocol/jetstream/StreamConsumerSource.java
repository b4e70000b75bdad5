package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A consumer made beforehand that feeds a mirror or source.
 */
public record StreamConsumerSource(
        @JsonProperty("name") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String name,

        @JsonProperty("deliver_subject") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String deliverSubject) {
    /** Absent values become their defaults. */
    public StreamConsumerSource {
        name = name == null ? "" : name;
        deliverSubject = deliverSubject == null ? "" : deliverSubject;
    }
}
