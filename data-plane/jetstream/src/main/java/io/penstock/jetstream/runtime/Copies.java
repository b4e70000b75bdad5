package io.penstock.jetstream.runtime;

import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** How one stream of a group is copied from another replica. Called on the loop. */
public interface Copies {
    /**
     * Fetches a stream from the group's leader beside the present state.
     *
     * @param index the copy must contain everything up to here
     * @param done hears, on the loop, where it lies, or why it did not come about
     */
    void fetch(long id, long index, BiConsumer<String, Exception> done);

    /** Puts what was fetched in the place of what is there; the stream is closed. */
    void install(String name) throws IOException;

    /** At the leader: makes a checkpoint that contains everything up to an index, and describes a stream in it. */
    CompletionStage<byte[]> describe(long id, long index);

    /** At the leader: reads a piece of a file that was described; empty at its end. */
    byte[] read(String file, long offset) throws IOException;
}
