package io.penstock.jetstream.state;

import java.util.ArrayList;
import java.util.List;

/**
 * An atomic batch as the log holds it: the body of a {@link RecordType#PUBLISH_BATCH}.
 *
 * <pre>
 *   batch id | how many | (subject | length of headers | headers | length of payload | payload)*
 * </pre>
 *
 * @param array what offsets of the messages point into
 */
public record BatchRecord(String id, byte[] array, List<Message> messages) {
    /** One message of the batch. */
    public record Message(String subject, int headersOffset, int headersLength, int payloadOffset, int payloadLength) {}

    /** Begins a whole record, type and stream included; the messages follow by {@link #add}. */
    public static ByteWriter begin(long stream, String id, int count, int capacity) {
        return new ByteWriter(capacity + 64 + id.length() * 3)
                .u8(RecordType.PUBLISH_BATCH.code())
                .varint(stream)
                .text(id)
                .varint(count);
    }

    /** Appends a message. */
    public static void add(ByteWriter out, String subject, byte[] headers, byte[] payload, int offset, int length) {
        add(out, subject, headers, 0, headers.length, payload, offset, length);
    }

    /** Appends a message. */
    public static void add(
            ByteWriter out,
            String subject,
            byte[] headers,
            int headersOffset,
            int headersLength,
            byte[] payload,
            int payloadOffset,
            int payloadLength) {
        out.latin(subject).varint(headersLength).raw(headers, headersOffset, headersLength);
        out.varint(payloadLength).raw(payload, payloadOffset, payloadLength);
    }

    /** Reads a whole record. */
    public static BatchRecord of(byte[] record, int length) {
        ByteReader in = new ByteReader(record, 0, length);
        in.u8();
        in.varint();
        return read(in);
    }

    /** Reads the body; the messages point into the reader's array. */
    static BatchRecord read(ByteReader in) {
        String id = in.text();
        int count = (int) in.varint();
        List<Message> messages = new ArrayList<>(Math.min(count, 1 << 16));
        for (int i = 0; i < count; i++) {
            String subject = in.latin();
            int headersLength = in.length();
            int headersOffset = in.position();
            in.skip(headersLength);
            int payloadLength = in.length();
            int payloadOffset = in.position();
            in.skip(payloadLength);
            messages.add(new Message(subject, headersOffset, headersLength, payloadOffset, payloadLength));
        }
        return new BatchRecord(id, in.array(), messages);
    }
}
