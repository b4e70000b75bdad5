package io.penstock.accountservice.statement;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Remembers the statements of changes until they have expired, so that each works once. Two generations: the younger takes
 * what comes in, and when it is as old as a statement can get, it replaces the older.
 *
 * <p>It lives in memory: after a restart a captured statement could be used again until it expires.
 */
final class ReplayGuard {
    /** More statements than this within one life mean something is badly wrong; further ones are refused. */
    static final int MAX_PER_GENERATION = 100_000;

    private final Duration keep;
    // All guarded by this.
    private Set<String> young = new HashSet<>();
    private Set<String> old = new HashSet<>();
    private Instant youngSince = Instant.MIN;

    ReplayGuard(Duration keep) {
        this.keep = keep;
    }

    /** Whether this statement is seen for the first time. */
    synchronized boolean firstUse(String token, Instant now) {
        if (youngSince.equals(Instant.MIN)) {
            youngSince = now;
        }
        if (!now.isBefore(youngSince.plus(keep))) {
            old = now.isBefore(youngSince.plus(keep.multipliedBy(2))) ? young : new HashSet<>();
            young = new HashSet<>();
            youngSince = now;
        }
        return !old.contains(token) && young.size() < MAX_PER_GENERATION && young.add(token);
    }
}
