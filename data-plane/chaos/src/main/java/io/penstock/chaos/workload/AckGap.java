package io.penstock.chaos.workload;

/** The longest time during which nobody got an acknowledgement. Thread-safe. */
public final class AckGap {
    private long last;
    private long longest;
    private long acks;

    /** An acknowledgement arrived. */
    public synchronized void acked() {
        long now = System.nanoTime();
        if (acks > 0) {
            longest = Math.max(longest, now - last);
        }
        last = now;
        acks++;
    }

    /** Begins anew, the next acknowledgement counted from now. */
    public synchronized void restart() {
        last = System.nanoTime();
        longest = 0;
    }

    public synchronized long acks() {
        return acks;
    }

    /** The longest gap so far, the present one included; nanoseconds. */
    public synchronized long longestNanos() {
        return Math.max(longest, System.nanoTime() - last);
    }
}
