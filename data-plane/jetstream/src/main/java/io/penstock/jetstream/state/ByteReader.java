package io.penstock.jetstream.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link ByteWriter} wrote. Reading past the end is an {@link IndexOutOfBoundsException}. */
public final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int position;

    public ByteReader(byte[] bytes, int offset, int end) {
        this.bytes = bytes;
        this.position = offset;
        this.end = end;
    }

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public int u8() {
        check(1);
        return bytes[position++] & 0xff;
    }

    public boolean bool() {
        return u8() != 0;
    }

    public long varint() {
        long value = 0;
        int shift = 0;
        while (true) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if ((next & 0x80) == 0) {
                return value;
            }
            shift += 7;
            if (shift > 63) {
                throw new IllegalStateException("number too long at offset " + position);
            }
        }
    }

    public int length() {
        long value = varint();
        if (value < 0 || value > end - position) {
            throw new IndexOutOfBoundsException("length " + value + " at offset " + position + " exceeds the record");
        }
        return (int) value;
    }

    public String latin() {
        int count = length();
        String text = new String(bytes, position, count, StandardCharsets.ISO_8859_1);
        position += count;
        return text;
    }

    public String text() {
        int count = length();
        String text = new String(bytes, position, count, StandardCharsets.UTF_8);
        position += count;
        return text;
    }

    public byte[] block() {
        int count = length();
        byte[] block = Arrays.copyOfRange(bytes, position, position + count);
        position += count;
        return block;
    }

    public void skip(int count) {
        check(count);
        position += count;
    }

    public byte[] array() {
        return bytes;
    }

    public int position() {
        return position;
    }

    public int end() {
        return end;
    }

    public boolean hasMore() {
        return position < end;
    }

    private void check(int count) {
        if (end - position < count) {
            throw new IndexOutOfBoundsException("record ends at offset " + end);
        }
    }
}
