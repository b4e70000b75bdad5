package io.penstock.storage.journal;

import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the file of the next segment full of zeros beforehand, on a thread of its own. A force of a file that grows
 * waits for the file system's own journal, and for what others have in it; of one whose blocks were written before it
 * waits for the data alone. Segments that are used again are as good, so this is for the time before there are any.
 */
final class SparePreparer {
    private static final Logger LOG = LoggerFactory.getLogger(SparePreparer.class);
    private static final int PIECE_BYTES = 1 << 20;

    /** Forced so often, so that nobody else's force has much to wait for. */
    private static final int PIECES_A_FORCE = 4;

    /** With fewer segments' worth of free space none is prepared. */
    private static final int ROOM_SEGMENTS = 16;

    private enum State {
        /** Nothing is prepared. */
        IDLE,
        /** A file is being written. */
        BUSY,
        /** A file is ready. */
        READY,
        /** Nothing more is prepared. */
        CLOSED
    }

    private final Disk disk;
    private final Path directory;
    private final int bytes;

    /** Guarded by this, as all below. */
    private State state = State.IDLE;

    private Path file;

    /** The last segment one was wanted for: one try each. */
    private long wantedFor;

    private Thread thread;

    /** @param bytes how long a prepared file is */
    SparePreparer(Disk disk, Path directory, int bytes) {
        this.disk = disk;
        this.directory = directory;
        this.bytes = bytes;
    }

    /** Begins to prepare a file for this segment, if there is none and it was not tried. */
    synchronized void want(long segment) {
        if (state != State.IDLE || segment == wantedFor) {
            return;
        }
        wantedFor = segment;
        state = State.BUSY;
        file = directory.resolve(Segment.preparedName(segment));
        Path path = file;
        thread = Thread.ofPlatform().name("journal-spare").daemon().start(() -> prepare(path));
    }

    /** The file that is ready, which is the caller's now; null when there is none. */
    synchronized Path take() {
        if (state != State.READY) {
            return null;
        }
        state = State.IDLE;
        return file;
    }

    private void prepare(Path path) {
        boolean done = false;
        try {
            if (disk.usableSpace(directory) >= (long) ROOM_SEGMENTS * bytes) {
                done = write(path);
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("no segment of the journal is prepared: {}", e.toString());
        }
        if (!done) {
            drop(path);
        }
        synchronized (this) {
            if (state == State.BUSY) {
                state = done ? State.READY : State.IDLE;
            }
        }
    }

    private boolean write(Path path) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(PIECE_BYTES, bytes));
        try (DiskFile target = disk.open(path)) {
            int pieces = 0;
            for (int at = 0; at < bytes; at += zeros.limit()) {
                if (closed()) {
                    return false;
                }
                zeros.clear().limit(Math.min(zeros.capacity(), bytes - at));
                target.writeFully(zeros, at);
                if (++pieces % PIECES_A_FORCE == 0) {
                    target.force();
                }
            }
            target.force();
        }
        return true;
    }

    private void drop(Path path) {
        try {
            if (disk.exists(path)) {
                disk.delete(path);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} stays until the next start", path, e);
        }
    }

    private synchronized boolean closed() {
        return state == State.CLOSED;
    }

    /** Prepares no more, and waits until nothing is being written. */
    void close() {
        Thread busy;
        Path unused;
        synchronized (this) {
            unused = state == State.IDLE ? null : file;
            state = State.CLOSED;
            busy = thread;
        }
        if (busy != null) {
            try {
                busy.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (unused != null) {
            drop(unused);
        }
    }
}
