package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Publishes every stored message again.
 */
public record Republish(
        @JsonProperty("src") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String src,

        @JsonProperty("dest") String dest,

        @JsonProperty("headers_only") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean headersOnly) {
    /** Absent values become their defaults. */
    public Republish {
        src = src == null ? "" : src;
        dest = dest == null ? "" : dest;
    }
}
