package io.penstock.server.monitor;

import io.penstock.broker.ConnectionSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Orders of connection lists. */
enum ConnectionSort {
    /** Oldest first. */
    CID,
    /** Oldest first. */
    START,
    /** Most subscriptions first. */
    SUBS,
    /** Most waiting bytes first. */
    PENDING,
    /** Most messages delivered to it first. */
    MSGS_TO,
    /** Most messages published by it first. */
    MSGS_FROM,
    /** Most bytes delivered to it first. */
    BYTES_TO,
    /** Most bytes published by it first. */
    BYTES_FROM,
    /** Latest activity first. */
    LAST,
    /** Longest idle first. */
    IDLE,
    /** Shortest life first. */
    UPTIME,
    /** Closed last first; of closed connections only. */
    STOP,
    /** By the text of the reason; of closed connections only. */
    REASON,
    /** Longest round trip first. */
    RTT;

    Comparator<ConnectionSnapshot> comparator() {
        return switch (this) {
            case CID -> Comparator.comparingLong(ConnectionSnapshot::id);
            case START -> Comparator.comparing(ConnectionSnapshot::started);
            case SUBS -> largest(connection -> connection.subscriptions().size());
            case PENDING -> largest(ConnectionSnapshot::pendingBytes);
            case MSGS_TO -> largest(ConnectionSnapshot::outMessages);
            case MSGS_FROM -> largest(ConnectionSnapshot::inMessages);
            case BYTES_TO -> largest(ConnectionSnapshot::outBytes);
            case BYTES_FROM -> largest(ConnectionSnapshot::inBytes);
            case LAST -> Comparator.comparing(ConnectionSnapshot::lastActivity).reversed();
            case IDLE -> Comparator.comparing(ConnectionSnapshot::lastActivity);
            case UPTIME -> Comparator.comparing(ConnectionSort::lifetime);
            case STOP -> Comparator.comparing(ConnectionSort::end).reversed();
            case REASON -> Comparator.comparing(ConnectionSort::reason);
            case RTT -> largest(ConnectionSnapshot::roundTripNanos);
        };
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

    private static Instant end(ConnectionSnapshot connection) {
        return connection.stopped() == null ? connection.lastActivity() : connection.stopped();
    }

    private static Duration lifetime(ConnectionSnapshot connection) {
        return Duration.between(connection.started(), end(connection));
    }

    private static String reason(ConnectionSnapshot connection) {
        return connection.reason() == null ? "" : connection.reason().text();
    }

    private static Comparator<ConnectionSnapshot> largest(ToLongFunction<ConnectionSnapshot> measure) {
        return Comparator.comparingLong(measure).reversed();
    }
}
