package io.penstock.jetstream.backup;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.Snappy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/** Writes a stream in Snappy's framing format, which S2 readers read too. */
final class FrameOutput extends OutputStream {
    private static final int BLOCK = 1 << 16;
    private static final byte[] START = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};

    private final OutputStream out;
    private final Snappy snappy = new Snappy();
    private final CRC32C crc = new CRC32C();
    private final byte[] block = new byte[BLOCK];
    private final ByteBuf compressed = Unpooled.buffer(BLOCK + (BLOCK >>> 2));
    private int length;
    private boolean started;

    FrameOutput(OutputStream out) {
        this.out = out;
    }

    static int mask(int crc) {
        return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int count) throws IOException {
        int from = offset;
        int left = count;
        while (left > 0) {
            int piece = Math.min(left, BLOCK - length);
            System.arraycopy(source, from, block, length, piece);
            length += piece;
            from += piece;
            left -= piece;
            if (length == BLOCK) {
                frame();
            }
        }
    }

    private void frame() throws IOException {
        if (!started) {
            started = true;
            out.write(START);
        }
        if (length == 0) {
            return;
        }
        crc.reset();
        crc.update(block, 0, length);
        int checksum = mask((int) crc.getValue());
        compressed.clear();
        snappy.reset();
        snappy.encode(Unpooled.wrappedBuffer(block, 0, length), compressed, length);
        boolean smaller = compressed.readableBytes() < length;
        int size = 4 + (smaller ? compressed.readableBytes() : length);
        out.write(new byte[] {
            (byte) (smaller ? 0 : 1),
            (byte) size,
            (byte) (size >>> 8),
            (byte) (size >>> 16),
            (byte) checksum,
            (byte) (checksum >>> 8),
            (byte) (checksum >>> 16),
            (byte) (checksum >>> 24)
        });
        if (smaller) {
            compressed.readBytes(out, compressed.readableBytes());
        } else {
            out.write(block, 0, length);
        }
        length = 0;
    }

    @Override
    public void close() throws IOException {
        frame();
        out.close();
    }
}
