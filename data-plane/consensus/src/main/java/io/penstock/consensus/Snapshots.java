package io.penstock.consensus;

import java.io.IOException;
import java.io.InputStream;

/**
 * The state machine's part in bringing a replica up to date that is behind the log: its durable checkpoints, told by a
 * manifest of files and fetched by name.
 *
 * <p>A manifest describes checkpoints that together contain every entry up to the index of the last checkpoint round,
 * and perhaps more, part by part; whoever installs it applies the log from there on and skips, part by part, what is
 * contained already. It is the same as after a restart on the source's own files.
 */
public interface Snapshots {
    /**
     * Source side: describes the durable checkpoints as of now, in the state machine's own format. Any thread, may
     * read the disk.
     */
    byte[] manifest() throws IOException;

    /**
     * Source side: opens a file that a manifest named. Any thread.
     *
     * @throws java.nio.file.NoSuchFileException when it is gone since: the other side asks for the manifest again
     */
    InputStream open(String file) throws IOException;

    /**
     * Target side: fetches what is missing and makes it durable beside the present state, which stays as it is. Not on
     * the loop; blocks as long as it takes.
     */
    Staged fetch(Fetcher fetcher) throws IOException;

    /** A state that is fetched and durable but not in force. */
    interface Staged {
        /**
         * Puts it in the place of the present state. On the loop. The log below {@code index} is gone afterwards: when
         * this returns, what is on disk must contain everything up to there, whatever was applied before. The machine is
         * then given the entries above it.
         *
         * @param index every part contains at least what came up to it
         */
        void install(long index) throws IOException;

        /** Drops what was fetched, it is not needed. Any thread. */
        void discard();
    }

    /** The way to the source. */
    interface Fetcher {
        /** Asks for the manifest; again whenever a file turns out to be gone. */
        byte[] manifest() throws IOException;

        /**
         * Opens a file of the source; its bytes are checked on the way.
         *
         * @throws java.nio.file.NoSuchFileException when it is gone there
         */
        InputStream open(String file) throws IOException;
    }
}
