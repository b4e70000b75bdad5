package io.penstock.consensus;

import java.util.function.LongConsumer;

/**
 * The log of one placement group: what is committed here is on disk on a majority of its replicas, in one order, for
 * ever. Nothing above this port knows which engine runs below it.
 *
 * <p>A group has one loop, a single thread. Every method but {@link #close} is called on it, and every callback of the
 * {@link StateMachine} arrives on it, so that a state machine needs no lock.
 */
public interface ReplicatedLog extends AutoCloseable {
    /** The part this node plays in the group. */
    enum Role {
        /** Proposes and answers clients. */
        LEADER,
        /** Votes and applies what the leader committed. */
        FOLLOWER,
        /** Applies but does not vote: new, wiped, or catching up. */
        LEARNER,
        /** Knows no leader and seeks to become one. */
        CANDIDATE,
        /** Failed or closed; applies nothing any more. */
        STOPPED
    }

    /**
     * Starts the group: entries behind {@code appliedIndex}, or behind the last checkpoint where that is more, are applied
     * again, then the role is announced. With several replicas both come after the call has returned.
     */
    void start(StateMachine machine, long appliedIndex);

    /**
     * Proposes one entry, a batch of records of the caller's own format. Bytes are not copied and must not change.
     *
     * <p>Outcome: {@link StateMachine#apply} with this attachment once committed, or {@link StateMachine#failed}.
     *
     * @param timestampNanos time of the entry, nanoseconds since the epoch; what apply may use as its clock. The log
     *     makes it rise strictly
     * @param entry bytes of the entry, at most {@link #MAX_ENTRY_BYTES}
     * @param attachment the proposer's own notes (who waits for the answer); not replicated, may be null
     */
    void propose(long timestampNanos, byte[] entry, int length, Object attachment);

    /**
     * As {@link #propose(long, byte[], int, Object)}, with a say in when the entry counts as committed here.
     *
     * @param async true for streams whose {@code persist_mode} is async: committed once written, not forced; entries
     *     proposed before it still come first
     */
    default void propose(long timestampNanos, byte[] entry, int length, Object attachment, boolean async) {
        propose(timestampNanos, entry, length, attachment);
    }

    /** Largest entry, in bytes. A batch is cut near 256 KiB; a single record may be as large as max_payload allows. */
    int MAX_ENTRY_BYTES = 96 << 20;

    /** Bytes proposed and not yet committed; proposers hold back above their own bound. */
    long pendingBytes();

    Role role();

    /**
     * Whether this replica leads and no other can have been elected meanwhile: only then may it hand out, and answer with
     * state that is to be the present one. A leader that is cut off leads on by its {@link #role} until it notices, and
     * others may lead by then. It may be false for a moment of a leader that is not cut off; ask again later. A volatile
     * read and one of the clock. Any thread.
     */
    boolean holdsLease();

    /** Name of the leader's node, or empty when none is known. */
    String leader();

    long term();

    /** Index of the last entry applied. */
    long appliedIndex();

    /**
     * Begins a checkpoint. {@code begun} is called on the loop with the index of the last entry applied then: the state
     * machine freezes what it has at that moment or later, and ends with {@link #checkpointed}. One at a time.
     *
     * @param begun hears the index; -1 when there can be no checkpoint now
     */
    default void beginCheckpoint(LongConsumer begun) {
        begun.accept(role() == Role.STOPPED ? -1 : appliedIndex());
    }

    /** Ends a checkpoint: entries up to this index are in durable checkpoints, their space may be reclaimed; 0 when it failed. */
    void checkpointed(long index);

    /**
     * Makes what was applied durable here, where that is not so already (async entries). The write-ahead rule: called
     * before a checkpoint is written. Any thread but the loop; may take a while.
     */
    default void force() {}

    /** Flushes, stops and releases the group; idempotent, any thread. */
    @Override
    void close();

    /** What is built from the log: deterministic, the same entries give the same state. */
    interface StateMachine {
        /**
         * Applies a committed entry.
         *
         * @param index position in the log, rising; an engine's own entries leave gaps
         * @param timestampNanos time the entry carries: the only clock
         * @param attachment what the proposer gave, null on replay and on replicas that did not propose it
         */
        void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment);

        /** A run of apply calls has ended: the moment to send the answers gathered. */
        void applied(long index);

        /**
         * A proposal has no outcome to report: leadership was lost or the disk failed. It may be committed all the
         * same, so the proposer gets no answer, never "not stored"; unless the cause is a {@link NotProposedException}.
         */
        void failed(Object attachment, Throwable cause);

        /** The role changed; before the first call the machine has applied everything committed so far. */
        void roleChanged(Role role, String leader, long term);
    }
}
