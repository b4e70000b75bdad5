package io.penstock.storage.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The frame that everything in a journal segment is wrapped in. Little endian:
 *
 * <pre>
 *  0 int   length of the payload
 *  4 int   CRC32C of everything but itself
 *  8 long  number of the segment: a recycled file's old frames do not count
 * 16 int   synced: bytes of this segment known to be on disk when the frame was written
 * 20 int   group, -1 for the journal's own frames
 * 24 byte  kind
 * 25 byte  type, the engine's own
 * 26 6 x   zero
 * 32 long  term
 * 40 long  index
 * 48 long  timestamp, nanoseconds since the epoch
 * 56       payload
 * </pre>
 *
 * <p>{@code synced} tells a torn tail from damage: bytes that were on disk once and are wrong now are damage.
 */
final class Frame {
    static final int HEADER = 56;
    static final int MAX_PAYLOAD = 128 << 20;
    static final int NO_GROUP = -1;

    private Frame() {}

    /** What a frame says. */
    enum Kind {
        /** First frame of a segment; index: number of the segment before, term: where that one ends. */
        OPEN(1),
        /** A group's bounds and vote at the start of a segment; index: first index, term: term of the last entry. */
        STATE(2),
        /** An entry of a group; at or below the last index it cuts what is behind it. */
        ENTRY(3),
        /** Entries above index are gone. */
        SUFFIX(4),
        /** Entries below index are no longer needed. */
        PREFIX(5),
        /** The log is empty and goes on at index. */
        RESET(6),
        /** The group's term and vote. */
        VOTE(7),
        /** Nothing but how far the disk has got. */
        MARK(8);

        private static final Kind[] KINDS = values();

        /** What stands in files; never changes. */
        private final int code;

        Kind(int code) {
            this.code = code;
        }

        static Kind of(byte code) {
            return code >= 1 && code <= KINDS.length ? KINDS[code - 1] : null;
        }

        /** A vote counts before it is cast; segments go only behind a forced PREFIX; MARK is how a force is asked for. */
        boolean alwaysForced() {
            return switch (this) {
                case VOTE, PREFIX, MARK, RESET, SUFFIX -> true;
                case OPEN, STATE, ENTRY -> false;
            };
        }

        byte code() {
            return (byte) code;
        }
    }

    static ByteBuffer buffer(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Puts a header at the buffer's position, which moves behind it. */
    static void putHeader(ByteBuffer target, long segment, int synced, Append append, CRC32C crc) {
        int at = target.position();
        target.putInt(append.length).putInt(0).putLong(segment).putInt(synced).putInt(append.group);
        target.put(append.kind.code()).put(append.type).putShort((short) 0).putInt(0);
        target.putLong(append.term).putLong(append.index).putLong(append.timestampNanos);
        crc.reset();
        update(crc, target, at, 4);
        update(crc, target, at + 8, HEADER - 8);
        crc.update(append.payload, append.offset, append.length);
        target.putInt(at + 4, (int) crc.getValue());
    }

    /** Whether the bytes at {@code at} may be a frame of this segment; the checksum is still to be verified. */
    static boolean plausible(ByteBuffer buffer, int at, long segment) {
        int length = length(buffer, at);
        return buffer.getLong(at + 8) == segment && length >= 0 && length <= MAX_PAYLOAD && kind(buffer, at) != null;
    }

    /** Whether the checksum of the whole frame at {@code at}, which lies in the buffer, is right. */
    static boolean verify(ByteBuffer buffer, int at, CRC32C crc) {
        crc.reset();
        update(crc, buffer, at, 4);
        update(crc, buffer, at + 8, HEADER - 8 + length(buffer, at));
        return (int) crc.getValue() == buffer.getInt(at + 4);
    }

    static int length(ByteBuffer buffer, int at) {
        return buffer.getInt(at);
    }

    static int synced(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 16);
    }

    static int group(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 20);
    }

    static Kind kind(ByteBuffer buffer, int at) {
        return Kind.of(buffer.get(at + 24));
    }

    static byte type(ByteBuffer buffer, int at) {
        return buffer.get(at + 25);
    }

    static long term(ByteBuffer buffer, int at) {
        return buffer.getLong(at + 32);
    }

    static long index(ByteBuffer buffer, int at) {
        return buffer.getLong(at + 40);
    }

    static long timestamp(ByteBuffer buffer, int at) {
        return buffer.getLong(at + 48);
    }

    static byte[] payload(ByteBuffer buffer, int at) {
        byte[] payload = new byte[length(buffer, at)];
        buffer.get(at + HEADER, payload);
        return payload;
    }

    private static void update(CRC32C crc, ByteBuffer buffer, int at, int length) {
        int limit = buffer.limit();
        int position = buffer.position();
        buffer.limit(at + length).position(at);
        crc.update(buffer);
        buffer.limit(limit).position(position);
    }
}
