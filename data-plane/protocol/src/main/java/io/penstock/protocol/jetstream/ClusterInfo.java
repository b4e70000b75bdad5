package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * Who leads, and who else has a replica.
 *
 * @param leaderSince when the leader took over; null when it is not known
 * @param systemAccount whether replication goes by the system account rather than by the owner's
 * @param trafficAccount the account it goes by; empty without replicas
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

        @JsonProperty("system_account") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean systemAccount,

        @JsonProperty("traffic_account") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String trafficAccount,

        @JsonProperty("replicas") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<PeerInfo> replicas) {
    /** Absent values become their defaults. */
    public ClusterInfo {
        name = name == null ? "" : name;
        raftGroup = raftGroup == null ? "" : raftGroup;
        leader = leader == null ? "" : leader;
        trafficAccount = trafficAccount == null ? "" : trafficAccount;
        replicas = replicas == null ? List.of() : List.copyOf(replicas);
    }

    /** Nothing is replicated: {@code leader} has it, in {@code cluster} when that is not empty. */
    public static ClusterInfo of(String cluster, String leader) {
        return new ClusterInfo(cluster, "", leader, null, false, "", List.of());
    }

    /** A node alone. */
    public static ClusterInfo alone(String leader) {
        return of("", leader);
    }
}
