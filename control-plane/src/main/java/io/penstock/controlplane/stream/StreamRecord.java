package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * What we know of a stream beside the broker. `created` is the birth of the stream it is about. `saved` is what a deleted one gets back
 * from a restore; `deletedAt` and `purgeAt` are null for a living one.
 */
public record StreamRecord(
        String account,
        String name,
        String created,
        boolean deletionProtection,
        String saved,
        long messages,
        long bytes,
        Instant deletedAt,
        Instant purgeAt) {

    /** Whether this deleted stream is the one that the broker has now, and not another one made since under its name. */
    boolean deleted(JsonNode info) {
        return deletedAt != null && info.path("created").asText().equals(created);
    }
}
