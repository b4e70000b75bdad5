package io.penstock.storage.disk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A file from its beginning on, as a stream that closes it in the end. Buffer them. */
public final class DiskStreams {
    private DiskStreams() {}

    public static InputStream input(DiskFile file) {
        return new Input(file);
    }

    public static OutputStream output(DiskFile file) {
        return new Output(file);
    }

    private static final class Input extends InputStream {
        private final DiskFile file;
        private long position;

        Input(DiskFile file) {
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            int read = file.read(ByteBuffer.wrap(target, offset, length), position);
            position += Math.max(read, 0);
            return read;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static final class Output extends OutputStream {
        private final DiskFile file;
        private long position;

        Output(DiskFile file) {
            this.file = file;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            file.writeFully(ByteBuffer.wrap(source, offset, length), position);
            position += length;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
