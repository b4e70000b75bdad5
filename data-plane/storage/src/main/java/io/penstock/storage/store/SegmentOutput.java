package io.penstock.storage.store;

import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the plain bytes of a new segment go, one after the other; a file of its own, plain or compressed. */
interface SegmentOutput {
    void write(byte[] bytes, int length) throws IOException;

    /** Writes what is left and makes the file durable; answers the bytes it has. */
    int finish() throws IOException;

    /** A file as it is. */
    static SegmentOutput plain(DiskFile file) throws IOException {
        file.truncate(0);
        return new SegmentOutput() {
            private int length;

            @Override
            public void write(byte[] bytes, int count) throws IOException {
                file.writeFully(ByteBuffer.wrap(bytes, 0, count), length);
                length += count;
            }

            @Override
            public int finish() throws IOException {
                file.force();
                return length;
            }
        };
    }
}
