package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.jetstream.state.BatchPart;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.PublishResult;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JsError;

/**
 * A message on its way into a stream: the record of the log, made once on the publisher's event loop, and whom to
 * answer.
 */
final class PublishCommand implements Incoming {
    /** Bytes a store counts for a message beside its subject, headers and payload, at most. */
    private static final int STORING_OVERHEAD = 34;

    private final StreamRuntime stream;
    private final String subject;
    private final String reply;
    private final byte[] record;
    private final int headersOffset;
    private final int payloadOffset;

    /** The batch it belongs to, or null. */
    private final BatchPart batch;

    /** Owned by the loop, as {@link #early}. */
    private boolean met;

    private boolean early;

    private PublishCommand(
            StreamRuntime stream, String subject, String reply, byte[] record, int headersOffset, int payloadOffset) {
        this.stream = stream;
        this.subject = subject;
        this.reply = reply;
        this.record = record;
        this.headersOffset = headersOffset;
        this.payloadOffset = payloadOffset;
        this.batch = payloadOffset == headersOffset
                ? null
                : BatchPart.of(record, headersOffset, payloadOffset - headersOffset);
    }

    /** Copies the message; on the publisher's event loop. */
    static PublishCommand of(StreamRuntime stream, InboundMessage message) {
        String subject = message.subject();
        int headers = message.headersLength();
        int payload = message.payloadLength();
        ByteWriter out = new ByteWriter(1 + 10 + 5 + subject.length() + 5 + headers + payload);
        out.u8(RecordType.PUBLISH.code()).varint(stream.id()).latin(subject).varint(headers);
        int headersAt = out.reserve(headers);
        int payloadAt = out.reserve(payload);
        byte[] record = out.length() == out.array().length ? out.array() : out.toBytes();
        if (headers > 0) {
            message.copyHeaders(record, headersAt);
        }
        if (payload > 0) {
            message.copyPayload(record, payloadAt);
        }
        return new PublishCommand(stream, subject, message.reply(), record, headersAt, payloadAt);
    }

    @Override
    public void missed() {
        drop();
        if (batch == null) {
            stream.notTaken(reply);
        }
        // The other group hears of a batch by itself; a second message of one place would end it.
    }

    /** Whether its stream sees it for the first time; true once. */
    boolean met() {
        boolean first = !met;
        met = true;
        return first;
    }

    /** It came before the group the stream moves to can have heard any. */
    void cameEarly() {
        early = true;
    }

    boolean early() {
        return early;
    }

    @Override
    public void drop() {
        stream.ingest().done(cost());
    }

    /** The batch it belongs to, or null. */
    BatchPart batch() {
        return batch;
    }

    /** On the loop. */
    @Override
    public void run() {
        stream.publish(this);
    }

    @Override
    public void applied(Object result) {
        if (result == StreamSet.GONE && stream.account().host().clustered()) {
            // It moved on meanwhile, and the message follows it.
            stream.park(this);
            return;
        }
        drop();
        switch (result) {
            case PublishResult published -> stream.published(this, published);
            case StreamSet.Refused refused -> stream.refuse(reply, refused.error());
            case null, default -> stream.refuse(reply, JsError.STREAM_INVALID.of());
        }
    }

    /** What the message counts for while it waits, at least what it will count for once stored. */
    int cost() {
        return record.length + STORING_OVERHEAD;
    }

    String subject() {
        return subject;
    }

    @Override
    public StreamRuntime stream() {
        return stream;
    }

    @Override
    public String reply() {
        return reply;
    }

    /** The record: type, stream, subject, headers, payload. */
    @Override
    public byte[] record() {
        return record;
    }

    int headersOffset() {
        return headersOffset;
    }

    int headersLength() {
        return payloadOffset - headersOffset;
    }

    int payloadOffset() {
        return payloadOffset;
    }

    int payloadLength() {
        return record.length - payloadOffset;
    }
}
