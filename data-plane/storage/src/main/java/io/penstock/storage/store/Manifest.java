package io.penstock.storage.store;

import java.util.ArrayList;
import java.util.List;

/**
 * A checkpoint of a file store: which segments, how far each counts, what is deleted in them, and the state machine's
 * attachment. Two copies are kept, so that one damaged file loses nothing.
 *
 * <pre>
 * int "PMAN", int version, long generation, long incarnation, text account, text stream,
 * long applied index, bytes attachment,
 * long last sequence, long last time, long next segment, int segments,
 * segments x (long number, long first sequence, long last sequence, int records, int bytes of the file,
 *   int live records, long live bytes, long first time, long last time, int 1 if sealed + 2 if erasing,
 *   of version 2: int bytes of the compressed file, 0 for a plain segment,
 *   int words and words x long of the bitmap of deleted records, bytes index or none),
 * int CRC32C
 * </pre>
 *
 * <p>Version 2 is written when a segment is compressed, so that a server that knows version 1 leaves such a stream alone.
 *
 * @param generation rises with each checkpoint
 * @param nextBlock number of the next segment
 */
record Manifest(
        long generation,
        long incarnation,
        String account,
        String stream,
        long appliedIndex,
        byte[] attachment,
        long lastSequence,
        long lastTimestamp,
        long nextBlock,
        List<BlockEntry> blocks) {
    static final String NAME = "manifest";
    static final String COPY = "manifest.copy";
    static final String TEMPORARY = ".new";
    private static final int MAGIC = 0x4e414d50;
    private static final int VERSION = 1;
    private static final int VERSION_PACKED = 2;
    private static final int SEALED = 1;
    private static final int ERASING = 2;

    /**
     * A segment.
     *
     * @param length plain bytes
     * @param packed bytes of the compressed file, 0 when the segment is plain
     * @param erasing whether a message was erased that the compressed file still has, so that it must be written anew
     * @param deleted bitmap, null when nothing is deleted
     * @param index encoded {@link BlockIndex} of a segment that has no index file; empty otherwise
     */
    record BlockEntry(
            long id,
            long base,
            long last,
            int count,
            int length,
            int live,
            long liveBytes,
            long firstTimestamp,
            long lastTimestamp,
            boolean sealed,
            int packed,
            boolean erasing,
            long[] deleted,
            byte[] index) {
        boolean isPacked() {
            return packed > 0;
        }

        String segmentName() {
            return SegmentFiles.name(id, isPacked());
        }

        /** Bytes of the file. */
        int fileBytes() {
            return isPacked() ? packed : length;
        }

        BlockEntry with(byte[] newIndex) {
            return new BlockEntry(
                    id,
                    base,
                    last,
                    count,
                    length,
                    live,
                    liveBytes,
                    firstTimestamp,
                    lastTimestamp,
                    sealed,
                    packed,
                    erasing,
                    deleted,
                    newIndex);
        }
    }

    byte[] encode() {
        boolean packed = blocks.stream().anyMatch(BlockEntry::isPacked);
        Encoder out = new Encoder();
        out.putInt(MAGIC)
                .putInt(packed ? VERSION_PACKED : VERSION)
                .putLong(generation)
                .putLong(incarnation);
        out.putText(account).putText(stream).putLong(appliedIndex).putBytes(attachment);
        out.putLong(lastSequence).putLong(lastTimestamp).putLong(nextBlock).putInt(blocks.size());
        for (BlockEntry block : blocks) {
            out.putLong(block.id).putLong(block.base).putLong(block.last);
            out.putInt(block.count).putInt(block.length).putInt(block.live).putLong(block.liveBytes);
            out.putLong(block.firstTimestamp).putLong(block.lastTimestamp);
            out.putInt((block.sealed ? SEALED : 0) | (block.erasing ? ERASING : 0));
            if (packed) {
                out.putInt(block.packed);
            }
            // The bitmap may be longer than the records known when it was frozen.
            int words = block.deleted == null ? 0 : Math.min(block.deleted.length, (block.count + 63) >>> 6);
            out.putInt(words);
            for (int i = 0; i < words; i++) {
                out.putLong(block.deleted[i]);
            }
            out.putBytes(block.index);
        }
        return out.sealed();
    }

    /** Decodes; null when it is damaged. */
    static Manifest decode(byte[] bytes) {
        if (bytes.length < 8 || !Decoder.sound(bytes)) {
            return null;
        }
        Decoder in = new Decoder(bytes);
        if (in.getInt() != MAGIC) {
            return null;
        }
        int version = in.getInt();
        if (version != VERSION && version != VERSION_PACKED) {
            return null;
        }
        long generation = in.getLong();
        long incarnation = in.getLong();
        String account = in.getText();
        String stream = in.getText();
        long appliedIndex = in.getLong();
        byte[] attachment = in.getBytes();
        long lastSequence = in.getLong();
        long lastTimestamp = in.getLong();
        long nextBlock = in.getLong();
        int count = in.getInt();
        List<BlockEntry> blocks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            blocks.add(decodeBlock(in, version));
        }
        return new Manifest(
                generation,
                incarnation,
                account,
                stream,
                appliedIndex,
                attachment,
                lastSequence,
                lastTimestamp,
                nextBlock,
                blocks);
    }

    private static BlockEntry decodeBlock(Decoder in, int version) {
        long id = in.getLong();
        long base = in.getLong();
        long last = in.getLong();
        int count = in.getInt();
        int length = in.getInt();
        int live = in.getInt();
        long liveBytes = in.getLong();
        long firstTimestamp = in.getLong();
        long lastTimestamp = in.getLong();
        int flags = in.getInt();
        int packed = version == VERSION_PACKED ? in.getInt() : 0;
        int words = in.getInt();
        long[] deleted = words == 0 ? null : new long[(count + 63) >>> 6];
        for (int i = 0; i < words; i++) {
            deleted[i] = in.getLong();
        }
        return new BlockEntry(
                id,
                base,
                last,
                count,
                length,
                live,
                liveBytes,
                firstTimestamp,
                lastTimestamp,
                (flags & SEALED) != 0,
                packed,
                (flags & ERASING) != 0,
                deleted,
                in.getBytes());
    }
}
