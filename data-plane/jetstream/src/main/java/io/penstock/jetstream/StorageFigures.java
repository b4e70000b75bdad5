package io.penstock.jetstream;

/**
 * How a node's files fare, for monitoring. Sizes in bytes, counts since the start.
 *
 * @param free of the disk
 * @param reserve that must stay free for messages to be taken
 * @param journal of the journal that are still needed
 * @param journalLimit beyond which publishers wait for checkpoints
 * @param held whether they wait now
 * @param damaged places in files found damaged, on reading or by a scrub
 * @param writeFailures writes the disk refused
 * @param setAside damaged journals in the store directory, set aside, when the node started
 * @param diverged replicas found to differ from the majority, by this node as leader
 * @param repaired streams fetched from another replica
 */
public record StorageFigures(
        long free,
        long reserve,
        long journal,
        long journalLimit,
        boolean held,
        long damaged,
        long writeFailures,
        long setAside,
        long diverged,
        long repaired,
        Scrub scrub) {
    /**
     * What the daily reading of all files has come to.
     *
     * @param runs that came to their end
     * @param bytes read
     * @param damaged records and files found damaged
     * @param endedSeconds when the last one ended, seconds since the epoch; 0 before
     */
    public record Scrub(long runs, long bytes, long damaged, long endedSeconds) {}
}
