package io.penstock.storage.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Reads what {@link Encoder} wrote. */
final class Decoder {
    private final byte[] bytes;
    private int at;

    Decoder(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Whether the array ends with the checksum of the rest. */
    static boolean sound(byte[] bytes) {
        if (bytes.length < 4) {
            return false;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        return (int) crc.getValue() == Bytes.getInt(bytes, bytes.length - 4);
    }

    int getInt() {
        at += 4;
        return Bytes.getInt(bytes, at - 4);
    }

    long getLong() {
        at += 8;
        return Bytes.getLong(bytes, at - 8);
    }

    byte[] getBytes() {
        int length = getInt();
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    String getString() {
        return new String(getBytes(), StandardCharsets.ISO_8859_1);
    }

    String getText() {
        return new String(getBytes(), StandardCharsets.UTF_8);
    }
}
