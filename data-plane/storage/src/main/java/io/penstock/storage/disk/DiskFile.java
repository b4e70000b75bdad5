package io.penstock.storage.disk;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. Reads may come from any thread; writes from one at a time. */
public interface DiskFile extends Closeable {
    /** Writes some of the buffer at {@code position}, at least one byte; answers how many. */
    int write(ByteBuffer source, long position) throws IOException;

    /** Reads some bytes at {@code position}; -1 at the end. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Makes what was written durable, with the length of the file. */
    void force() throws IOException;

    void truncate(long size) throws IOException;

    long size() throws IOException;

    /** Writes the whole buffer. */
    default void writeFully(ByteBuffer source, long position) throws IOException {
        long at = position;
        while (source.hasRemaining()) {
            at += write(source, at);
        }
    }

    /** Fills the buffer. */
    default void readFully(ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int read = read(target, at);
            if (read < 0) {
                throw new EOFException("end of file at " + at + ", " + target.remaining() + " bytes short");
            }
            at += read;
        }
    }

    /** Reads up to the buffer's remaining bytes, fewer only at the end of the file; answers how many. */
    default int readUpTo(ByteBuffer target, long position) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            int read = read(target, position + total);
            if (read < 0) {
                break;
            }
            total += read;
        }
        return total;
    }
}
