package io.penstock.jetstream.backup;

import io.penstock.storage.compress.S2Block;
import io.penstock.storage.compress.S2Exception;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;

/**
 * Reads a stream in Snappy's framing format with S2's blocks. Each block is verified by its checksum. Chunks that may be
 * skipped are refused unless known, so that a damaged type cannot make a block vanish.
 */
final class S2Input extends InputStream {
    private static final int COMPRESSED = 0x00;
    private static final int PLAIN = 0x01;
    private static final int INDEX = 0x99;
    private static final int PADDING = 0xfe;
    private static final int START = 0xff;
    private static final int MOST = 4 << 20;
    private static final int CHECKSUM = 4;

    private final InputStream in;
    private final CRC32C crc = new CRC32C();
    private byte[] block = {};
    private int at;
    private boolean started;

    S2Input(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        return fill() ? block[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, block.length - at);
        System.arraycopy(block, at, target, offset, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        while (at == block.length) {
            int type = in.read();
            if (type < 0) {
                if (!started) {
                    throw new ArchiveException("the archive is empty");
                }
                return false;
            }
            if (!started && type != START) {
                throw new ArchiveException("not an archive in S2 or Snappy frames");
            }
            chunk(type, exactly(chunkLength()));
        }
        return true;
    }

    private int chunkLength() throws IOException {
        byte[] length = exactly(3);
        return (length[0] & 0xff) | (length[1] & 0xff) << 8 | (length[2] & 0xff) << 16;
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new ArchiveException("the archive ends within a block");
        }
        return bytes;
    }

    private void chunk(int type, byte[] chunk) throws ArchiveException {
        switch (type) {
            case START -> start(chunk);
            case COMPRESSED -> take(chunk, unpack(chunk));
            case PLAIN -> {
                byte[] plain = new byte[Math.max(0, chunk.length - CHECKSUM)];
                System.arraycopy(chunk, Math.min(CHECKSUM, chunk.length), plain, 0, plain.length);
                take(chunk, plain);
            }
            case INDEX, PADDING -> {
                // Nothing of the content.
            }
            default -> throw new ArchiveException("a block of unknown type " + type + ": the archive is damaged");
        }
    }

    private static byte[] unpack(byte[] chunk) throws ArchiveException {
        try {
            return S2Block.decode(chunk, Math.min(CHECKSUM, chunk.length), chunk.length, MOST);
        } catch (S2Exception e) {
            throw new ArchiveException(e.getMessage());
        }
    }

    private void start(byte[] chunk) throws ArchiveException {
        String name = new String(chunk, java.nio.charset.StandardCharsets.ISO_8859_1);
        if (!name.equals("S2sTwO") && !name.equals("sNaPpY")) {
            throw new ArchiveException("not an archive in S2 or Snappy frames");
        }
        started = true;
    }

    private void take(byte[] chunk, byte[] content) throws ArchiveException {
        if (chunk.length < CHECKSUM || checksum(chunk) != masked(content)) {
            throw new ArchiveException("a block's checksum does not match: the archive is damaged");
        }
        block = content;
        at = 0;
    }

    private static int checksum(byte[] chunk) {
        return (chunk[0] & 0xff) | (chunk[1] & 0xff) << 8 | (chunk[2] & 0xff) << 16 | chunk[3] << 24;
    }

    private int masked(byte[] content) {
        crc.reset();
        crc.update(content, 0, content.length);
        return FrameOutput.mask((int) crc.getValue());
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
