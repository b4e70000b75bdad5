package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * Who leads, and who else has a replica.
 *
 * @param leaderSince when the leader took over; null when it is not known
 * @param replicas the others, by name
 */
public record ClusterInfo(
        @JsonProperty("name") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String name,

        @JsonProperty("raft_group") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String raftGroup,

        @JsonProperty("leader") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String leader,

        @JsonProperty("leader_since") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant leaderSince,

        @JsonProperty("replicas") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<PeerInfo> replicas) {
    /** Absent values become their defaults. */
    public ClusterInfo {
        name = name == null ? "" : name;
        raftGroup = raftGroup == null ? "" : raftGroup;
        leader = leader == null ? "" : leader;
        replicas = replicas == null ? List.of() : List.copyOf(replicas);
    }

    /** A node alone. */
    public static ClusterInfo alone(String leader) {
        return new ClusterInfo("", "", leader, null, List.of());
    }
}
