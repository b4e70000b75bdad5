package io.penstock.storage.store;

import java.util.zip.CRC32C;

/**
 * A compressed segment: the bytes of a plain one, its header included, in blocks. Positions are those in the plain bytes.
 * Little endian:
 *
 * <pre>
 * header       int "PSGP", int version, long incarnation of the stream, long number of the segment, int zero,
 *              int CRC32C of the above
 * blocks x     int position of its first byte, int plain bytes, int stored bytes * 2 + 1 when they are compressed,
 *              int CRC32C of these three and the bytes; the bytes, as an S2 block or as they are
 * table        blocks x (int position of its first byte, int offset of the block in the file)
 * end          int "PSGT", int blocks, int plain bytes of all, int CRC32C of the table and the above
 * </pre>
 *
 * <p>A block says by itself where it belongs, so that one that is damaged costs nothing but its own records, and a
 * damaged table nothing at all: the blocks are walked.
 */
final class PackedFormat {
    static final int HEADER = 32;
    static final int BLOCK_HEADER = 16;
    static final int TABLE_ENTRY = 8;
    static final int END = 16;

    /** Plain bytes of a block at most. */
    static final int MOST_BLOCK = 64 << 10;

    private static final int MAGIC = 0x50475350;
    private static final int VERSION = 1;
    private static final int END_MAGIC = 0x54475350;

    private PackedFormat() {}

    static byte[] header(long incarnation, long segment) {
        byte[] header = new byte[HEADER];
        Bytes.putInt(header, 0, MAGIC);
        Bytes.putInt(header, 4, VERSION);
        Bytes.putLong(header, 8, incarnation);
        Bytes.putLong(header, 16, segment);
        Bytes.putInt(header, HEADER - 4, checksum(header, 0, HEADER - 4));
        return header;
    }

    static boolean headerSound(byte[] header) {
        return Bytes.getInt(header, 0) == MAGIC
                && Bytes.getInt(header, 4) == VERSION
                && Bytes.getInt(header, HEADER - 4) == checksum(header, 0, HEADER - 4);
    }

    /** Fills in a block's header, in front of {@code stored} bytes that stand behind it already. */
    static void blockHeader(byte[] block, int position, int plain, int stored, boolean compressed, CRC32C crc) {
        Bytes.putInt(block, 0, position);
        Bytes.putInt(block, 4, plain);
        Bytes.putInt(block, 8, stored << 1 | (compressed ? 1 : 0));
        Bytes.putInt(block, 12, blockChecksum(block, 0, stored, crc));
    }

    static int position(byte[] bytes, int at) {
        return Bytes.getInt(bytes, at);
    }

    static int plainBytes(byte[] bytes, int at) {
        return Bytes.getInt(bytes, at + 4);
    }

    static int storedBytes(byte[] bytes, int at) {
        return Bytes.getInt(bytes, at + 8) >>> 1;
    }

    static boolean compressed(byte[] bytes, int at) {
        return (Bytes.getInt(bytes, at + 8) & 1) != 0;
    }

    /** Whether a whole, undamaged block begins at {@code at}, of {@code end} bytes there are. */
    static boolean blockSound(byte[] bytes, int at, int end, CRC32C crc) {
        if (end - at < BLOCK_HEADER) {
            return false;
        }
        int plain = plainBytes(bytes, at);
        int stored = storedBytes(bytes, at);
        return position(bytes, at) >= 0
                && plain > 0
                && plain <= MOST_BLOCK
                && stored <= plain
                && stored <= end - at - BLOCK_HEADER
                && Bytes.getInt(bytes, at + 12) == blockChecksum(bytes, at, stored, crc);
    }

    private static int blockChecksum(byte[] bytes, int at, int stored, CRC32C crc) {
        crc.reset();
        crc.update(bytes, at, 12);
        crc.update(bytes, at + BLOCK_HEADER, stored);
        return (int) crc.getValue();
    }

    /** The table and the end. */
    static byte[] table(LongList blocks, int plainBytes) {
        byte[] table = new byte[blocks.size() * TABLE_ENTRY + END];
        for (int i = 0; i < blocks.size(); i++) {
            Bytes.putLong(table, i * TABLE_ENTRY, blocks.get(i));
        }
        int end = table.length - END;
        Bytes.putInt(table, end, END_MAGIC);
        Bytes.putInt(table, end + 4, blocks.size());
        Bytes.putInt(table, end + 8, plainBytes);
        Bytes.putInt(table, end + 12, checksum(table, 0, end + 12));
        return table;
    }

    /** What the last bytes of a file say of the size of its table; -1 when they are not an end. */
    static int blocksAtEnd(byte[] end) {
        int blocks = Bytes.getInt(end, 4);
        return Bytes.getInt(end, 0) == END_MAGIC && blocks >= 0 && blocks < 1 << 26 ? blocks : -1;
    }

    static boolean tableSound(byte[] table) {
        return Bytes.getInt(table, table.length - 4) == checksum(table, 0, table.length - 4);
    }

    static int plainBytesAtEnd(byte[] table) {
        return Bytes.getInt(table, table.length - END + 8);
    }

    /** An entry of the table, as {@link LongList} holds it. */
    static long entry(int position, int offset) {
        return (long) offset << 32 | position;
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
