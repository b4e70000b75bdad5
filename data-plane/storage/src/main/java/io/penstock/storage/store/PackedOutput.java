package io.penstock.storage.store;

import io.penstock.storage.compress.S2Block;
import io.penstock.storage.compress.S2Encoder;
import io.penstock.storage.compress.S2Exception;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes a compressed segment. Each block is decoded again before it is written: what would not come back as it was is
 * kept as it is, for the plain file goes afterwards.
 */
final class PackedOutput implements SegmentOutput {
    private static final int PIECE = 256 << 10;

    private final DiskFile file;
    private final S2Encoder encoder = new S2Encoder();
    private final CRC32C crc = new CRC32C();
    private final LongList blocks = new LongList();
    private final byte[] plain;
    private final byte[] again;
    private final byte[] block;

    /** Bytes on their way to the file. */
    private final byte[] piece = new byte[PIECE];

    private int pieceUsed;
    private int plainUsed;

    /** Plain bytes in blocks so far. */
    private int position;

    /** Bytes in the file so far. */
    private int written;

    /** @param blockBytes plain bytes of a block */
    PackedOutput(DiskFile file, long incarnation, long segment, int blockBytes) throws IOException {
        this.file = file;
        this.plain = new byte[blockBytes];
        this.again = new byte[blockBytes];
        this.block = new byte[PackedFormat.BLOCK_HEADER + blockBytes];
        file.truncate(0);
        put(PackedFormat.header(incarnation, segment), PackedFormat.HEADER);
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
        int at = 0;
        while (at < length) {
            int count = Math.min(length - at, plain.length - plainUsed);
            System.arraycopy(bytes, at, plain, plainUsed, count);
            plainUsed += count;
            at += count;
            if (plainUsed == plain.length) {
                endBlock();
            }
        }
    }

    private void endBlock() throws IOException {
        int packed = encoder.encode(plain, 0, plainUsed);
        boolean compressed = packed < plainUsed && comesBack(packed);
        int stored = compressed ? packed : plainUsed;
        System.arraycopy(compressed ? encoder.bytes() : plain, 0, block, PackedFormat.BLOCK_HEADER, stored);
        PackedFormat.blockHeader(block, position, plainUsed, stored, compressed, crc);
        blocks.add(PackedFormat.entry(position, written + pieceUsed));
        put(block, PackedFormat.BLOCK_HEADER + stored);
        position += plainUsed;
        plainUsed = 0;
    }

    private boolean comesBack(int packed) {
        try {
            return S2Block.decode(encoder.bytes(), 0, packed, again) == plainUsed
                    && Arrays.equals(plain, 0, plainUsed, again, 0, plainUsed);
        } catch (S2Exception e) {
            return false;
        }
    }

    private void put(byte[] bytes, int length) throws IOException {
        if (piece.length - pieceUsed < length) {
            flush();
        }
        if (length > piece.length) {
            file.writeFully(ByteBuffer.wrap(bytes, 0, length), written);
            written += length;
            return;
        }
        System.arraycopy(bytes, 0, piece, pieceUsed, length);
        pieceUsed += length;
    }

    private void flush() throws IOException {
        file.writeFully(ByteBuffer.wrap(piece, 0, pieceUsed), written);
        written += pieceUsed;
        pieceUsed = 0;
    }

    @Override
    public int finish() throws IOException {
        if (plainUsed > 0) {
            endBlock();
        }
        byte[] table = PackedFormat.table(blocks, position);
        put(table, table.length);
        flush();
        file.force();
        return written;
    }
}
