package io.penstock.broker.permission;

import io.penstock.protocol.Subjects;
import java.util.List;

/**
 * Says which messages a wildcard subscription must not receive although it was allowed as a whole. Immutable and
 * thread-safe; the router caches its answers by subject.
 */
public final class DenyFilter {
    private final List<String> patterns;

    DenyFilter(List<String> patterns) {
        this.patterns = List.copyOf(patterns);
    }

    /** Whether a message of this literal subject must be kept back. */
    public boolean denies(String subject) {
        for (int i = 0; i < patterns.size(); i++) {
            if (Subjects.matches(patterns.get(i), subject)) {
                return true;
            }
        }
        return false;
    }
}
