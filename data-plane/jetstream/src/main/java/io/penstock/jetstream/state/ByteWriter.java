package io.penstock.jetstream.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Appends numbers and strings to an array that grows. */
public final class ByteWriter {
    private byte[] bytes;
    private int length;

    public ByteWriter(int capacity) {
        bytes = new byte[capacity];
    }

    public ByteWriter u8(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
        return this;
    }

    public ByteWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Seven bits a byte, low ones first; negative numbers take ten bytes. */
    public ByteWriter varint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    /** A length and the characters, which are bytes of the wire. */
    public ByteWriter latin(String text) {
        int count = text.length();
        varint(count);
        ensure(count);
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
        return this;
    }

    /** A length and the text in UTF-8. */
    public ByteWriter text(String text) {
        return block(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A length and the bytes. */
    public ByteWriter block(byte[] source) {
        varint(source.length);
        return raw(source, 0, source.length);
    }

    public ByteWriter raw(byte[] source, int offset, int count) {
        ensure(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
        return this;
    }

    /** Makes room for {@code count} bytes at the end and answers where they begin; the caller fills them. */
    public int reserve(int count) {
        ensure(count);
        int at = length;
        length += count;
        return at;
    }

    /** The array written to; valid until the next append. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void ensure(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }
}
