package io.penstock.broker.engine;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lane for threads that are no event loop. Everything happens under its lock. What is not flushed explicitly is flushed
 * by a loop a millisecond later.
 */
final class ForeignLane extends Lane {
    private static final long FLUSH_AFTER_MICROS = 1000;

    final ReentrantLock lock = new ReentrantLock();
    private final EventLoop timer;
    /** Under the lock. */
    private boolean flushScheduled;

    ForeignLane(int index, long seed, EventLoop timer) {
        super(index, seed);
        this.timer = timer;
    }

    @Override
    void onTouched() {
        if (!flushScheduled && !timer.isShuttingDown()) {
            flushScheduled = true;
            var _ = timer.schedule(this::flushLate, FLUSH_AFTER_MICROS, TimeUnit.MICROSECONDS);
        }
    }

    private void flushLate() {
        lock.lock();
        try {
            flushScheduled = false;
            flush();
        } finally {
            lock.unlock();
        }
    }

    @Override
    void onFlushed() {}
}
