package io.penstock.jetstream.cluster;

import java.util.List;

/**
 * A placement group as the metadata wants it.
 *
 * @param name as the API shows it
 * @param replicas how many replicas its streams asked for; the target may be shorter while nodes are missing
 * @param founders the voters it began with
 * @param target the nodes that are to have a replica
 * @param ranked the same nodes, who should lead first
 * @param rejoining nodes of the target that lost their disk: the group must let them go before it takes them up again
 * @param created index of the entry that made it
 */
public record GroupEntry(
        String name,
        int replicas,
        List<String> founders,
        List<String> target,
        List<String> ranked,
        List<String> rejoining,
        long created) {
    public GroupEntry {
        founders = List.copyOf(founders);
        target = List.copyOf(target);
        ranked = List.copyOf(ranked);
        rejoining = List.copyOf(rejoining);
    }

    GroupEntry rejoining(List<String> nodes) {
        return new GroupEntry(name, replicas, founders, target, ranked, nodes, created);
    }

    GroupEntry target(List<String> nodes, List<String> order) {
        return new GroupEntry(
                name,
                replicas,
                founders,
                nodes,
                order,
                rejoining.stream().filter(nodes::contains).toList(),
                created);
    }
}
