package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * A stream another one copies from.
 */
public record StreamSource(
        @JsonProperty("name") String name,

        @JsonProperty("opt_start_seq") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long optStartSeq,

        @JsonProperty("opt_start_time") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant optStartTime,

        @JsonProperty("filter_subject") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String filterSubject,

        @JsonProperty("subject_transforms") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<SubjectTransformConfig> subjectTransforms,

        @JsonProperty("external") @JsonInclude(JsonInclude.Include.NON_NULL)
        ExternalStream external,

        @JsonProperty("consumer") @JsonInclude(JsonInclude.Include.NON_NULL)
        StreamConsumerSource consumer) {
    /** Absent values become their defaults. */
    public StreamSource {
        name = name == null ? "" : name;
        filterSubject = filterSubject == null ? "" : filterSubject;
        subjectTransforms = subjectTransforms == null ? List.of() : List.copyOf(subjectTransforms);
    }
}
