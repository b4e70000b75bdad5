package io.penstock.jetstream;

import io.penstock.storage.store.StoreDirectory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of all streams once a day, slowly, so that damage is found while other replicas are whole. On a thread
 * of its own.
 */
final class Scrubber {
    private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);
    private static final long FIRST_NANOS = 600_000_000_000L;
    private static final long PAUSE_NANOS = 86_400_000_000_000L;

    /** Bytes a second, so that others have the disk too. */
    private static final long PACE = 20L << 20;

    private final Supplier<List<StoreDirectory>> directories;
    private final Thread thread;
    private volatile boolean closed;

    Scrubber(Supplier<List<StoreDirectory>> directories) {
        this.directories = directories;
        this.thread = new Thread(this::run, "scrub");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        rest(FIRST_NANOS);
        while (!closed) {
            scrub();
            rest(PAUSE_NANOS);
        }
    }

    private void scrub() {
        long damaged = 0;
        for (StoreDirectory directory : directories.get()) {
            try {
                damaged += directory.scrub(bytes -> rest(bytes * 1_000_000_000L / PACE));
            } catch (IOException | RuntimeException e) {
                LOG.warn("a scrub ended early: {}", e.toString());
            }
            if (closed) {
                return;
            }
        }
        if (damaged > 0) {
            LOG.error("the scrub found {} damaged records and files", damaged);
        } else {
            LOG.debug("the scrub found every file sound");
        }
    }

    private void rest(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closed; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Ends the thread soon. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
