package io.penstock.controlplane.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition with a deadline. */
public final class Await {
    private Await() {}

    /** The first non-null value, or an assertion error after `most`. */
    public static <T> T until(Duration most, Supplier<T> condition) {
        long deadline = System.nanoTime() + most.toNanos();
        while (true) {
            T value = condition.get();
            if (value != null) {
                return value;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("did not happen within " + most);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
