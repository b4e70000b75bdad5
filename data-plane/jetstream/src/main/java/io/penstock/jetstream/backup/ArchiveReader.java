package io.penstock.jetstream.backup;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads the entries of an archive: {@code NATSARC1}, then for each entry
 *
 * <pre>
 *   length of name | time | sequence | length of headers | length of payload | name | headers | payload
 * </pre>
 *
 * Numbers are varints. A name is never taken for the name of a file. No length is believed beyond what a message may have.
 */
final class ArchiveReader {
    static final String MAGIC = "NATSARC1";
    private static final int MOST_NAME = 0xffff;

    /** More than the longest message and its headers. */
    private static final int MOST_BODY = 65 << 20;

    private final InputStream in;
    private boolean started;

    ArchiveReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** The next entry; the end is an entry too, so that a cut archive is told from a whole one. */
    ArchiveEntry next() throws IOException {
        if (!started) {
            started = true;
            byte[] magic = in.readNBytes(MAGIC.length());
            if (!new String(magic, StandardCharsets.ISO_8859_1).equals(MAGIC)) {
                throw new ArchiveException("not an archive of format 2 (" + MAGIC
                        + "); those of servers before 2.15 cannot be restored here");
            }
        }
        int name = length("name", MOST_NAME);
        long time = number();
        time = time >>> 1 ^ -(time & 1);
        long sequence = number();
        int headers = length("headers", MOST_BODY);
        int payload = length("payload", MOST_BODY - headers);
        if (sequence < 0) {
            throw new ArchiveException("an entry has sequence " + Long.toUnsignedString(sequence));
        }
        String text = new String(exactly(name), StandardCharsets.ISO_8859_1);
        return new ArchiveEntry(text, time, sequence, headers, exactly(headers + payload));
    }

    /** Reads what is left, so that all of it is verified. */
    void drain() throws IOException {
        in.transferTo(java.io.OutputStream.nullOutputStream());
    }

    private int length(String of, int most) throws IOException {
        long length = number();
        if (length < 0 || length > most) {
            throw new ArchiveException("an entry says its " + of + " has " + Long.toUnsignedString(length)
                    + " bytes; the most is " + most);
        }
        return (int) length;
    }

    private long number() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = in.read();
            if (next < 0) {
                throw new ArchiveException("the archive is cut");
            }
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new ArchiveException("an entry begins with a number that is too long");
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new ArchiveException("the archive is cut");
        }
        return bytes;
    }
}
