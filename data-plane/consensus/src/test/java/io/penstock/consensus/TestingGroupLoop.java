package io.penstock.consensus;

import java.util.ArrayDeque;
import java.util.PriorityQueue;

/** A loop that runs on the test's own thread, by virtual time that only {@link #advance} moves. Not thread-safe. */
public final class TestingGroupLoop implements GroupLoop {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<TestingTimer> timers = new PriorityQueue<>();
    private long now;
    private long wrong;
    private long order;

    /** Starts at a time of nanoseconds since the epoch. */
    public TestingGroupLoop(long startNanos) {
        this.now = startNanos;
    }

    public TestingGroupLoop() {
        this(1_000_000_000L);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        TestingTimer timer = new TestingTimer(now + Math.max(0, delayNanos), order++, task);
        timers.add(timer);
        return timer;
    }

    @Override
    public long now() {
        return now + wrong;
    }

    @Override
    public long steady() {
        return now;
    }

    /** Sets the wall clock wrong by so much. */
    public void setWallClockWrong(long nanos) {
        wrong = nanos;
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    /** Runs tasks, and what they add, until none is left; due timers too. */
    public void runAll() {
        while (true) {
            Runnable task = tasks.poll();
            if (task != null) {
                task.run();
                continue;
            }
            TestingTimer first = timers.peek();
            if (first == null || first.deadline > now) {
                return;
            }
            timers.remove();
            if (!first.cancelled) {
                first.task.run();
            }
        }
    }

    /** Moves time on, stopping at each timer in between. */
    public void advance(long nanos) {
        long end = now + nanos;
        runAll();
        for (TestingTimer first; (first = timers.peek()) != null && first.deadline <= end; ) {
            now = Math.max(now, first.deadline);
            runAll();
        }
        now = end;
    }

    private static final class TestingTimer implements Timer, Comparable<TestingTimer> {
        private final long deadline;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        TestingTimer(long deadline, long order, Runnable task) {
            this.deadline = deadline;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(TestingTimer other) {
            return deadline != other.deadline
                    ? Long.compare(deadline, other.deadline)
                    : Long.compare(order, other.order);
        }
    }
}
