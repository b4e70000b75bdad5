package io.penstock.accountservice.statement;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the statements of changes until they have expired, so that each works once. Safe from any thread. It lives
 * in memory: after a restart a captured statement could be used again until it expires, at most the maximal age.
 */
final class ReplayGuard {
    /** More than this many live statements mean something is badly wrong; further ones are refused. */
    static final int MAX_ENTRIES = 100_000;

    private final Duration keep;
    private final ConcurrentHashMap<String, Instant> seen = new ConcurrentHashMap<>();

    ReplayGuard(Duration keep) {
        this.keep = keep;
    }

    /** Whether this statement is seen for the first time. */
    boolean firstUse(String token, Instant now) {
        if (seen.size() >= MAX_ENTRIES / 2) {
            seen.values().removeIf(until -> until.isBefore(now));
        }
        return seen.size() < MAX_ENTRIES && seen.putIfAbsent(token, now.plus(keep)) == null;
    }
}
