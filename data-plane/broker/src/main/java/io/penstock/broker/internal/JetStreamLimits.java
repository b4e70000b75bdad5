package io.penstock.broker.internal;

import java.util.Map;

/**
 * What an account may use of JetStream; -1 is unlimited, 0 bytes forbids that storage.
 *
 * @param tiers limits by tier name ({@code R1}, {@code R3}); empty when the account has one set for all
 */
public record JetStreamLimits(
        long memoryBytes,
        long storageBytes,
        long streams,
        long consumers,
        long maxAckPending,
        long memoryMaxStreamBytes,
        long storageMaxStreamBytes,
        boolean maxBytesRequired,
        Map<String, JetStreamLimits> tiers) {}
