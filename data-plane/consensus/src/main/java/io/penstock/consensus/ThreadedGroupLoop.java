package io.penstock.consensus;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link GroupLoop} on a platform thread of its own.
 *
 * <p>Producers add to a lock-free queue and wake the thread only when it sleeps, so that a burst costs one wake-up. A
 * task that throws is logged and the loop goes on: a state machine that cannot go on closes its log.
 */
public final class ThreadedGroupLoop implements GroupLoop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadedGroupLoop.class);

    /** Tasks run in a row before timers are looked at again. */
    private static final int TASKS_PER_TURN = 256;

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final AtomicLong timerOrder = new AtomicLong();
    private final long started = System.nanoTime();
    private final Clock clock;
    private final Thread thread;

    /** Owned by the loop thread. */
    private final PriorityQueue<LoopTimer> timers = new PriorityQueue<>();

    private volatile boolean closing;

    /**
     * Starts the thread.
     *
     * @param name the thread's name
     * @param clock tells {@link #now()}
     */
    public ThreadedGroupLoop(String name, Clock clock) {
        this.clock = clock;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        if (closing) {
            LOG.debug("loop {} is closed, a task is dropped", thread.getName());
            return;
        }
        add(task);
    }

    private void add(Runnable task) {
        tasks.add(task);
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        LoopTimer timer =
                new LoopTimer(System.nanoTime() + Math.max(0, delayNanos), timerOrder.getAndIncrement(), task);
        if (inLoop()) {
            timers.add(timer);
        } else {
            execute(() -> timers.add(timer));
        }
        return timer;
    }

    @Override
    public long now() {
        Instant instant = clock.instant();
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    @Override
    public long steady() {
        return System.nanoTime() - started;
    }

    @Override
    public boolean idle() {
        return tasks.isEmpty();
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    /**
     * Runs what is queued, then ends the thread; timers that are not due and what comes later are dropped. Waits for at
     * most 10 s.
     */
    @Override
    public void close() {
        if (!closing) {
            closing = true;
            add(() -> {});
        }
        if (!inLoop()) {
            try {
                if (!thread.join(Duration.ofSeconds(10))) {
                    LOG.warn("loop {} did not end within 10 s", thread.getName());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        while (true) {
            boolean worked = runTasks();
            long wait = runTimers();
            if (worked) {
                continue;
            }
            if (closing && tasks.isEmpty()) {
                return;
            }
            sleep(wait);
        }
    }

    private boolean runTasks() {
        int done = 0;
        for (Runnable task; done < TASKS_PER_TURN && (task = tasks.poll()) != null; done++) {
            runGuarded(task);
        }
        return done > 0;
    }

    /** Runs what is due; answers the nanoseconds to the next timer. */
    private long runTimers() {
        if (timers.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long now = System.nanoTime();
        // Taken out first: a timer that schedules itself again with no delay must not starve the tasks.
        ArrayDeque<LoopTimer> due = new ArrayDeque<>();
        for (LoopTimer first; (first = timers.peek()) != null && (first.cancelled || first.deadline - now <= 0); ) {
            due.add(timers.poll());
        }
        for (LoopTimer timer : due) {
            if (!timer.cancelled) {
                runGuarded(timer.task);
            }
        }
        LoopTimer next = timers.peek();
        return next == null ? Long.MAX_VALUE : Math.max(1, next.deadline - System.nanoTime());
    }

    private void sleep(long nanos) {
        asleep.set(true);
        // A task added before the flag was seen has woken nobody.
        if (tasks.isEmpty()) {
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        }
        asleep.set(false);
    }

    private void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            LOG.error("task failed on loop {}", thread.getName(), e);
        }
    }

    private static final class LoopTimer implements Timer, Comparable<LoopTimer> {
        private final long deadline;
        private final long order;
        private final Runnable task;
        private volatile boolean cancelled;

        LoopTimer(long deadline, long order, Runnable task) {
            this.deadline = deadline;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(LoopTimer other) {
            long difference = deadline - other.deadline;
            return difference != 0 ? Long.signum(difference) : Long.compare(order, other.order);
        }
    }
}
