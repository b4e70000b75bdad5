package io.penstock.consensus;

import io.penstock.storage.StreamStore;

/**
 * A part of a state machine that is made durable by checkpoints of its own: one stream with its consumers. Every method
 * is called on the group's loop.
 *
 * <p>After a restart the log is applied from its beginning ({@code start(machine, 0)}), each part skipping what its
 * checkpoint contains: a part made during the last round has no checkpoint yet, and its entries lie below those of
 * others.
 */
public interface Checkpointed {
    /** Name for the log. */
    String name();

    /** Whether anything changed since the last {@link #begin}; a failed checkpoint leaves it dirty. */
    boolean dirty();

    /**
     * Freezes the present state; the answer is written by another thread.
     *
     * @param appliedIndex the last log entry the state contains
     */
    StreamStore.Checkpoint begin(long appliedIndex);

    /**
     * Whether the part has stopped applying entries: it is not checkpointed any more and holds the log back at its
     * checkpoint, so that the next start can apply again what it missed.
     */
    default boolean broken() {
        return false;
    }

    /** The last log entry contained in the durable checkpoint, 0 when there is none. */
    long checkpointIndex();
}
