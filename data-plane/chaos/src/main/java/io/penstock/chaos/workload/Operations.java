package io.penstock.chaos.workload;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Operations of one kind, each tried again as clients do until it is answered or given up. Thread-safe. */
public final class Operations {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** One attempt. */
    interface Attempt {
        /** Whether it was answered. */
        boolean answered() throws InterruptedException;
    }

    private final String name;
    private final int attempts;
    private final AckGap gap = new AckGap();
    private long done;
    private long repeated;
    private long failed;
    private long longest;

    /**
     * @param name what is done, in the plural
     * @param attempts how often something is tried
     */
    Operations(String name, int attempts) {
        this.name = name;
        this.attempts = attempts;
    }

    /** Tries until there is an answer; false when it was given up. */
    boolean run(int client, Attempt attempt) throws InterruptedException {
        long begin = System.nanoTime();
        for (int count = 1; count <= attempts; count++) {
            if (attempt.answered()) {
                gap.acked(client);
                succeeded(System.nanoTime() - begin, count > 1);
                return true;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        gaveUp();
        return false;
    }

    private synchronized void succeeded(long nanos, boolean again) {
        done++;
        repeated += again ? 1 : 0;
        longest = Math.max(longest, nanos);
    }

    private synchronized void gaveUp() {
        failed++;
    }

    synchronized long done() {
        return done;
    }

    synchronized long failed() {
        return failed;
    }

    AckGap gap() {
        return gap;
    }

    /** One line of a report. */
    public synchronized String line() {
        return "%-16s %7d answered, %4d of them after another attempt, %d given up; longest gap %d ms, longest operation %d ms"
                .formatted(name, done, repeated, failed, gap.longestNanos() / 1_000_000, longest / 1_000_000);
    }
}
