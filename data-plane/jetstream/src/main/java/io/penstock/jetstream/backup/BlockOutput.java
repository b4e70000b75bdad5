package io.penstock.jetstream.backup;

import java.io.IOException;
import java.io.OutputStream;

/** Cuts what is written into blocks of one size. */
abstract class BlockOutput extends OutputStream {
    private final int size;
    private byte[] block;
    private int length;

    BlockOutput(int size) {
        this.size = size;
        this.block = new byte[size];
    }

    /**
     * Takes a block: a full one, or at the end what is left.
     *
     * @return the array to fill next, of the size of a block: this one, if nobody reads it any more
     */
    abstract byte[] take(byte[] bytes, int count) throws IOException;

    @Override
    public final void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public final void write(byte[] source, int offset, int count) throws IOException {
        int from = offset;
        int left = count;
        while (left > 0) {
            int piece = Math.min(left, size - length);
            System.arraycopy(source, from, block, length, piece);
            length += piece;
            from += piece;
            left -= piece;
            if (length == size) {
                takeAll();
            }
        }
    }

    /** Hands on what is left. */
    @Override
    public void close() throws IOException {
        if (length > 0) {
            takeAll();
        }
    }

    private void takeAll() throws IOException {
        int count = length;
        // First, so that a block that cannot be taken is not taken again when this is closed.
        length = 0;
        block = take(block, count);
    }
}
