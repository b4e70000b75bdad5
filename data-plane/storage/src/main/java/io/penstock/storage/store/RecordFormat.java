package io.penstock.storage.store;

import io.penstock.storage.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A message in a segment file. Little endian:
 *
 * <pre>
 *  0 int   length of the whole record
 *  4 int   CRC32C of the length and everything behind this field
 *  8 long  sequence
 * 16 long  timestamp, nanoseconds since the epoch
 * 24 short length of the subject
 * 26 byte  flags: 1 erased
 * 27 byte  zero
 * 28 int   length of the headers
 * 32       subject, headers, payload
 * </pre>
 *
 * <p>and the 32 bytes every segment file begins with:
 *
 * <pre>
 *  0 int   "PSEG"
 *  4 int   version, 1
 *  8 long  incarnation of the stream
 * 16 long  number of the segment
 * 24 int   zero
 * 28 int   CRC32C of the above
 * </pre>
 */
final class RecordFormat {
    static final int HEADER = 32;
    static final int FILE_HEADER = 32;
    static final int MAX_SUBJECT = 0xffff;
    private static final int MAGIC = 0x47455350;
    private static final int VERSION = 1;
    private static final int ERASED = 1;

    private RecordFormat() {}

    static int length(int subjectLength, int headersLength, int payloadLength) {
        return Math.addExact(HEADER + subjectLength, Math.addExact(headersLength, payloadLength));
    }

    static void write(
            byte[] target,
            int at,
            long sequence,
            long timestampNanos,
            String subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength,
            CRC32C crc) {
        int length = length(subject.length(), headersLength, payloadLength);
        Bytes.putInt(target, at, length);
        Bytes.putLong(target, at + 8, sequence);
        Bytes.putLong(target, at + 16, timestampNanos);
        Bytes.putShort(target, at + 24, subject.length());
        Bytes.putShort(target, at + 26, 0);
        Bytes.putInt(target, at + 28, headersLength);
        int body = at + HEADER;
        byte[] subjectBytes = subject.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(subjectBytes, 0, target, body, subjectBytes.length);
        body += subjectBytes.length;
        System.arraycopy(source, headersOffset, target, body, headersLength);
        System.arraycopy(source, payloadOffset, target, body + headersLength, payloadLength);
        Bytes.putInt(target, at + 4, checksum(target, at, length, crc));
    }

    /** Overwrites subject, headers and payload with zeros; sequence and time stay for the searches. */
    static void erase(byte[] target, int at, CRC32C crc) {
        int length = length(target, at);
        target[at + 26] = ERASED;
        Arrays.fill(target, at + HEADER, at + length, (byte) 0);
        Bytes.putInt(target, at + 4, checksum(target, at, length, crc));
    }

    private static int checksum(byte[] bytes, int at, int length, CRC32C crc) {
        crc.reset();
        crc.update(bytes, at, 4);
        crc.update(bytes, at + 8, length - 8);
        return (int) crc.getValue();
    }

    /** Whether a whole, undamaged record of this length lies at {@code at}. */
    static boolean sound(byte[] bytes, int at, int length, CRC32C crc) {
        return length >= HEADER
                && length(bytes, at) == length
                && Bytes.getInt(bytes, at + 4) == checksum(bytes, at, length, crc)
                && subjectLength(bytes, at) + headersLength(bytes, at) <= length - HEADER;
    }

    static int length(byte[] bytes, int at) {
        return Bytes.getInt(bytes, at);
    }

    static long sequence(byte[] bytes, int at) {
        return Bytes.getLong(bytes, at + 8);
    }

    static long timestamp(byte[] bytes, int at) {
        return Bytes.getLong(bytes, at + 16);
    }

    static int subjectLength(byte[] bytes, int at) {
        return Bytes.getUnsignedShort(bytes, at + 24);
    }

    static boolean erased(byte[] bytes, int at) {
        return bytes[at + 26] == ERASED;
    }

    static int headersLength(byte[] bytes, int at) {
        return Bytes.getInt(bytes, at + 28);
    }

    static String subject(byte[] bytes, int at) {
        return new String(bytes, at + HEADER, subjectLength(bytes, at), StandardCharsets.ISO_8859_1);
    }

    static StoredMessage message(byte[] bytes, int at, String subject) {
        int headers = at + HEADER + subjectLength(bytes, at);
        int payload = headers + headersLength(bytes, at);
        return new StoredMessage(
                sequence(bytes, at),
                timestamp(bytes, at),
                subject,
                Arrays.copyOfRange(bytes, headers, payload),
                Arrays.copyOfRange(bytes, payload, at + length(bytes, at)));
    }

    static byte[] fileHeader(long incarnation, long segment) {
        byte[] header = new byte[FILE_HEADER];
        Bytes.putInt(header, 0, MAGIC);
        Bytes.putInt(header, 4, VERSION);
        Bytes.putLong(header, 8, incarnation);
        Bytes.putLong(header, 16, segment);
        CRC32C crc = new CRC32C();
        crc.update(header, 0, 28);
        Bytes.putInt(header, 28, (int) crc.getValue());
        return header;
    }
}
