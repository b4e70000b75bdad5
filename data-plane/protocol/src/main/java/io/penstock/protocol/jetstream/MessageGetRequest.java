package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * The body of a request for stored messages.
 */
public record MessageGetRequest(
        @JsonProperty("seq") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long seq,

        @JsonProperty("last_by_subj") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String lastBySubj,

        @JsonProperty("next_by_subj") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String nextBySubj,

        @JsonProperty("batch") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int batch,

        @JsonProperty("max_bytes") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxBytes,

        @JsonProperty("start_time") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant startTime,

        @JsonProperty("multi_last") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> multiLast,

        @JsonProperty("up_to_seq") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long upToSeq,

        @JsonProperty("up_to_time") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant upToTime,

        @JsonProperty("no_hdr") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean noHdr) {
    /** Absent values become their defaults. */
    public MessageGetRequest {
        lastBySubj = lastBySubj == null ? "" : lastBySubj;
        nextBySubj = nextBySubj == null ? "" : nextBySubj;
        multiLast = multiLast == null ? List.of() : List.copyOf(multiLast);
    }
}
