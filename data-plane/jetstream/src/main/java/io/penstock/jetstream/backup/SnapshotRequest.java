package io.penstock.jetstream.backup;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Asks for a backup of a stream.
 *
 * @param deliverSubject where the chunks go
 * @param noConsumers whether consumers are left out
 * @param chunkSize bytes of a chunk, 1 KiB to 1 MiB; 0 for 128 KiB
 * @param windowSize bytes that may be on their way, 1 KiB to 32 MiB; 0 for 8 MiB
 * @param check whether every message is to be verified; here they always are
 */
public record SnapshotRequest(
        @JsonProperty("deliver_subject") String deliverSubject,
        @JsonProperty("no_consumers") boolean noConsumers,
        @JsonProperty("chunk_size") int chunkSize,
        @JsonProperty("window_size") int windowSize,
        @JsonProperty("jsck") boolean check) {
    private static final int KIB = 1024;

    /** Bytes of a chunk within its bounds. */
    public int chunk() {
        return chunkSize == 0 ? 128 * KIB : Math.clamp(chunkSize, KIB, KIB * KIB);
    }

    /** How many chunks may be on their way. */
    public int inFlight() {
        int window = windowSize == 0 ? 8 * KIB * KIB : Math.clamp(windowSize, KIB, 32 * KIB * KIB);
        return Math.max(1, window / chunk());
    }
}
