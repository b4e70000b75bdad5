package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What an account may use; -1 is no limit, sizes in bytes.
 */
public record AccountLimits(
        @JsonProperty("max_memory") long maxMemory,
        @JsonProperty("max_storage") long maxStorage,
        @JsonProperty("max_streams") long maxStreams,
        @JsonProperty("max_consumers") long maxConsumers,
        @JsonProperty("max_ack_pending") long maxAckPending,
        @JsonProperty("memory_max_stream_bytes") long memoryMaxStreamBytes,
        @JsonProperty("storage_max_stream_bytes") long storageMaxStreamBytes,
        @JsonProperty("max_bytes_required") boolean maxBytesRequired) {}
