package io.penstock.jetstream.cluster;

import io.penstock.consensus.RaftGroup;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import java.util.List;
import java.util.Random;

/**
 * Whether a cluster that was just formed, or a node that was just started, can do what is asked of it: a stream that is
 * created must not have to wait for groups to be made and leaders to be found. Called on the loop.
 */
final class Readiness {
    /** Fewer nodes have no groups until somebody asks for replicas. */
    private static final int NODES_WITH_GROUPS = 3;

    private final Host host;
    private final MetaMachine machine;
    private final GroupHosting groups;
    private final Nodes nodes;
    private final ClusterSettings settings;

    Readiness(Host host, MetaMachine machine, GroupHosting groups, Nodes nodes, ClusterSettings settings) {
        this.host = host;
        this.machine = machine;
        this.groups = groups;
        this.nodes = nodes;
        this.settings = settings;
    }

    /** What is still to come, or null when all is there. */
    String problem() {
        MetaState state = machine.state();
        if (state.origin() == 0) {
            return "the cluster is being founded";
        }
        if (state.node(settings.name()) == null) {
            return "this server has not joined the cluster's metadata yet";
        }
        String missing = machine.leading() ? missing(state) : null;
        return missing != null ? missing : leaderless(state);
    }

    private String missing(MetaState state) {
        int expected = settings.expectedNodes().getAsInt();
        if (state.groups().isEmpty() && expected >= NODES_WITH_GROUPS) {
            List<Placement.Candidate> known = nodes.candidates(false);
            if (known.size() < expected) {
                return "only " + known.size() + " of " + expected + " servers have joined the cluster's metadata";
            }
            for (Placement.Candidate node : known) {
                if (!node.online()) {
                    return "server " + node.name() + " has not told of itself yet";
                }
            }
        }
        // Only asked for: the metadata's leader makes them by itself.
        MetaRecord.GroupSet next = new StreamGroups(machine, nodes, new Random()).missingDefault();
        return next == null ? null : "the cluster's groups are still being made";
    }

    private String leaderless(MetaState state) {
        for (GroupEntry group : state.groups().values()) {
            if (group.target().contains(settings.name())) {
                RaftGroup log = groups.log(group.name());
                if (log == null || log.leader().isEmpty()) {
                    return "group " + group.name() + " has no leader";
                }
                Engine engine = host.engine(group.name());
                if (log.leader().equals(settings.name()) && (engine == null || !engine.leading())) {
                    return "this server is about to lead group " + group.name();
                }
            }
        }
        return null;
    }
}
