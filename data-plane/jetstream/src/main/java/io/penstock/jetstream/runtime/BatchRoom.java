package io.penstock.jetstream.runtime;

/** How many batches are open and what they hold: of one account, or of the node. Owned by the loop. */
final class BatchRoom {
    /** That of the node; null for that one itself. */
    private final BatchRoom node;

    private final int maxOpen;
    private final long maxBytes;
    private int open;
    private long bytes;

    BatchRoom(BatchRoom node, int maxOpen, long maxBytes) {
        this.node = node;
        this.maxOpen = maxOpen;
        this.maxBytes = maxBytes;
    }

    /** Whether there may be one more batch. */
    boolean admitsBatch() {
        return open < maxOpen && (node == null || node.admitsBatch());
    }

    void opened() {
        open++;
        if (node != null) {
            node.opened();
        }
    }

    void closed() {
        open--;
        if (node != null) {
            node.closed();
        }
    }

    /** Whether there is room for so many bytes. */
    boolean admits(long size) {
        return bytes + size <= maxBytes && (node == null || node.admits(size));
    }

    void take(long size) {
        bytes += size;
        if (node != null) {
            node.take(size);
        }
    }

    void give(long size) {
        take(-size);
    }

    int open() {
        return open;
    }

    long bytes() {
        return bytes;
    }
}
