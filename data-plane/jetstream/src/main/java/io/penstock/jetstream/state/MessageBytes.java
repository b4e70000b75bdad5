package io.penstock.jetstream.state;

import java.util.zip.CRC32C;

/** Where headers and payload of a message lie in an array. Filled again for each message, so that none costs an object. */
final class MessageBytes {
    private static final byte[] NONE = {};

    byte[] array = NONE;
    int headersOffset;
    int headersLength;
    int payloadOffset;
    int payloadLength;

    MessageBytes of(byte[] bytes, int headersAt, int headersBytes, int payloadAt, int payloadBytes) {
        array = bytes;
        headersOffset = headersAt;
        headersLength = headersBytes;
        payloadOffset = payloadAt;
        payloadLength = payloadBytes;
        return this;
    }

    /** Keeps no message alive that is done with. */
    void release() {
        of(NONE, 0, 0, 0, 0);
    }

    long checksum() {
        CRC32C crc = new CRC32C();
        crc.update(array, headersOffset, headersLength);
        crc.update(array, payloadOffset, payloadLength);
        return crc.getValue();
    }
}
