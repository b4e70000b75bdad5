package io.penstock.jetstream.state;

/**
 * The records of a log entry. An entry is a run of records:
 *
 * <pre>
 *   length | type | stream id | body
 * </pre>
 *
 * Numbers are varints, the type is one byte; length counts what follows it. A record's time is the entry's time plus its
 * position in the entry, in nanoseconds.
 */
public enum RecordType {
    /** Makes a stream; the id is that of the entry and position. Body: account, configuration. */
    STREAM_CREATE(1),
    /** Replaces a stream's configuration. Body: configuration. */
    STREAM_UPDATE(2),
    /** Removes a stream and everything in it. */
    STREAM_DELETE(3),
    /** Stores a message. Body: subject, length of headers, headers, payload. */
    PUBLISH(4),
    /** Removes messages. Body: count, patterns; sequence below which; how many to keep. */
    PURGE(5),
    /** Removes one message. Body: sequence, whether to erase. */
    MESSAGE_DELETE(6),
    /** Makes or updates a consumer. Body: name, action, limit, configuration. */
    CONSUMER_PUT(7),
    /** Removes a consumer. Body: name. */
    CONSUMER_DELETE(8),
    /** What a consumer delivered and what came back. Body: see {@link ConsumerOps}. */
    CONSUMER_OPS(9),
    /** Sets a consumer back. Body: consumer id, sequence or 0. */
    CONSUMER_RESET(10),
    /** Pauses or resumes a consumer. Body: name, time to resume or 0. */
    CONSUMER_PAUSE(11),
    /** Time has passed: removes what has come to its end. */
    TICK(12),
    /** Messages of a stream that comes from another group. Body: (sequence, time, subject, headers, payload)*. */
    IMPORT(13),
    /** The rest of a stream that comes from another group, which is whole then. Body: see {@link StreamCopy}. */
    IMPORT_END(14),
    /** A stream goes to another group: it takes no more changes here. Body: version of the metadata that says so. */
    FENCE(15),
    /** A stream stays after all. Body: version of the metadata that says so. */
    UNFENCE(16),
    /** Replicas compare: each notes what its streams come to. Body: first stream id, how many streams. */
    CHECK(17),
    /** The cluster's metadata takes in a stream from before the node joined. Body: generation, version. */
    ADOPT(18),
    /** Stores all messages of an atomic batch or none. Body: see {@link BatchRecord}. */
    PUBLISH_BATCH(19);

    private static final RecordType[] BY_CODE = new RecordType[32];

    static {
        for (RecordType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    RecordType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The type with this code. */
    public static RecordType of(int code) {
        RecordType type = code < BY_CODE.length ? BY_CODE[code] : null;
        if (type == null) {
            throw new IllegalStateException("log record of unknown type " + code + ": written by a newer version");
        }
        return type;
    }
}
