package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a stream holds.
 */
public record StreamStateInfo(
        @JsonProperty("messages") long messages,
        @JsonProperty("bytes") long bytes,
        @JsonProperty("first_seq") long firstSeq,
        @JsonProperty("first_ts") Instant firstTs,
        @JsonProperty("last_seq") long lastSeq,
        @JsonProperty("last_ts") Instant lastTs,

        @JsonProperty("num_subjects") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long numSubjects,

        @JsonProperty("subjects") @JsonInclude(JsonInclude.Include.NON_NULL)
        Map<String, Long> subjects,

        @JsonProperty("num_deleted") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long numDeleted,

        @JsonProperty("deleted") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Long> deleted,

        @JsonProperty("consumer_count") long consumerCount) {
    /** Absent values become their defaults. */
    public StreamStateInfo {
        deleted = deleted == null ? List.of() : List.copyOf(deleted);
    }
}
