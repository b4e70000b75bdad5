package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Usage and limits of one tier, or of the whole account.
 */
public record AccountTier(
        @JsonProperty("memory") long memory,
        @JsonProperty("storage") long storage,
        @JsonProperty("reserved_memory") long reservedMemory,
        @JsonProperty("reserved_storage") long reservedStorage,
        @JsonProperty("streams") int streams,
        @JsonProperty("consumers") int consumers,
        @JsonProperty("limits") AccountLimits limits) {}
