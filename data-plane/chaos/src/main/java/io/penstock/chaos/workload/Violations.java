package io.penstock.chaos.workload;

import java.util.ArrayList;
import java.util.List;

/** What a run found to be wrong. Thread-safe. */
public final class Violations {
    private static final int KEPT = 200;

    private final List<String> found = new ArrayList<>();
    private int count;

    /**
     * @param invariant its number, for instance {@code I1}
     * @param what what was seen and what should have been
     */
    public synchronized void add(String invariant, String what) {
        count++;
        if (found.size() < KEPT) {
            found.add(invariant + ": " + what);
        }
    }

    public synchronized int count() {
        return count;
    }

    /** The first of them. */
    public synchronized List<String> list() {
        return List.copyOf(found);
    }
}
