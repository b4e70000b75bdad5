package io.penstock.consensus;

import java.util.concurrent.Executor;

/**
 * The single thread of a group: runs what is handed to it in order, keeps timers, tells the time. State machines live
 * on it without locks.
 */
public interface GroupLoop extends Executor {
    /** Runs {@code task} on the loop after everything handed over before; any thread, never blocks. */
    @Override
    void execute(Runnable task);

    /**
     * Runs {@code task} on the loop after {@code delayNanos}, measured by a clock that wall-clock steps do not move.
     * Any thread.
     *
     * @param delayNanos nanoseconds; zero or less runs at the loop's next turn
     */
    Timer schedule(long delayNanos, Runnable task);

    /** Wall-clock time, nanoseconds since the epoch: for what people and other nodes are told. Any thread. */
    long now();

    /** Nanoseconds on a clock that steps of the wall clock do not move: for how long something takes. Any thread. */
    long steady();

    /** Whether nothing else waits for the loop's thread; asked on the loop. */
    default boolean idle() {
        return false;
    }

    /** Whether the calling thread is the loop. */
    boolean inLoop();

    /** A task that waits for its time. */
    interface Timer {
        /** Prevents the task from running unless it already has; idempotent, any thread. */
        void cancel();
    }
}
