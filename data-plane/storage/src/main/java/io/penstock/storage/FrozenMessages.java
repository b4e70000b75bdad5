package io.penstock.storage;

import java.io.IOException;

/**
 * The messages of a stream as they were at one moment, read while the stream goes on. What is removed meanwhile is still
 * among them, save for messages whose bytes were erased. Made and closed on the store's loop, read by any one thread.
 */
public interface FrozenMessages extends AutoCloseable {
    /** What the stream held at that moment. */
    StreamState state();

    /**
     * The next message, sequences rise; null after the last.
     *
     * @throws IOException when it cannot be read, or the stream was deleted meanwhile
     */
    StoredMessage next() throws IOException;

    /** Ends reading; by the thread that reads. */
    default void closeReader() throws IOException {}

    /** Lets go of files that were kept for this; on the loop. */
    @Override
    void close();
}
