package io.penstock.jetstream;

import io.penstock.protocol.jetstream.ConsumerInfo;
import io.penstock.protocol.jetstream.StreamInfo;
import java.util.List;

/**
 * What JetStream holds and uses, for monitoring. Sizes in bytes.
 *
 * @param accounts details of each account, by name
 */
public record JetStreamStats(
        long memory,
        long storage,
        long reservedMemory,
        long reservedStorage,
        int streams,
        int consumers,
        long messages,
        long bytes,
        long apiTotal,
        long apiErrors,
        long apiWaiting,
        List<AccountStats> accounts) {
    /** Nothing is known. */
    static final JetStreamStats NONE = new JetStreamStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

    /** One account. */
    public record AccountStats(
            String name,
            long memory,
            long storage,
            long reservedMemory,
            long reservedStorage,
            long apiTotal,
            long apiErrors,
            boolean enabled,
            List<StreamStats> streams) {}

    /** One stream. {@code failure} is null while it works. */
    public record StreamStats(StreamInfo info, String failure, List<ConsumerInfo> consumers) {}
}
