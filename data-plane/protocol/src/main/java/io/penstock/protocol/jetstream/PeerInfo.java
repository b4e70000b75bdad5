package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A replica that does not lead.
 *
 * @param current whether it has what the leader has
 * @param offline whether it cannot be reached
 * @param active nanoseconds since it was last heard
 * @param lag entries it is behind
 * @param peer short name of its node
 */
public record PeerInfo(
        @JsonProperty("name") String name,
        @JsonProperty("current") boolean current,

        @JsonProperty("offline") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean offline,

        @JsonProperty("active") long active,

        @JsonProperty("lag") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long lag,

        @JsonProperty("peer") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String peer) {
    /** Absent values become their defaults. */
    public PeerInfo {
        name = name == null ? "" : name;
        peer = peer == null ? "" : peer;
    }
}
