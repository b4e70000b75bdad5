package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Who leads.
 */
public record ClusterInfo(
        @JsonProperty("name") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String name,

        @JsonProperty("raft_group") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String raftGroup,

        @JsonProperty("leader") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String leader) {
    /** Absent values become their defaults. */
    public ClusterInfo {
        name = name == null ? "" : name;
        raftGroup = raftGroup == null ? "" : raftGroup;
        leader = leader == null ? "" : leader;
    }
}
