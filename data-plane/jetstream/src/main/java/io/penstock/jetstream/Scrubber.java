package io.penstock.jetstream;

import io.penstock.storage.store.StoreDirectory;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of all streams once a day, slowly, so that damage is found while other replicas are whole. On a thread
 * of its own; any thread reads the figures.
 */
final class Scrubber {
    private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);
    static final long FIRST_NANOS = 600_000_000_000L;
    static final long PAUSE_NANOS = 86_400_000_000_000L;

    /** Bytes a second, so that others have the disk too. */
    static final long PACE = 20L << 20;

    /** How time passes. */
    interface Pauses {
        /** Waits so long, or until {@link #end}. */
        void rest(long nanos);

        /** Nobody waits any more. */
        void end();
    }

    private final Supplier<List<StoreDirectory>> directories;
    private final Pauses pauses;
    private final InstantSource clock;
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong damaged = new AtomicLong();
    private final AtomicLong endedSeconds = new AtomicLong();
    private volatile boolean closed;

    Scrubber(Supplier<List<StoreDirectory>> directories, Pauses pauses, InstantSource clock) {
        this.directories = directories;
        this.pauses = pauses;
        this.clock = clock;
    }

    /** Scrubs once a day from now on. */
    static Scrubber start(Supplier<List<StoreDirectory>> directories) {
        Scrubber scrubber = new Scrubber(directories, new RealPauses(), InstantSource.system());
        Thread thread = new Thread(scrubber::run, "scrub");
        thread.setDaemon(true);
        thread.start();
        return scrubber;
    }

    /** Goes on until it is closed. */
    void run() {
        pauses.rest(FIRST_NANOS);
        while (!closed) {
            scrub();
            pauses.rest(PAUSE_NANOS);
        }
    }

    private void scrub() {
        long found = 0;
        for (StoreDirectory directory : directories.get()) {
            try {
                found += directory.scrub(this::read);
            } catch (IOException | RuntimeException e) {
                LOG.warn("a scrub ended early: {}", e.toString());
            }
            if (closed) {
                return;
            }
        }
        damaged.addAndGet(found);
        runs.incrementAndGet();
        endedSeconds.set(clock.instant().getEpochSecond());
        if (found > 0) {
            LOG.error("the scrub found {} damaged records and files", found);
        } else {
            LOG.info("the scrub found every file sound");
        }
    }

    private void read(long count) {
        bytes.addAndGet(count);
        pauses.rest(count * 1_000_000_000L / PACE);
    }

    StorageFigures.Scrub figures() {
        return new StorageFigures.Scrub(runs.get(), bytes.get(), damaged.get(), endedSeconds.get());
    }

    /** Ends it soon. */
    void close() {
        closed = true;
        pauses.end();
    }

    private static final class RealPauses implements Pauses {
        /** The thread that rests, once it has. */
        private volatile Thread resting;

        private volatile boolean ended;

        @Override
        public void rest(long nanos) {
            resting = Thread.currentThread();
            long end = System.nanoTime() + nanos;
            for (long left = nanos; left > 0 && !ended; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        @Override
        public void end() {
            ended = true;
            LockSupport.unpark(resting);
        }
    }
}
