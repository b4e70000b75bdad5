package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.DiscardPolicy;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;

/** Decides whether a stream takes a message, in the order in which clients know the errors. */
final class PublishChecks {
    static final int MAX_HEADERS = 65_535;

    private PublishChecks() {}

    /** What stands against the message before its id is looked up, or null. */
    static ApiError beforeDedupe(
            StreamMachine stream, PublishHeaders headers, String subject, int headerBytes, int bodyBytes) {
        StreamConfig config = stream.config();
        if (config.sealed()) {
            return JsError.STREAM_SEALED.of();
        }
        if (config.maxMsgSize() >= 0 && (long) headerBytes + bodyBytes > config.maxMsgSize()) {
            return JsError.STREAM_MESSAGE_EXCEEDS_MAXIMUM.of();
        }
        if (headerBytes > MAX_HEADERS) {
            return JsError.STREAM_HEADER_EXCEEDS_MAXIMUM.of();
        }
        if (headerBytes == 0) {
            return null;
        }
        if (headers.batch) {
            // Messages of batches come as one record.
            return JsError.ATOMIC_PUBLISH_DISABLED.of();
        }
        if (headers.unsupported != PublishHeaders.Unsupported.NONE) {
            return unsupported(headers.unsupported);
        }
        ApiError refused = streamAndLifetime(stream, headers);
        if (refused == null) {
            refused = sequences(stream, headers, subject);
        }
        if (refused != null) {
            return refused;
        }
        return headers.source == null ? null : JsError.MESSAGE_SOURCE_HDR_NOT_ALLOWED.of();
    }

    /** Whether the message is meant for another stream, or asks for a lifetime it cannot have; null when neither. */
    static ApiError streamAndLifetime(StreamMachine stream, PublishHeaders headers) {
        StreamConfig config = stream.config();
        if (headers.expectedStream != null
                && !headers.expectedStream.isEmpty()
                && !headers.expectedStream.equals(config.name())) {
            return JsError.STREAM_NOT_MATCH.of();
        }
        if (headers.ttlNanos != 0) {
            if (!config.allowMsgTtl()) {
                return JsError.MESSAGE_TTL_DISABLED.of();
            }
            if (headers.ttlNanos == PublishHeaders.TTL_INVALID) {
                return JsError.MESSAGE_TTL_INVALID.of();
            }
        }
        return null;
    }

    static ApiError unsupported(PublishHeaders.Unsupported feature) {
        return switch (feature) {
            case COUNTER -> JsError.MESSAGE_INCR_DISABLED.of();
            case SCHEDULE -> JsError.MESSAGE_SCHEDULES_DISABLED.of();
            case SCHEDULER -> JsError.MESSAGE_SCHEDULES_SCHEDULER_INVALID.of();
            case NONE -> null;
        };
    }

    private static ApiError sequences(StreamMachine stream, PublishHeaders headers, String subject) {
        if (headers.hasLastSubjectSequence) {
            String asked = headers.expectedSubject == null ? subject : headers.expectedSubject;
            long last = lastOn(stream.store(), asked);
            if (last != headers.expectedLastSubjectSequence) {
                return JsError.STREAM_WRONG_LAST_SEQUENCE.of(last);
            }
        } else if (headers.expectedSubject != null) {
            return JsError.STREAM_EXPECTED_LAST_SEQ_PER_SUBJECT_INVALID.of();
        }
        if (headers.hasLastSequence) {
            long last = stream.store().state().lastSequence();
            if (last != headers.expectedLastSequence) {
                return JsError.STREAM_WRONG_LAST_SEQUENCE.of(last);
            }
        }
        return null;
    }

    /** The last sequence on a subject or pattern; 0 when there is none. */
    static long lastOn(StreamStore store, String subject) {
        if (Subjects.hasWildcard(subject)) {
            return store.lastSequence(SubjectFilter.of(subject), Long.MAX_VALUE);
        }
        SubjectState state = store.subject(subject);
        return state == null ? 0 : state.lastSequence();
    }

    /** What stands against the message once it is known not to be a duplicate, or null. */
    static ApiError afterDedupe(StreamMachine stream, PublishHeaders headers) {
        if (headers.expectedLastMessageId != null && !headers.expectedLastMessageId.equals(stream.lastMessageId())) {
            return JsError.STREAM_WRONG_LAST_MSG_ID.of(stream.lastMessageId());
        }
        return headers.rollup == null ? null : rollup(stream, headers);
    }

    /** Whether the stream takes messages that replace others; null when it does. */
    static ApiError rollup(StreamMachine stream, PublishHeaders headers) {
        StreamConfig config = stream.config();
        if (!config.allowRollupHdrs() || config.denyPurge()) {
            return JsError.STREAM_ROLLUP_FAILED.of("rollup not permitted");
        }
        if (!headers.rollup.equalsIgnoreCase("sub") && !headers.rollup.equalsIgnoreCase("all")) {
            return JsError.STREAM_ROLLUP_FAILED.of(
                    "rollup value invalid: \"" + headers.rollup.toLowerCase(java.util.Locale.ROOT) + "\"");
        }
        return null;
    }

    /** Whether the limits of a stream that discards the new leave no room, or null. */
    static ApiError limits(StreamMachine stream, PublishHeaders headers, String subject, long size) {
        StreamConfig config = stream.config();
        if (config.discard() != DiscardPolicy.NEW) {
            return null;
        }
        StreamStore store = stream.store();
        StreamState state = store.state();
        boolean replaces = false;
        long freed = 0;
        if (config.maxMsgsPerSubject() > 0) {
            SubjectState held = store.subject(subject);
            if (held != null && held.messages() >= config.maxMsgsPerSubject()) {
                if (config.discardNewPerSubject() && headers.rollup == null) {
                    return JsError.STREAM_STORE_FAILED.of("maximum messages per subject exceeded");
                }
                replaces = true;
                freed = sizeOf(stream, held.firstSequence());
            }
        }
        if (config.maxMsgs() > 0 && state.messages() >= config.maxMsgs() && !replaces) {
            return JsError.STREAM_STORE_FAILED.of("maximum messages exceeded");
        }
        if (config.maxBytes() > 0 && state.bytes() - freed + size > config.maxBytes()) {
            return JsError.STREAM_STORE_FAILED.of("maximum bytes exceeded");
        }
        return null;
    }

    private static long sizeOf(StreamMachine stream, long sequence) {
        if (stream.config().maxBytes() <= 0) {
            return 0;
        }
        var message = stream.store().load(sequence);
        return message == null
                ? 0
                : stream.store().sizeOf(message.subject().length(), message.headers().length, message.payload().length);
    }
}
