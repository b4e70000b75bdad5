package io.penstock.consensus.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What goes over a link. Big endian:
 *
 * <pre>
 *  0 int   length of everything behind the checksum
 *  4 int   CRC32C of everything behind it
 *  8 byte  kind
 *  9 long  number of the request
 * 17 byte  length of the channel's name
 * 18       channel, payload
 * </pre>
 */
record LinkFrame(Kind kind, long id, String channel, byte[] payload) {
    static final int PREFIX = 8;
    static final int HEADER = 10;
    static final int MAX_LENGTH = 160 << 20;
    static final byte[] NOTHING = {};

    /** What a frame is. */
    enum Kind {
        /** First frame of both sides: who it is. */
        HELLO(1),
        /** Proof of the caller that it knows the secret. */
        PROOF(2),
        /** The called side takes the caller in. */
        WELCOME(3),
        /** The called side does not; payload: why. */
        GOODBYE(4),
        /** Wants an answer. */
        REQUEST(5),
        /** Wants none. */
        NOTICE(6),
        /** The answer to a request. */
        REPLY(7),
        /** There is no answer; payload: why. */
        FAILURE(8),
        /** Sign of life. */
        PING(9);

        private static final Kind[] KINDS = values();

        /** What goes over the wire; never changes. */
        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static Kind of(int code) {
            return code >= 1 && code <= KINDS.length ? KINDS[code - 1] : null;
        }
    }

    int size() {
        return PREFIX + HEADER + channel.length() + payload.length;
    }

    /** The frame as bytes; the payload is not copied when it is long. */
    ByteBuf encode(ByteBufAllocator allocator) {
        boolean apart = payload.length > 4096;
        ByteBuf buffer = allocator.buffer(apart ? size() - payload.length : size());
        writeHead(buffer);
        return apart ? Unpooled.wrappedBuffer(buffer, Unpooled.wrappedBuffer(payload)) : buffer.writeBytes(payload);
    }

    /** Adds the frame to a buffer. */
    void encode(ByteBuf buffer) {
        writeHead(buffer);
        buffer.writeBytes(payload);
    }

    private void writeHead(ByteBuf buffer) {
        int start = buffer.writerIndex();
        buffer.writeInt(HEADER + channel.length() + payload.length).writeInt(0);
        buffer.writeByte(kind.code).writeLong(id).writeByte(channel.length());
        buffer.writeBytes(channel.getBytes(StandardCharsets.ISO_8859_1));
        CRC32C crc = new CRC32C();
        crc.update(buffer.nioBuffer(start + PREFIX, HEADER + channel.length()));
        crc.update(payload, 0, payload.length);
        buffer.setInt(start + 4, (int) crc.getValue());
    }

    /** Reads a frame that lies in the buffer as a whole; null when it is damaged. */
    static LinkFrame decode(ByteBuf buffer) {
        int length = buffer.readInt();
        int checksum = buffer.readInt();
        CRC32C crc = new CRC32C();
        crc.update(buffer.nioBuffer(buffer.readerIndex(), length));
        if (length < HEADER || (int) crc.getValue() != checksum) {
            return null;
        }
        Kind kind = Kind.of(buffer.readByte());
        long id = buffer.readLong();
        int nameLength = buffer.readUnsignedByte();
        if (kind == null || nameLength > length - HEADER) {
            return null;
        }
        String channel =
                buffer.readCharSequence(nameLength, StandardCharsets.ISO_8859_1).toString();
        byte[] payload = new byte[length - HEADER - nameLength];
        buffer.readBytes(payload);
        return new LinkFrame(kind, id, channel, payload);
    }
}
