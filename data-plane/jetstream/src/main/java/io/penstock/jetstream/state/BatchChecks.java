package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.DiscardPolicy;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether a stream takes an atomic batch: each message is held against the stream as it is and against the
 * messages before it in the batch. One instance for one batch; nothing is stored meanwhile.
 */
final class BatchChecks {
    private final StreamMachine stream;
    private final DedupeWindow dedupe;
    private final long now;
    private final Set<String> ids = new HashSet<>();
    private final Map<String, Integer> bySubject = new HashMap<>();
    private long messages;
    private long bytes;

    BatchChecks(StreamMachine stream, DedupeWindow dedupe, long now) {
        this.stream = stream;
        this.dedupe = dedupe;
        this.now = now;
    }

    /** What stands against the whole batch, whatever is in it; null when nothing does. */
    static ApiError whole(StreamMachine stream) {
        if (stream.config().sealed()) {
            return JsError.STREAM_SEALED.of();
        }
        return stream.config().allowAtomic() ? null : JsError.ATOMIC_PUBLISH_DISABLED.of();
    }

    /** What stands against the next message, in the order in which clients know the errors; null when nothing does. */
    ApiError next(PublishHeaders headers, String subject, int headerBytes, int bodyBytes) {
        ApiError refused = self(headers, headerBytes, bodyBytes);
        if (refused == null) {
            refused = id(headers);
        }
        if (refused == null && headers.source != null) {
            refused = JsError.MESSAGE_SOURCE_HDR_NOT_ALLOWED.of();
        }
        if (refused == null) {
            refused = sequences(headers, subject);
        }
        if (refused == null && headers.unsupported != PublishHeaders.Unsupported.NONE) {
            refused = PublishChecks.unsupported(headers.unsupported);
        }
        if (refused == null && headers.rollup != null) {
            refused = rollup(headers, subject);
        }
        if (refused != null) {
            return refused;
        }
        messages++;
        bytes += stream.store().sizeOf(subject.length(), headerBytes, bodyBytes);
        bySubject.merge(subject, 1, Integer::sum);
        return limits(headers, subject);
    }

    private ApiError self(PublishHeaders headers, int headerBytes, int bodyBytes) {
        StreamConfig config = stream.config();
        if (config.maxMsgSize() >= 0 && (long) headerBytes + bodyBytes > config.maxMsgSize()) {
            return JsError.STREAM_MESSAGE_EXCEEDS_MAXIMUM.of();
        }
        if (headers.expectedLastMessageId != null) {
            return JsError.ATOMIC_PUBLISH_UNSUPPORTED_HEADER_BATCH.of("Nats-Expected-Last-Msg-Id");
        }
        if (headerBytes > PublishChecks.MAX_HEADERS) {
            return JsError.STREAM_HEADER_EXCEEDS_MAXIMUM.of();
        }
        if (headers.unsupported == PublishHeaders.Unsupported.COUNTER) {
            return PublishChecks.unsupported(headers.unsupported);
        }
        return PublishChecks.streamAndLifetime(stream, headers);
    }

    private ApiError id(PublishHeaders headers) {
        if (headers.messageId == null) {
            return null;
        }
        long window = stream.config().duplicateWindow();
        boolean seen = window > 0 && dedupe.find(headers.messageId, now, window) > 0;
        return seen || !ids.add(headers.messageId) ? JsError.ATOMIC_PUBLISH_CONTAINS_DUPLICATE_MESSAGE.of() : null;
    }

    private ApiError sequences(PublishHeaders headers, String subject) {
        if (headers.hasLastSequence) {
            long last = stream.store().state().lastSequence() + messages;
            if (headers.expectedLastSequence != last) {
                return JsError.STREAM_WRONG_LAST_SEQUENCE.of(last);
            }
            if (messages > 0) {
                // Who wrote the batch cannot have known: only its first message can expect a sequence.
                return JsError.STREAM_WRONG_LAST_SEQUENCE_CONSTANT.of();
            }
        }
        if (!headers.hasLastSubjectSequence) {
            return headers.expectedSubject == null ? null : JsError.STREAM_EXPECTED_LAST_SEQ_PER_SUBJECT_INVALID.of();
        }
        String asked = headers.expectedSubject == null ? subject : headers.expectedSubject;
        if (bySubject.containsKey(asked)) {
            return JsError.STREAM_WRONG_LAST_SEQUENCE_CONSTANT.of();
        }
        long last = PublishChecks.lastOn(stream.store(), asked);
        return last == headers.expectedLastSubjectSequence ? null : JsError.STREAM_WRONG_LAST_SEQUENCE.of(last);
    }

    private ApiError rollup(PublishHeaders headers, String subject) {
        ApiError refused = PublishChecks.rollup(stream, headers);
        if (refused != null) {
            return refused;
        }
        if (headers.rollup.equalsIgnoreCase("all")) {
            // It would take back what the batch itself stored.
            return messages > 0 ? JsError.STREAM_ROLLUP_FAILED.of("batch rollup all invalid") : null;
        }
        return bySubject.containsKey(subject) ? JsError.STREAM_ROLLUP_FAILED.of("batch rollup sub invalid") : null;
    }

    private ApiError limits(PublishHeaders headers, String subject) {
        StreamConfig config = stream.config();
        if (config.discard() != DiscardPolicy.NEW) {
            return null;
        }
        StreamStore store = stream.store();
        StreamState state = store.state();
        if (config.maxMsgs() > 0 && state.messages() + messages > config.maxMsgs()) {
            return JsError.STREAM_STORE_FAILED.of("maximum messages exceeded");
        }
        if (config.maxBytes() > 0 && state.bytes() + bytes > config.maxBytes()) {
            return JsError.STREAM_STORE_FAILED.of("maximum bytes exceeded");
        }
        if (config.discardNewPerSubject() && config.maxMsgsPerSubject() > 0 && headers.rollup == null) {
            SubjectState held = store.subject(subject);
            long on = (held == null ? 0 : held.messages()) + bySubject.get(subject);
            if (on > config.maxMsgsPerSubject()) {
                return JsError.STREAM_STORE_FAILED.of("maximum messages per subject exceeded");
            }
        }
        return null;
    }
}
