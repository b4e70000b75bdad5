package io.penstock.storage.journal;

import io.penstock.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What waits to be written, and whose turn it is to write. Producers add under a lock held for a moment; the writer
 * takes everything at once, which is how a batch comes about: it is what arrived while the batch before was being
 * forced.
 *
 * <p>There is one writer at a time: the journal's thread, or a producer who would wait anyway and found nobody at work
 * ({@link #offer}), which saves the two changes of thread around a force.
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

    /** Guarded by lock: the journal's thread waits to be woken. */
    private boolean writerWaits;

    /** Guarded by lock: it waits without a time of its own and must hear of everything. */
    private boolean writerWaitsForever;

    /** Written under lock: who is writing, null when nobody is. */
    private volatile Thread owner;

    /** Guarded by lock. */
    private int producersWaiting;

    /** Guarded by lock. */
    private boolean closed;

    WriteQueue(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Adds frames that must stay together; waits while the bound is passed, unless the caller is the writer itself.
     *
     * @param combine whether the caller would write them itself now
     * @return true when the caller is the writer now: the frames are not in the queue, it must write them and then call
     *     {@link #release}
     * @throws StorageException when the journal is closed
     */
    boolean offer(List<Append> appends, boolean combine) {
        boolean interrupted = false;
        boolean own;
        synchronized (lock) {
            while (bytes > maxBytes && !closed && owner != Thread.currentThread()) {
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
            own = combine && owner == null && incoming.isEmpty();
            for (int i = 0; i < appends.size(); i++) {
                Append append = appends.get(i);
                bytes += append.size();
                if (!own) {
                    incoming.add(append);
                }
            }
            if (own) {
                owner = Thread.currentThread();
            } else if (writerWaits && owner == null) {
                wakeWriter();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return own;
    }

    private void wakeWriter() {
        writerWaits = false;
        lock.notifyAll();
    }

    /**
     * Takes all there is and makes the caller the writer; waits for the first one for at most {@code patience}
     * nanoseconds, asked again whenever somebody else has written. Empty when the time is over, null when closed and
     * drained. The list is the queue's: hand it back with {@link #release}.
     */
    List<Append> take(LongSupplier patience) {
        synchronized (lock) {
            while (owner != null || incoming.isEmpty()) {
                if (closed && owner == null) {
                    return null;
                }
                // What patience looks at belongs to the writer, so nobody may be writing.
                long left = owner == null ? patience.getAsLong() : Long.MAX_VALUE;
                if (left <= 0) {
                    break;
                }
                writerWaits = true;
                writerWaitsForever = left == Long.MAX_VALUE;
                try {
                    if (writerWaitsForever) {
                        lock.wait();
                    } else {
                        TimeUnit.NANOSECONDS.timedWait(lock, left);
                    }
                } catch (InterruptedException e) {
                    // Nobody has reason to; a set flag would make the channels close their files, so it stays cleared.
                }
            }
            writerWaits = false;
            owner = Thread.currentThread();
            List<Append> taken = incoming;
            incoming = spare;
            spare = null;
            return taken;
        }
    }

    /**
     * Ends the caller's turn as the writer; the bytes no longer count.
     *
     * @param recycle whether the list is the queue's own, from {@link #take}
     */
    void release(List<Append> taken, boolean recycle) {
        long freed = 0;
        for (int i = 0; i < taken.size(); i++) {
            freed += taken.get(i).size();
        }
        if (recycle) {
            taken.clear();
        }
        synchronized (lock) {
            bytes -= freed;
            owner = null;
            if (recycle) {
                spare = taken;
            }
            if (writerWaits && (writerWaitsForever || !incoming.isEmpty())) {
                wakeWriter();
            }
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
