package io.penstock.broker.engine;

import java.util.concurrent.atomic.LongAdder;

/** Rare events, counted since start. */
final class Counters {
    final LongAdder totalConnections = new LongAdder();
    final LongAdder slowPending = new LongAdder();
    final LongAdder slowDeadline = new LongAdder();
    final LongAdder staleConnections = new LongAdder();
    final LongAdder stalledClients = new LongAdder();
    final LongAdder authenticationErrors = new LongAdder();
}
