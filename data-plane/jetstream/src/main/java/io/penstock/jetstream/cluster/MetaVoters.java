package io.penstock.jetstream.cluster;

import io.penstock.consensus.Replica;
import java.util.ArrayList;
import java.util.List;

/** Who votes on the metadata: those who do, and others up to an odd number, at most five, spread over zones. */
final class MetaVoters {
    private static final int MOST = 5;

    private final MetaState state;
    private final String uniqueTag;

    private MetaVoters(MetaState state, String uniqueTag) {
        this.state = state;
        this.uniqueTag = uniqueTag;
    }

    /**
     * Chooses them.
     *
     * @param members names of all nodes that were not removed
     * @param replicas of the metadata's log
     * @param uniqueTag what a zone's tag begins with
     */
    static List<String> of(MetaState state, List<String> members, List<Replica> replicas, String uniqueTag) {
        return new MetaVoters(state, uniqueTag).choose(members, replicas);
    }

    private List<String> choose(List<String> members, List<Replica> replicas) {
        List<String> voters = new ArrayList<>();
        for (Replica replica : replicas) {
            NodeEntry node = state.node(replica.node());
            // Founders vote before they have told of themselves.
            boolean stays = node == null || node.state() != NodeEntry.State.REMOVED;
            if (replica.voter() && stays) {
                voters.add(replica.node());
            }
        }
        int wanted = Math.min(MOST, members.size() % 2 == 0 ? members.size() - 1 : members.size());
        for (boolean newZone : new boolean[] {true, false}) {
            for (String name : members) {
                if (voters.size() < wanted && !voters.contains(name) && (!newZone || isNewZone(name, voters))) {
                    voters.add(name);
                }
            }
        }
        return voters;
    }

    private boolean isNewZone(String name, List<String> voters) {
        String zone = zone(name);
        return !zone.isEmpty() && voters.stream().noneMatch(v -> zone(v).equals(zone));
    }

    private String zone(String name) {
        NodeEntry node = state.node(name);
        return node == null ? "" : Placement.zone(node.tags(), uniqueTag);
    }
}
