package io.penstock.jetstream.runtime;

import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Where the leader of a group may be found, as far as is known here. Owned by the loop. */
final class Whereabouts {
    private final Host host;
    private final ArrayDeque<String> candidates = new ArrayDeque<>();

    Whereabouts(Host host) {
        this.host = host;
    }

    /** The node that leads the group; when nobody here knows, one replica after the other. */
    String leader(String group) {
        Engine here = host.assignedEngine(group);
        String leader = here == null ? "" : here.log().leader();
        if (!leader.isEmpty()) {
            return leader;
        }
        if (group.startsWith(Host.SOLO + ":")) {
            return group.substring(Host.SOLO.length() + 1);
        }
        if (candidates.isEmpty()) {
            candidates.addAll(nodes(group, here));
        }
        return candidates.isEmpty() ? host.options().serverName() : candidates.peek();
    }

    /** The one that was named does not lead the group, or does not answer. */
    void wrong() {
        candidates.poll();
    }

    private List<String> nodes(String group, Engine here) {
        List<String> nodes = new ArrayList<>(host.assignments().replicas(group));
        if (nodes.isEmpty() && here != null && here.log() instanceof RaftGroup log) {
            log.replicas().stream().map(Replica::node).forEach(nodes::add);
        }
        return nodes;
    }
}
