package io.penstock.chaos.workload;

import java.util.HashMap;
import java.util.Map;

/** The longest time during which nobody got an acknowledgement, and during which one client got none. Thread-safe. */
public final class AckGap {
    private final Map<Integer, Long> lastOf = new HashMap<>();
    private long last;
    private long longest;
    private long longestOfOne;
    private long acks;

    /** An acknowledgement arrived at a client. */
    public synchronized void acked(int client) {
        long now = System.nanoTime();
        if (acks > 0) {
            longest = Math.max(longest, now - last);
        }
        Long before = lastOf.put(client, now);
        if (before != null) {
            longestOfOne = Math.max(longestOfOne, now - before);
        }
        last = now;
        acks++;
    }

    /** Begins anew, the next acknowledgement counted from now. */
    public synchronized void restart() {
        long now = System.nanoTime();
        last = now;
        longest = 0;
        longestOfOne = 0;
        lastOf.replaceAll((client, before) -> now);
    }

    public synchronized long acks() {
        return acks;
    }

    /** The longest gap so far, the present one included; nanoseconds. */
    public synchronized long longestNanos() {
        return Math.max(longest, System.nanoTime() - last);
    }

    /** The longest gap of one client so far, those of the present included; nanoseconds. */
    public synchronized long longestOfOneNanos() {
        long now = System.nanoTime();
        return lastOf.values().stream().mapToLong(before -> now - before).reduce(longestOfOne, Math::max);
    }
}
