package io.penstock.benchmarks;

import java.util.Arrays;

/** Gathers latencies; quantiles are exact. Not for several threads at once. */
final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    void add(long latencyNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = latencyNanos;
    }

    int count() {
        return count;
    }

    /** The latency in milliseconds that this share of all did not exceed; NaN when there are none. */
    double at(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[Math.min(count - 1, (int) Math.ceil(share * count) - 1)] / 1e6;
    }
}
