package io.penstock.server.monitor;

import io.penstock.broker.ConnectionSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;

/** Orders of connection lists. */
enum ConnectionSort {
    /** Oldest first. */
    CID(Comparator.comparingLong(ConnectionSnapshot::id)),
    /** Oldest first. */
    START(Comparator.comparing(ConnectionSnapshot::started)),
    /** Most subscriptions first. */
    SUBS(largest(connection -> connection.subscriptions().size())),
    /** Most waiting bytes first. */
    PENDING(largest(ConnectionSnapshot::pendingBytes)),
    MSGS_TO(largest(ConnectionSnapshot::outMessages)),
    MSGS_FROM(largest(ConnectionSnapshot::inMessages)),
    BYTES_TO(largest(ConnectionSnapshot::outBytes)),
    BYTES_FROM(largest(ConnectionSnapshot::inBytes)),
    /** Latest activity first. */
    LAST(Comparator.comparing(ConnectionSnapshot::lastActivity).reversed()),
    /** Longest idle first. */
    IDLE(Comparator.comparing(ConnectionSnapshot::lastActivity)),
    /** Shortest life first. */
    UPTIME(Comparator.comparing(ConnectionSort::lifetime)),
    /** Closed last first; of closed connections only. */
    STOP(Comparator.comparing(ConnectionSnapshot::stopped, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
            .reversed()),
    /** By the text of the reason; of closed connections only. */
    REASON(Comparator.comparing(
            connection -> connection.reason() == null ? "" : connection.reason().text())),
    RTT(largest(ConnectionSnapshot::roundTripNanos));

    private final Comparator<ConnectionSnapshot> comparator;

    ConnectionSort(Comparator<ConnectionSnapshot> comparator) {
        this.comparator = comparator;
    }

    Comparator<ConnectionSnapshot> comparator() {
        return comparator;
    }

    boolean closedOnly() {
        return this == STOP || this == REASON;
    }

    static ConnectionSort of(String name) throws PageException {
        if (name.isEmpty()) {
            return CID;
        }
        for (ConnectionSort sort : values()) {
            if (sort.name().toLowerCase(Locale.ROOT).equals(name)) {
                return sort;
            }
        }
        throw new PageException(400, "invalid sorting option: " + name);
    }

    private static Duration lifetime(ConnectionSnapshot connection) {
        Instant end = connection.stopped() == null ? connection.lastActivity() : connection.stopped();
        return Duration.between(connection.started(), end);
    }

    private interface Measure {
        long of(ConnectionSnapshot connection);
    }

    private static Comparator<ConnectionSnapshot> largest(Measure measure) {
        return (a, b) -> Long.compare(measure.of(b), measure.of(a));
    }
}
