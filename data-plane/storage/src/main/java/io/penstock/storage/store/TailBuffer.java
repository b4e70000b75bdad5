package io.penstock.storage.store;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The newest bytes of a segment: what is not written yet, and what was lately, for the readers at the tail. Two pieces,
 * the older one full; each record lies within one piece. Grows with use, so that a quiet stream holds little. Owned by
 * the loop.
 */
final class TailBuffer {
    private static final int FIRST_BYTES = 4096;

    private final int mostBytes;
    private byte[] current = new byte[FIRST_BYTES];

    /** Position in the segment of the current piece, and bytes in it. */
    private int start;

    private int used;

    private byte[] older = {};
    private int olderStart;
    private int olderUsed;

    TailBuffer(int mostBytes, int start) {
        this.mostBytes = mostBytes;
        this.start = start;
    }

    boolean fits(int size) {
        return current.length - used >= size;
    }

    byte[] bytes() {
        return current;
    }

    /**
     * Makes room for a record at the end; answers its offset in {@link #bytes()}.
     *
     * @param flushed bytes of the segment that are in the file: what is not must stay in the current piece
     */
    int reserve(int size, int flushed) {
        if (!fits(size)) {
            int unflushed = start + used - flushed;
            int needed = Math.addExact(size, unflushed);
            // Above the bound only while the disk takes nothing, or for one large record.
            int wanted = Math.max(
                    Math.min(mostBytes, current.length * 2), unflushed > mostBytes ? needed + needed / 2 : needed);
            byte[] next = new byte[wanted];
            int keepFrom = used - unflushed;
            System.arraycopy(current, keepFrom, next, 0, unflushed);
            older = current;
            olderStart = start;
            olderUsed = keepFrom;
            current = next;
            start += keepFrom;
            used = unflushed;
        }
        int at = used;
        used += size;
        return at;
    }

    /** The bytes from a position in the segment to the end. */
    ByteBuffer from(int position) {
        return ByteBuffer.wrap(current, position - start, used - (position - start));
    }

    /** Whether the record that begins at this position is here. */
    boolean holds(int position) {
        return position >= start || (position >= olderStart && position < olderStart + olderUsed);
    }

    byte[] bytesAt(int position) {
        return position >= start ? current : older;
    }

    int offset(int position) {
        return position >= start ? position - start : position - olderStart;
    }

    void replace(int position, byte[] record) {
        if (holds(position)) {
            System.arraycopy(record, 0, bytesAt(position), offset(position), record.length);
        }
    }

    /** Gives memory back once all is written; later records begin at {@code position}. */
    void shrink(int position) {
        if (current.length > FIRST_BYTES) {
            current = new byte[FIRST_BYTES];
        }
        older = new byte[0];
        olderUsed = 0;
        start = position;
        used = 0;
        Arrays.fill(current, (byte) 0);
    }
}
