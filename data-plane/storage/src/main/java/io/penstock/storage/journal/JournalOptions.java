package io.penstock.storage.journal;

/**
 * Settings of a journal.
 *
 * @param segmentBytes size at which a segment is sealed; 4 KiB to 1 GiB, default 64 MiB
 * @param sync when an append counts as done; default {@link SyncPolicy#ALWAYS}
 * @param syncIntervalNanos time after which unforced bytes are forced, under INTERVAL or for async appends; default
 *     two minutes
 * @param maxPendingBytes bytes accepted and not yet written at which appending threads are made to wait; default 256 MiB
 * @param spareSegments freed segments kept for use again, which saves allocating their blocks; default 2
 * @param prepared whether, under ALWAYS, the next segment is written full of zeros beforehand when there is none to use
 *     again, which makes forces quicker; default no
 */
public record JournalOptions(
        int segmentBytes,
        SyncPolicy sync,
        long syncIntervalNanos,
        long maxPendingBytes,
        int spareSegments,
        boolean prepared) {
    public static final JournalOptions DEFAULT =
            new JournalOptions(64 << 20, SyncPolicy.ALWAYS, 120_000_000_000L, 256L << 20, 2, false);

    public JournalOptions {
        if (segmentBytes < 4096 || segmentBytes > 1 << 30) {
            throw new IllegalArgumentException("segmentBytes must be 4 KiB to 1 GiB, not " + segmentBytes);
        }
        if (syncIntervalNanos <= 0 || maxPendingBytes <= 0 || spareSegments < 0) {
            throw new IllegalArgumentException(
                    "syncIntervalNanos and maxPendingBytes must be above 0, spareSegments 0 or" + " more");
        }
    }

    public JournalOptions withSync(SyncPolicy policy, long intervalNanos) {
        return new JournalOptions(segmentBytes, policy, intervalNanos, maxPendingBytes, spareSegments, prepared);
    }

    public JournalOptions withSegmentBytes(int bytes) {
        return new JournalOptions(bytes, sync, syncIntervalNanos, maxPendingBytes, spareSegments, prepared);
    }

    public JournalOptions withPreparedSegments() {
        return new JournalOptions(segmentBytes, sync, syncIntervalNanos, maxPendingBytes, spareSegments, true);
    }
}
