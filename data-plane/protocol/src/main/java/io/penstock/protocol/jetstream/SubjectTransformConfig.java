package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Rewrites subjects that match {@code src} to {@code dest}.
 */
public record SubjectTransformConfig(
        @JsonProperty("src") String src,
        @JsonProperty("dest") String dest) {
    /** Absent values become their defaults. */
    public SubjectTransformConfig {
        src = src == null ? "" : src;
        dest = dest == null ? "" : dest;
    }
}
