package io.penstock.jetstream.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of the cluster as placement sees them: metadata, links and what they told last. */
final class Nodes {
    private final MetaMachine machine;
    private final StatusBoard board;
    private final Peers peers;
    private final ClusterSettings settings;

    Nodes(MetaMachine machine, StatusBoard board, Peers peers, ClusterSettings settings) {
        this.machine = machine;
        this.board = board;
        this.peers = peers;
        this.settings = settings;
    }

    /** Whether a node can be reached from here. */
    boolean online(String node) {
        return node.equals(settings.name()) || peers.up(node);
    }

    /** What a node told last of itself; null when it never did. */
    NodeStatus status(String node) {
        return board.of(node);
    }

    /**
     * Every node that was not removed.
     *
     * @param memory whether memory storage is wanted, not files
     */
    List<Placement.Candidate> candidates(boolean memory) {
        Map<String, Integer> streams = streams();
        List<Placement.Candidate> all = new ArrayList<>();
        for (NodeEntry node : machine.state().nodes().values()) {
            if (node.state() == NodeEntry.State.REMOVED) {
                continue;
            }
            NodeStatus status = board.of(node.name());
            all.add(new Placement.Candidate(
                    node.name(),
                    settings.cluster(),
                    node.tags(),
                    online(node.name()) && status != null,
                    node.state() == NodeEntry.State.DRAINING,
                    Placement.zone(node.tags(), settings.uniqueTag()),
                    status == null ? 0 : memory ? status.freeMemory() : status.free(),
                    status == null ? 0 : status.capacity(),
                    status == null ? 0 : status.haAssets(),
                    streams.getOrDefault(node.name(), 0)));
        }
        return all;
    }

    /** Streams assigned to each node. */
    private Map<String, Integer> streams() {
        MetaState state = machine.state();
        Map<String, Integer> count = new HashMap<>();
        for (NodeEntry node : state.nodes().values()) {
            count.put(node.name(), state.streamsIn(StreamGroups.solo(node.name())));
        }
        for (GroupEntry group : state.groups().values()) {
            int streams = state.streamsIn(group.name());
            group.target().forEach(node -> count.merge(node, streams, Integer::sum));
        }
        return count;
    }

    /** Replicas of a group that is to hold any stream, one of them on a certain node. */
    Placement.Wanted even(int replicas, String first) {
        return new Placement.Wanted(replicas, "", List.of(), 0, settings.uniqueTag(), 0, List.of(first));
    }

    Placement.Wanted wanted(int replicas, String cluster, List<String> tags, long maxBytes, List<String> preferred) {
        return new Placement.Wanted(
                replicas, cluster, tags, maxBytes, settings.uniqueTag(), settings.maxHaAssets(), preferred);
    }
}
