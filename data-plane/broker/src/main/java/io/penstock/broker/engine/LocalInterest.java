package io.penstock.broker.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How many subscriptions of this node stand behind each pattern and queue group of one account. All threads. */
final class LocalInterest {
    private final ConcurrentHashMap<Interest, Integer> counts = new ConcurrentHashMap<>();

    /** Whether other nodes must be told: the first of a pattern, or any member of a group. */
    boolean add(Interest interest) {
        return counts.merge(interest, 1, Integer::sum) == 1 || interest.queue() != null;
    }

    boolean remove(Interest interest) {
        Integer left = counts.computeIfPresent(interest, (key, count) -> count == 1 ? null : count - 1);
        return left == null || interest.queue() != null;
    }

    /** What others are told: 0 for nobody, 1 for any number without a group, the members of a group. */
    int weight(Interest interest) {
        Integer count = counts.get(interest);
        return count == null ? 0 : interest.queue() == null ? 1 : count;
    }

    Set<Interest> all() {
        return counts.keySet();
    }
}
