package io.penstock.controlplane.account;

import java.util.Map;

/**
 * What an account may use; -1 is unlimited. Sizes in bytes. JetStream has one limit for all streams (`jetstream`) or one for each number
 * of replicas (`tiers`, keys R1, R3, R5); the other one is null.
 */
public record AccountLimits(
        long connections,
        long leafNodes,
        long subscriptions,
        long payloadBytes,
        long imports,
        long exports,
        Boolean wildcardExports,
        Boolean bearerTokensAllowed,
        JetStream jetstream,
        Map<String, JetStream> tiers) {

    public AccountLimits {
        wildcardExports = wildcardExports == null || wildcardExports;
        bearerTokensAllowed = bearerTokensAllowed != null && bearerTokensAllowed;
    }

    /** Streams and consumers. */
    public record JetStream(
            long memoryBytes,
            long storageBytes,
            long streams,
            long consumers,
            long maxAckPending,
            long memoryMaxStreamBytes,
            long storageMaxStreamBytes,
            boolean maxBytesRequired) {

        static JetStream initial() {
            return new JetStream(256L << 20, 10L << 30, 100, 1_000, 20_000, -1, -1, false);
        }
    }

    /** What a new account gets. */
    public static AccountLimits initial() {
        return new AccountLimits(100, 4, 10_000, 1_048_576, 20, 20, true, false, JetStream.initial(), null);
    }
}
