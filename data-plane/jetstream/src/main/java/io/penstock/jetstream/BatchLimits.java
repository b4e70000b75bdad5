package io.penstock.jetstream;

/**
 * Bounds of atomic batches that are not committed yet; they wait in the memory of the node that leads their stream.
 *
 * @param maxMessages messages of one batch; default 1,000
 * @param perStream open batches of one stream; default 50
 * @param total open batches of the node; default 1,000
 * @param timeoutNanos how long a batch may rest before it is given up, nanoseconds; default 10 s
 * @param maxBytes bytes of one batch; default 16 MiB
 * @param maxAccountBytes bytes of all batches of one account on the node; default 32 MiB
 * @param maxTotalBytes bytes of all batches of the node; default 64 MiB
 */
public record BatchLimits(
        int maxMessages,
        int perStream,
        int total,
        long timeoutNanos,
        long maxBytes,
        long maxAccountBytes,
        long maxTotalBytes) {
    /** The defaults. */
    public static final BatchLimits DEFAULT = of(1_000, 50, 1_000, 10_000_000_000L);

    /** Refuses values that make no sense. */
    public BatchLimits {
        if (maxMessages <= 0 || perStream <= 0 || total <= 0 || timeoutNanos <= 0) {
            throw new IllegalArgumentException("jetstream limits of batches must be above 0: max_msgs " + maxMessages
                    + ", max_inflight_per_stream " + perStream + ", max_inflight_total " + total + ", timeout "
                    + timeoutNanos + " ns");
        }
    }

    /** These limits, with the default bounds in bytes. */
    public static BatchLimits of(int maxMessages, int perStream, int total, long timeoutNanos) {
        return new BatchLimits(maxMessages, perStream, total, timeoutNanos, 16L << 20, 32L << 20, 64L << 20);
    }
}
