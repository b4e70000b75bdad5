package io.penstock.storage;

import io.penstock.protocol.SubjectFilter;
import java.io.IOException;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;

/**
 * The messages of one stream, in files or in memory, with their indexes by sequence, time and subject.
 *
 * <p>One thread, the loop that applies the stream's log, calls every method; only the task that
 * {@link #beginCheckpoint} returns runs elsewhere. Nothing here reads a clock. What is appended is durable when the log
 * entry it came from is (the journal); the store is the log's materialisation and becomes durable by checkpoints: after
 * a crash it opens as of its last checkpoint and the log entries behind {@link #checkpointIndex()} are applied again.
 *
 * <p>A disk error surfaces as {@link StorageException}; a damaged record as {@link CorruptRecordException} with file and
 * offset. Neither changes the state in memory.
 */
public interface StreamStore extends AutoCloseable {
    /**
     * Appends a message. Headers and payload are copied out of {@code source}.
     *
     * @param sequence must be above the last sequence; a gap counts as deleted
     */
    void append(
            long sequence,
            long timestampNanos,
            String subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength);

    /** Uses up {@code sequence} without keeping a message: last sequence and last time move, nothing is held. */
    void skip(long sequence, long timestampNanos);

    /** What one message counts for {@code max_bytes} and {@code state.bytes} in this kind of store. */
    long sizeOf(int subjectLength, int headersLength, int payloadLength);

    StreamState state();

    /** The message at {@code sequence}, or null when it is not held. */
    StoredMessage load(long sequence);

    /** The first message at or behind {@code fromSequence} that matches, or null. */
    StoredMessage next(SubjectFilter filter, long fromSequence);

    /** Sequence of the first message at or behind {@code fromSequence} that matches, 0 when there is none. */
    long nextSequence(SubjectFilter filter, long fromSequence);

    /** Sequence of the last message at or before {@code upToSequence} that matches, 0 when there is none. */
    long lastSequence(SubjectFilter filter, long upToSequence);

    /** The state of one literal subject, or null when no message of it is held. */
    SubjectState subject(String subject);

    /** Visits the subjects that match in the order of their bytes, until the visitor answers false. */
    void subjects(SubjectFilter filter, BiPredicate<String, SubjectState> visitor);

    /** Visits, in rising order, the last message of each matching subject at or before {@code upToSequence}. */
    void lastPerSubject(SubjectFilter filter, long upToSequence, LongPredicate visitor);

    /**
     * How many held messages at or behind {@code fromSequence} match; with {@code lastPerSubject}, only those that are
     * the last of their subject.
     */
    long pending(SubjectFilter filter, long fromSequence, boolean lastPerSubject);

    /** The first sequence whose message was stored at or after this time; last + 1 when there is none. */
    long sequenceAt(long timestampNanos);

    /** Visits the missing sequences between first and last in rising order, until the visitor answers false. */
    void deleted(LongPredicate visitor);

    /**
     * Removes one message.
     *
     * @param erase overwrite its bytes on disk too
     * @return false when it is not held
     */
    boolean remove(long sequence, boolean erase);

    /**
     * Removes messages.
     *
     * @param filter which subjects
     * @param belowSequence only sequences below this; 0 for no bound
     * @param keep leave the newest {@code keep} that match; 0 to keep none
     * @return how many were removed
     */
    long purge(SubjectFilter filter, long belowSequence, long keep);

    /** Index of the last log entry contained in the durable checkpoint the store was opened from or has written since. */
    long checkpointIndex();

    /** What {@link #beginCheckpoint} was given for the checkpoint the store was opened from; empty for a new store. */
    byte[] checkpointAttachment();

    /**
     * Freezes the present state for a checkpoint. The task makes it durable and may run on another thread while this
     * store goes on; at most one is under way.
     *
     * @param appliedIndex the last log entry contained in the state
     * @param attachment the state machine's own state (configuration, consumers, dedupe window), kept with the files
     */
    Checkpoint beginCheckpoint(long appliedIndex, byte[] attachment);

    /**
     * The messages held now, to be read by another thread while the store goes on. What is removed meanwhile takes its
     * room until the answer is closed.
     */
    FrozenMessages freeze();

    /**
     * Whether segments are compressed on disk from now on, once they are full and in a checkpoint; what is there already
     * follows, a part with each checkpoint. What was compressed before is read all the same. Not kept with the store.
     * Does nothing in memory.
     */
    default void compress(boolean wanted) {}

    /** Whether anything changed since the last checkpoint was begun. */
    boolean dirty();

    /** Removes every trace of the stream from the disk; the store is closed. */
    void delete();

    @Override
    void close();

    /** A frozen state on its way to the disk. */
    interface Checkpoint {
        /** Writes and forces it; when this returns, a crash finds this state. Any thread. */
        void write() throws IOException;
    }
}
