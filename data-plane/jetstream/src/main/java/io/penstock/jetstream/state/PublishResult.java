package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.ApiError;

/** What became of a publish. One instance is filled again and again; read it before the next record is applied. */
public final class PublishResult {
    /** Sequence the message was given, or that of the first copy of a duplicate. */
    public long sequence;

    /** Whether its id was seen before. */
    public boolean duplicate;

    /** Why it was refused, or null. */
    public ApiError error;

    /** Whether a message is held now (interest retention drops what nobody waits for). */
    public boolean stored;

    /** The subject it was stored under, after the stream's transform. */
    public String subject;

    /** The sequence of the message before it on this subject, 0 when it is the first. */
    public long previousOnSubject;

    /** Time it was stored, nanoseconds since the epoch. */
    public long timestamp;

    void clear() {
        sequence = 0;
        duplicate = false;
        error = null;
        stored = false;
        subject = null;
        previousOnSubject = 0;
        timestamp = 0;
    }

    void refuse(ApiError reason) {
        error = reason;
    }
}
