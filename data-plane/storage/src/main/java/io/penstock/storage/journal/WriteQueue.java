package io.penstock.storage.journal;

import io.penstock.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What waits for the journal's thread. Producers add under a lock held for a moment; the thread takes everything at
 * once, which is how a batch comes about: it is what arrived while the batch before was being forced.
 */
final class WriteQueue {
    private final Object lock = new Object();
    private final long maxBytes;

    /** Guarded by lock. */
    private List<Append> incoming = new ArrayList<>();

    /** Guarded by lock. */
    private List<Append> spare = new ArrayList<>();

    /** Guarded by lock: accepted and not yet released. */
    private long bytes;

    /** Guarded by lock. */
    private boolean writerWaits;

    /** Guarded by lock. */
    private int producersWaiting;

    /** Guarded by lock. */
    private boolean closed;

    WriteQueue(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Adds frames that must stay together; waits while the bound is passed, unless {@code mayWait} is false.
     *
     * @throws StorageException when the journal is closed
     */
    void add(List<Append> appends, boolean mayWait) {
        boolean interrupted = false;
        synchronized (lock) {
            while (mayWait && bytes > maxBytes && !closed) {
                producersWaiting++;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                } finally {
                    producersWaiting--;
                }
            }
            if (closed) {
                throw new StorageException("the journal is closed");
            }
            for (int i = 0; i < appends.size(); i++) {
                Append append = appends.get(i);
                bytes += append.size();
                incoming.add(append);
            }
            if (writerWaits) {
                writerWaits = false;
                lock.notifyAll();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes all there is; waits for the first one for at most {@code nanos}. Empty when the time is over, null when
     * closed and drained. The list is the queue's: hand it back with {@link #release}.
     */
    List<Append> take(long nanos) {
        long deadline = System.nanoTime() + nanos;
        synchronized (lock) {
            while (incoming.isEmpty()) {
                if (closed) {
                    return null;
                }
                long left = deadline - System.nanoTime();
                if (nanos != Long.MAX_VALUE && left <= 0) {
                    break;
                }
                writerWaits = true;
                try {
                    if (nanos == Long.MAX_VALUE) {
                        lock.wait();
                    } else {
                        TimeUnit.NANOSECONDS.timedWait(lock, left);
                    }
                } catch (InterruptedException e) {
                    // Nobody has reason to; a set flag would make the channels close their files, so it stays cleared.
                }
            }
            writerWaits = false;
            List<Append> taken = incoming;
            incoming = spare;
            spare = null;
            return taken;
        }
    }

    /** Gives a taken list back, its bytes no longer count. */
    void release(List<Append> taken) {
        long freed = 0;
        for (int i = 0; i < taken.size(); i++) {
            freed += taken.get(i).size();
        }
        taken.clear();
        synchronized (lock) {
            bytes -= freed;
            spare = taken;
            if (producersWaiting > 0) {
                lock.notifyAll();
            }
        }
    }

    long bytes() {
        synchronized (lock) {
            return bytes;
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
    }
}
