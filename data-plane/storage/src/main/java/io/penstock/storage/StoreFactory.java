package io.penstock.storage;

import java.util.List;

/**
 * Makes and finds the stores of a node. One thread, the loop that owns the stores, calls every method but the queries
 * of space.
 */
public interface StoreFactory extends AutoCloseable {
    /**
     * The file streams found on disk that have a checkpoint, whole or damaged, in no order; with those that should be
     * there and are gone, which count as damaged.
     */
    List<StoredStream> list();

    /** A stream of which nothing is on disk is not missed any more: it was deleted. */
    default void forget(long incarnation) {}

    /** The stream of this incarnation on disk, whole or damaged; null when there is none with a checkpoint. */
    default StoredStream find(long incarnation) {
        return list().stream()
                .filter(stream -> stream.incarnation() == incarnation)
                .findFirst()
                .orElse(null);
    }

    /**
     * Makes an empty file store. What an earlier try of the same incarnation left is overwritten.
     *
     * @param account the account's name, any characters
     * @param stream the stream's name
     * @param incarnation tells streams of one name apart that live one after the other: the log index of the entry that
     *     creates this one
     * @throws StorageException when it exists already with a checkpoint, or the disk refuses
     */
    StreamStore create(String account, String stream, long incarnation);

    /**
     * Opens a file store as of its last checkpoint.
     *
     * @throws CorruptRecordException when no copy of its manifest can be read; nothing is changed on disk then
     */
    StreamStore open(StoredStream stream);

    /** An empty store in memory. */
    StreamStore createInMemory();

    /**
     * Moves directories of streams that have no checkpoint and are not open out of the way, into quarantine. To be
     * called once the log has been applied again after start: what the log did not create anew is unknown.
     */
    void quarantineUnknown();

    /** Bytes in use by open file stores. Any thread. */
    long usedBytes();

    /** Bytes the disk still takes. Any thread. */
    long usableBytes();

    /** Makes creations and deletions of stores durable; call it before the log drops their entries. Any thread. */
    void syncDirectories() throws java.io.IOException;

    /** Closes files; open stores must be closed before. */
    @Override
    void close();

    /**
     * A file stream on disk.
     *
     * @param account the account's name
     * @param stream the stream's name
     * @param incarnation as given to {@link #create}
     * @param checkpointIndex the last log entry its checkpoint contains
     * @param damage empty, or why it cannot be opened: file, offset, reason
     */
    record StoredStream(String account, String stream, long incarnation, long checkpointIndex, String damage) {
        /** Whether no copy of the manifest can be read; account and stream may then be names of directories. */
        public boolean damaged() {
            return !damage.isEmpty();
        }
    }
}
