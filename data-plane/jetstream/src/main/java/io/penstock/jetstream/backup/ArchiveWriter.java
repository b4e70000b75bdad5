package io.penstock.jetstream.backup;

import io.penstock.storage.StoredMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the entries of an archive, see {@link ArchiveReader}. */
final class ArchiveWriter {
    private final OutputStream out;
    private final byte[] numbers = new byte[50];
    private int length;
    private boolean started;

    ArchiveWriter(OutputStream out) {
        this.out = out;
    }

    void write(ArchiveEntry entry) throws IOException {
        begin(
                entry.name(),
                entry.timestampNanos(),
                entry.sequence(),
                entry.headersLength(),
                entry.body().length - entry.headersLength());
        out.write(entry.body());
    }

    void write(StoredMessage message) throws IOException {
        begin(
                message.subject(),
                message.timestampNanos(),
                message.sequence(),
                message.headers().length,
                message.payload().length);
        out.write(message.headers());
        out.write(message.payload());
    }

    private void begin(String name, long timestamp, long sequence, int headers, int payload) throws IOException {
        if (!started) {
            started = true;
            out.write(ArchiveReader.MAGIC.getBytes(StandardCharsets.ISO_8859_1));
        }
        length = 0;
        number(name.length());
        // Signed numbers have their sign in the lowest bit.
        number(timestamp << 1 ^ timestamp >> 63);
        number(sequence);
        number(headers);
        number(payload);
        out.write(numbers, 0, length);
        out.write(name.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void number(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            numbers[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        numbers[length++] = (byte) rest;
    }
}
