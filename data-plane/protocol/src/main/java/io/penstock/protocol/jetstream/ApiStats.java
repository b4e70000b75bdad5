package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How the API of the account was used.
 */
public record ApiStats(
        @JsonProperty("level") int level,
        @JsonProperty("total") long total,
        @JsonProperty("errors") long errors,

        @JsonProperty("inflight") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long inflight) {}
