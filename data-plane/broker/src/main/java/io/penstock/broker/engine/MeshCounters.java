package io.penstock.broker.engine;

import io.penstock.broker.TrafficStats;
import java.util.concurrent.atomic.LongAdder;

/** Rare events of routes, and the traffic of those that are closed. */
final class MeshCounters {
    final LongAdder slow = new LongAdder();
    final LongAdder stale = new LongAdder();
    final LongAdder inMessages = new LongAdder();
    final LongAdder inBytes = new LongAdder();
    final LongAdder outMessages = new LongAdder();
    final LongAdder outBytes = new LongAdder();

    TrafficStats traffic() {
        return new TrafficStats(inMessages.sum(), inBytes.sum(), outMessages.sum(), outBytes.sum(), slow.sum());
    }

    void add(RouteConnection closed) {
        inMessages.add(closed.session.inMessages());
        inBytes.add(closed.session.inBytes());
        outMessages.add(closed.outMessages());
        outBytes.add(closed.outBytes());
    }
}
