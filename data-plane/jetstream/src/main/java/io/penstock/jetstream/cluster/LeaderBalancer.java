package io.penstock.jetstream.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the groups' leaders spread: each group led by the node that ranks first, where it is there and has led nothing
 * amiss; one transfer at a time. Pure.
 */
final class LeaderBalancer {
    /**
     * A group as the metadata's leader sees it.
     *
     * @param ranked who should lead, best first
     * @param leader who does, empty when nobody is known
     * @param ledNanos for how long
     * @param current nodes that could take over at once
     * @param whole whether every replica is current; leadership stays where it is while one is behind
     */
    record Group(String name, List<String> ranked, String leader, long ledNanos, List<String> current, boolean whole) {}

    /** Leadership of a group that should go to another node. */
    record Transfer(String group, String from, String to) {}

    private LeaderBalancer() {}

    /** The next transfer, or null when the leaders are well spread or have changed lately. */
    static Transfer next(List<Group> groups, long settledNanos) {
        for (Group group : groups) {
            String best = group.ranked().stream()
                    .filter(n -> n.equals(group.leader()) || group.current().contains(n))
                    .findFirst()
                    .orElse("");
            boolean settled = group.ledNanos() >= settledNanos;
            if (!group.leader().isEmpty()
                    && !best.isEmpty()
                    && !best.equals(group.leader())
                    && settled
                    && group.whole()) {
                return new Transfer(group.name(), group.leader(), best);
            }
        }
        return null;
    }

    /**
     * The order in which the nodes of a group should lead: whoever ranks first in the fewest groups comes first, then
     * second, and so on.
     *
     * @param others the rankings of the groups there are
     */
    static List<String> rank(List<String> nodes, Iterable<List<String>> others) {
        List<String> left = new ArrayList<>(nodes);
        List<String> ranked = new ArrayList<>();
        while (!left.isEmpty()) {
            int place = ranked.size();
            Map<String, Integer> taken = new TreeMap<>();
            for (List<String> other : others) {
                if (place < other.size()) {
                    taken.merge(other.get(place), 1, Integer::sum);
                }
            }
            String best = left.stream()
                    .min((a, b) -> {
                        int byPlace = Integer.compare(taken.getOrDefault(a, 0), taken.getOrDefault(b, 0));
                        return byPlace != 0 ? byPlace : a.compareTo(b);
                    })
                    .orElseThrow();
            ranked.add(best);
            left.remove(best);
        }
        return ranked;
    }
}
