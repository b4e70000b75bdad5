package io.penstock.broker.engine;

import io.penstock.broker.ConnectionSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Remembers the connections closed last. */
final class ClosedLog {
    private final ArrayDeque<ConnectionSnapshot> entries = new ArrayDeque<>();

    synchronized void add(ConnectionSnapshot closed, int max) {
        if (max <= 0) {
            return;
        }
        while (entries.size() >= max) {
            entries.removeFirst();
        }
        entries.addLast(closed);
    }

    synchronized List<ConnectionSnapshot> all() {
        return new ArrayList<>(entries);
    }
}
