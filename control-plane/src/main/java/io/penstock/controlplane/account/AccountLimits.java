package io.penstock.controlplane.account;

/** What an account may use; -1 is unlimited. Sizes in bytes. */
public record AccountLimits(
        long connections,
        long leafNodes,
        long subscriptions,
        long payloadBytes,
        long imports,
        long exports,
        JetStream jetstream) {

    /** Streams and consumers. */
    public record JetStream(
            long memoryBytes,
            long storageBytes,
            long streams,
            long consumers,
            long maxAckPending,
            long memoryMaxStreamBytes,
            long storageMaxStreamBytes,
            boolean maxBytesRequired) {}

    /** What a new account gets. */
    public static AccountLimits initial() {
        return new AccountLimits(
                100,
                4,
                10_000,
                1_048_576,
                20,
                20,
                new JetStream(256L << 20, 10L << 30, 100, 1_000, 20_000, -1, -1, false));
    }
}
