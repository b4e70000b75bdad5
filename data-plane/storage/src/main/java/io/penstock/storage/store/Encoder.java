package io.penstock.storage.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes numbers and byte strings into a growing array. */
final class Encoder {
    private byte[] bytes = new byte[1024];
    private int length;

    private int room(int size) {
        if (bytes.length - length < size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, size), bytes.length * 2));
        }
        int at = length;
        length += size;
        return at;
    }

    Encoder putInt(int value) {
        int at = room(4);
        Bytes.putInt(bytes, at, value);
        return this;
    }

    Encoder putLong(long value) {
        int at = room(8);
        Bytes.putLong(bytes, at, value);
        return this;
    }

    Encoder putBytes(byte[] value) {
        putInt(value.length);
        int at = room(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
        return this;
    }

    /** A string of bytes as characters. */
    Encoder putString(String value) {
        return putBytes(value.getBytes(StandardCharsets.ISO_8859_1));
    }

    Encoder putText(String value) {
        return putBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    Encoder append(Encoder other) {
        int at = room(other.length);
        System.arraycopy(other.bytes, 0, bytes, at, other.length);
        return this;
    }

    /** Ends with a CRC32C of everything. */
    byte[] sealed() {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        putInt((int) crc.getValue());
        return toArray();
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }
}
