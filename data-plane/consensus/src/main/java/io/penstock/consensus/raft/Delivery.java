package io.penstock.consensus.raft;

import io.penstock.consensus.GroupLoop;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands what the engine's threads have for the state machine to the group's loop, in order: committed entries and
 * events between them. The engine's thread waits when too much is on its way.
 */
final class Delivery {
    private static final long MAX_BYTES = 64L << 20;

    /** A committed entry; the proposal is null on replicas that did not propose it. */
    record Committed(long index, byte[] data, int dataLength, Proposal proposal) {}

    /** Takes what arrives; on the loop. */
    interface Taker {
        void entry(Committed entry);

        /** A run of entries is over. */
        void endOfRun();
    }

    private final GroupLoop loop;
    private final Taker taker;
    private final ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean closed;

    Delivery(GroupLoop loop, Taker taker) {
        this.loop = loop;
        this.taker = taker;
    }

    /** The engine's thread. */
    void entries(List<Committed> entries) {
        long size = 0;
        for (Committed entry : entries) {
            size += entry.dataLength;
            queue.add(entry);
        }
        long waiting = bytes.addAndGet(size);
        schedule();
        while (waiting > MAX_BYTES && !closed) {
            LockSupport.parkNanos(500_000);
            waiting = bytes.get();
        }
    }

    /** Any thread. */
    void event(Runnable event) {
        queue.add(event);
        schedule();
    }

    void close() {
        closed = true;
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    private void drain() {
        scheduled.set(false);
        boolean run = false;
        for (Object next; (next = queue.poll()) != null; ) {
            if (next instanceof Committed entry) {
                bytes.addAndGet(-entry.dataLength);
                taker.entry(entry);
                run = true;
            } else {
                if (run) {
                    run = false;
                    taker.endOfRun();
                }
                ((Runnable) next).run();
            }
        }
        if (run) {
            taker.endOfRun();
        }
    }
}
