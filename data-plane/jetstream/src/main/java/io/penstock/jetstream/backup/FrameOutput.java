package io.penstock.jetstream.backup;

import io.penstock.storage.compress.S2Encoder;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/** Writes a stream in Snappy's framing format, which S2 readers read too. */
final class FrameOutput extends BlockOutput {
    private static final int BLOCK = 1 << 16;
    private static final byte[] START = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};

    private final OutputStream out;
    private final S2Encoder encoder = new S2Encoder();
    private final CRC32C crc = new CRC32C();
    private boolean started;

    FrameOutput(OutputStream out) {
        super(BLOCK);
        this.out = out;
    }

    static int mask(int crc) {
        return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    }

    private void start() throws IOException {
        if (!started) {
            started = true;
            out.write(START);
        }
    }

    @Override
    byte[] take(byte[] block, int length) throws IOException {
        start();
        crc.reset();
        crc.update(block, 0, length);
        int checksum = mask((int) crc.getValue());
        int packed = encoder.encode(block, 0, length);
        boolean smaller = packed < length;
        int size = 4 + (smaller ? packed : length);
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
            out.write(encoder.bytes(), 0, packed);
        } else {
            out.write(block, 0, length);
        }
        return block;
    }

    @Override
    public void close() throws IOException {
        super.close();
        start();
        out.close();
    }
}
