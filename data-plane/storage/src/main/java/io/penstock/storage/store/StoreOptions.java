package io.penstock.storage.store;

/**
 * Settings of the file stores of a node.
 *
 * @param segmentBytes size at which a segment file is sealed; a larger message gets one of its own. 4 KiB to 512 MiB,
 *     default 16 MiB
 * @param flushBytes bytes gathered in memory before they are written; default 64 KiB
 * @param tailBytes newest bytes of a busy stream kept in memory for readers, at most twice this; default 256 KiB
 * @param indexBytes memory for the indexes of sealed segments, all stores together; default 64 MiB
 * @param openFiles segment files kept open, all stores together; default 512
 * @param listedMessages messages of one subject up to which their sequences are listed in memory, 8 bytes each; of more
 *     common subjects they are searched. Default 128
 */
public record StoreOptions(
        int segmentBytes, int flushBytes, int tailBytes, long indexBytes, int openFiles, int listedMessages) {
    public static final StoreOptions DEFAULT = new StoreOptions(16 << 20, 64 << 10, 256 << 10, 64L << 20, 512, 128);

    public StoreOptions {
        if (segmentBytes < 4096 || segmentBytes > 512 << 20) {
            throw new IllegalArgumentException("segmentBytes must be 4 KiB to 512 MiB, not " + segmentBytes);
        }
        if (flushBytes < 1 || tailBytes < flushBytes || indexBytes < 0 || openFiles < 1 || listedMessages < 2) {
            throw new IllegalArgumentException(
                    "flushBytes and openFiles must be above 0, tailBytes at least flushBytes, indexBytes 0 or more,"
                            + " listedMessages at least 2");
        }
    }

    /** Plain bytes of a block of a compressed segment: a message read at random costs a block unpacked. */
    int blockBytes() {
        return Math.min(PackedFormat.MOST_BLOCK / 2, segmentBytes / 4);
    }

    public StoreOptions withSegmentBytes(int bytes) {
        return new StoreOptions(bytes, flushBytes, tailBytes, indexBytes, openFiles, listedMessages);
    }
}
