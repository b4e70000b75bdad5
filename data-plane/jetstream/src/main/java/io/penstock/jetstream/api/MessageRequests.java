package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.MessageGetRequest;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;

/** Requests for single stored messages. */
final class MessageRequests {
    private final JetStreamOptions options;

    MessageRequests(JetStreamOptions options) {
        this.options = options;
    }

    void get(ApiCall call, String name) throws InvalidJsonException {
        if (call.body().length == 0) {
            throw JsError.BAD_REQUEST.raise();
        }
        MessageGetRequest request = JetStreamJson.read(call.body(), MessageGetRequest.class, options.strict());
        if (request.batch() > 0 || request.maxBytes() > 0 || !isOne(request)) {
            throw JsError.BAD_REQUEST.raise();
        }
        StreamRuntime stream = JsApi.stream(call, name);
        StoredMessage message = find(stream.machine().store(), request);
        if (message == null) {
            throw JsError.NO_MESSAGE_FOUND.raise();
        }
        ObjectNode m = JetStreamJson.object();
        m.put("subject", Subjects.toUtf8(message.subject())).put("seq", message.sequence());
        if (message.headers().length > 0 && !request.noHdr()) {
            m.put("hdrs", message.headers());
        }
        if (message.payload().length > 0) {
            m.put("data", message.payload());
        }
        m.put("time", GoTime.format(message.timestampNanos()));
        ObjectNode fields = JetStreamJson.object();
        fields.set("message", m);
        Responder.ok(call, "stream_msg_get_response", fields);
    }

    /** Whether the request names exactly one message. */
    static boolean isOne(MessageGetRequest r) {
        boolean last = !r.lastBySubj().isEmpty();
        boolean next = !r.nextBySubj().isEmpty();
        boolean sequence = r.seq() > 0;
        boolean time = r.startTime() != null;
        if (last) {
            return !next && !sequence && !time;
        }
        if (sequence && time) {
            return false;
        }
        return next || sequence || time;
    }

    /** The message a request names, or null. */
    static StoredMessage find(StreamStore store, MessageGetRequest r) {
        if (!r.lastBySubj().isEmpty()) {
            long sequence = store.lastSequence(SubjectFilter.of(Subjects.fromUtf8(r.lastBySubj())), Long.MAX_VALUE);
            return sequence == 0 ? null : store.load(sequence);
        }
        long from = r.startTime() == null ? Math.max(1, r.seq()) : store.sequenceAt(GoTime.nanos(r.startTime()));
        if (!r.nextBySubj().isEmpty()) {
            return store.next(SubjectFilter.of(Subjects.fromUtf8(r.nextBySubj())), from);
        }
        return r.startTime() == null ? store.load(from) : store.next(SubjectFilter.ALL, from);
    }

    void delete(ApiCall call, String name) throws InvalidJsonException {
        if (call.body().length == 0) {
            throw JsError.BAD_REQUEST.raise();
        }
        Requests.MessageDelete request =
                JetStreamJson.read(call.body(), Requests.MessageDelete.class, options.strict());
        StreamRuntime stream = JsApi.stream(call, name);
        if (stream.machine().config().sealed()) {
            throw JsError.STREAM_SEALED.raise();
        }
        if (stream.machine().config().denyDelete()) {
            throw JsError.STREAM_MSG_DELETE_FAILED.raise("message delete not permitted");
        }
        boolean erase = !request.noErase();
        byte[] body = new ByteWriter(16).varint(request.seq()).bool(erase).toBytes();
        Immediate.propose(
                stream,
                RecordType.MESSAGE_DELETE,
                body,
                () -> stream.machine().remove(request.seq(), null, erase),
                result -> deleted(call, stream, request.seq(), result));
    }

    private static void deleted(ApiCall call, StreamRuntime stream, long sequence, Object result) {
        String type = "stream_msg_delete_response";
        if (result instanceof StreamSet.Refused refused) {
            Responder.refused(call, type, refused);
        } else if (Boolean.TRUE.equals(result)) {
            Responder.success(call, type);
        } else if (sequence > stream.machine().store().state().lastSequence()) {
            Responder.error(call, type, JsError.STREAM_MSG_DELETE_FAILED.of("stream store EOF"));
        } else {
            Responder.error(call, type, JsError.SEQUENCE_NOT_FOUND.of(Long.toString(sequence)));
        }
    }
}
