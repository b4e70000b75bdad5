package io.penstock.consensus;

/**
 * When checkpoints are taken.
 *
 * @param journalBytes bytes written to the journal since the last round that start another; default 64 MiB
 * @param intervalNanos time after which dirty parts are taken all the same; default 10 s
 */
public record CheckpointPolicy(long journalBytes, long intervalNanos) {
    public static final CheckpointPolicy DEFAULT = new CheckpointPolicy(64L << 20, 10_000_000_000L);
}
