package io.penstock.broker;

/**
 * Counters since start. "In" is what clients sent to the server.
 *
 * @param slowConsumers connections closed because they did not read fast enough
 */
public record TrafficStats(long inMessages, long inBytes, long outMessages, long outBytes, long slowConsumers) {
    public static final TrafficStats NONE = new TrafficStats(0, 0, 0, 0, 0);

    public TrafficStats plus(TrafficStats other) {
        return new TrafficStats(
                inMessages + other.inMessages,
                inBytes + other.inBytes,
                outMessages + other.outMessages,
                outBytes + other.outBytes,
                slowConsumers + other.slowConsumers);
    }
}
