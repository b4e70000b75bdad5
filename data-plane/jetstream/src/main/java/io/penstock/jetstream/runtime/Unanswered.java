package io.penstock.jetstream.runtime;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Requests for streams whose group had no leader when the metadata took them up: whoever comes to lead it answers, as long
 * as somebody may still wait. Owned by the loop.
 */
final class Unanswered {
    /** Clients wait for five seconds, patient ones for ten. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private record Asked(StreamAssignment assignment, long since) {}

    /** By version, which no two assignments share, the oldest first. */
    private final LinkedHashMap<Long, Asked> asked = new LinkedHashMap<>();

    /** Remembers the request of an assignment, if it has one. */
    void add(StreamAssignment assignment, long now) {
        forget(now);
        if (assignment.request() != null) {
            asked.put(assignment.version(), new Asked(assignment, now));
        }
    }

    /** The assignment with the request that led to it, when somebody may still wait. */
    StreamAssignment withRequest(StreamAssignment assignment, long now) {
        forget(now);
        Asked found = assignment.request() == null ? asked.get(assignment.version()) : null;
        return found == null ? assignment : found.assignment();
    }

    void answered(StreamAssignment assignment) {
        asked.remove(assignment.version());
    }

    private void forget(long now) {
        while (!asked.isEmpty()) {
            Map.Entry<Long, Asked> oldest = asked.firstEntry();
            if (now - oldest.getValue().since() <= PATIENCE_NANOS) {
                return;
            }
            asked.remove(oldest.getKey());
        }
    }
}
