package io.penstock.jetstream.api;

import io.penstock.consensus.RaftGroup;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.MessageGetRequest;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.LongArrayList;

/** Answers requests for messages with the messages themselves: one, a run of them, or the last of many subjects. */
final class DirectGet {
    private static final int MOST_SUBJECTS = 1024;

    /** A header of ours: with this value a replica answers only once it has everything acknowledged before. */
    private static final String CONSISTENCY = "Penstock-Consistency";

    private static final String LINEARIZABLE = "linearizable";

    private final JetStreamOptions options;

    DirectGet(JetStreamOptions options) {
        this.options = options;
    }

    void handle(ApiCall call, String[] tokens) {
        if (call.reply() == null || tokens.length < 5 || !tokens[3].equals("GET")) {
            return;
        }
        Engine engine = call.account().engineOf(Subjects.toUtf8(tokens[4]));
        if (engine == null) {
            answer(call, tokens);
            return;
        }
        RaftGroup group = linearizable(call, engine);
        if (group == null) {
            engine.read(() -> {
                answer(call, tokens);
                call.account().host().soon();
            });
            return;
        }
        group.readIndex().whenComplete((index, failure) -> {
            if (failure == null) {
                answer(call, tokens);
            } else {
                status(call, "503 No Leader", "");
            }
            call.account().host().soon();
        });
    }

    /** The log to be asked first, when the request wants to see everything acknowledged before it; otherwise null. */
    private static RaftGroup linearizable(ApiCall call, Engine engine) {
        if (call.headers().length == 0 || !LINEARIZABLE.equals(Headers.value(call.headers(), CONSISTENCY))) {
            return null;
        }
        return engine.log() instanceof RaftGroup group ? group : null;
    }

    private void answer(ApiCall call, String[] tokens) {
        StreamMachine stream = call.account().machine(Subjects.toUtf8(tokens[4]));
        if (stream == null || !stream.config().allowDirect()) {
            status(call, "503", "Nats-Subject: " + Subjects.toUtf8(call.subject()) + "\r\n");
            return;
        }
        if (JsApi.levelTooHigh(call)) {
            status(call, "412 Required Api Level", "");
            return;
        }
        MessageGetRequest request = request(call, tokens);
        if (request == null) {
            return;
        }
        if (!request.multiLast().isEmpty()) {
            multi(call, stream, request);
        } else if (request.batch() > 0) {
            batch(call, stream, request);
        } else {
            one(call, stream, request);
        }
    }

    /** The request, or null when it was answered because it is none. */
    private static MessageGetRequest request(ApiCall call, String[] tokens) {
        boolean bySubject = tokens.length > 5;
        if (JsApi.isBlank(call.body()) && !bySubject) {
            status(call, "408 Empty Request", "");
            return null;
        }
        MessageGetRequest request;
        try {
            byte[] body = JsApi.isBlank(call.body()) ? new byte[] {'{', '}'} : call.body();
            request = JetStreamJson.read(body, MessageGetRequest.class, false);
        } catch (InvalidJsonException e) {
            status(call, "408 Malformed Request", "");
            return null;
        }
        if (bySubject) {
            if (request.seq() > 0
                    || !request.lastBySubj().isEmpty()
                    || !request.nextBySubj().isEmpty()
                    || !request.multiLast().isEmpty()
                    || request.startTime() != null) {
                status(call, "408 Bad Request", "");
                return null;
            }
            String subject = Subjects.toUtf8(String.join(".", Arrays.copyOfRange(tokens, 5, tokens.length)));
            return new MessageGetRequest(0, subject, "", 0, 0, null, List.of(), 0, null, request.noHdr());
        }
        if (isNothing(request)) {
            status(call, "408 Empty Request", "");
            return null;
        }
        if (!isValid(request)) {
            status(call, "408 Bad Request", "");
            return null;
        }
        return request;
    }

    private static boolean isNothing(MessageGetRequest r) {
        return r.seq() == 0
                && r.startTime() == null
                && r.lastBySubj().isEmpty()
                && r.nextBySubj().isEmpty()
                && r.multiLast().isEmpty();
    }

    private static boolean isValid(MessageGetRequest r) {
        if (!r.multiLast().isEmpty()) {
            boolean bounds = r.upToSeq() > 0 && r.upToTime() != null;
            return r.lastBySubj().isEmpty() && r.nextBySubj().isEmpty() && !bounds;
        }
        if (r.batch() > 0 && !r.lastBySubj().isEmpty()) {
            return false;
        }
        return MessageRequests.isOne(r);
    }

    private static void one(ApiCall call, StreamMachine stream, MessageGetRequest request) {
        StoredMessage message = MessageRequests.find(stream.store(), request);
        if (message == null) {
            status(call, "404 Message Not Found", "");
        } else {
            send(call, stream, message, request.noHdr(), "");
        }
    }

    private void batch(ApiCall call, StreamMachine stream, MessageGetRequest request) {
        StreamStore store = stream.store();
        SubjectFilter filter = request.nextBySubj().isEmpty()
                ? SubjectFilter.ALL
                : SubjectFilter.of(Subjects.fromUtf8(request.nextBySubj()));
        long from = request.startTime() == null
                ? Math.max(1, request.seq())
                : store.sequenceAt(GoTime.nanos(request.startTime()));
        long pending = store.pending(filter, from, false);
        long most = request.maxBytes() > 0 ? request.maxBytes() : options.maxPending();
        long sent = 0;
        long last = 0;
        for (int i = 0; i < request.batch() && sent < most; i++) {
            StoredMessage message = store.next(filter, from);
            if (message == null) {
                if (i == 0) {
                    status(call, "404 Message Not Found", "");
                    return;
                }
                break;
            }
            pending = Math.max(0, pending - 1);
            send(call, stream, message, request.noHdr(), progress(pending, last));
            last = message.sequence();
            from = last + 1;
            sent += sizeOf(message);
        }
        status(call, "204 EOB", progress(pending, last));
    }

    private void multi(ApiCall call, StreamMachine stream, MessageGetRequest request) {
        StreamStore store = stream.store();
        long upTo = request.upToSeq();
        if (request.upToTime() != null) {
            upTo = store.sequenceAt(GoTime.nanos(request.upToTime()));
            if (upTo <= store.state().firstSequence()) {
                status(call, "404 No Results", "");
                return;
            }
            upTo--;
        }
        if (upTo == 0) {
            upTo = store.state().lastSequence();
        }
        SubjectFilter filter = SubjectFilter.of(
                request.multiLast().stream().map(Subjects::fromUtf8).toList());
        LongArrayList sequences = new LongArrayList();
        store.lastPerSubject(filter, upTo, sequence -> {
            if (sequence >= request.seq()) {
                sequences.addLong(sequence);
            }
            return sequences.size() <= MOST_SUBJECTS;
        });
        if (sequences.size() > MOST_SUBJECTS) {
            status(call, "413 Too Many Results", "");
            return;
        }
        if (sequences.isEmpty()) {
            status(call, "404 No Results", "");
            return;
        }
        sendAll(call, stream, request, sequences, upTo);
    }

    private void sendAll(
            ApiCall call, StreamMachine stream, MessageGetRequest request, LongArrayList sequences, long upTo) {
        long most = request.maxBytes() > 0 ? request.maxBytes() : options.maxPending();
        int batch = request.batch() > 0 ? request.batch() : Integer.MAX_VALUE;
        long pending = sequences.size();
        long sent = 0;
        long last = 0;
        for (int i = 0; i < sequences.size() && i < batch && sent < most; i++) {
            StoredMessage message = stream.store().load(sequences.getLong(i));
            if (message == null) {
                continue;
            }
            pending--;
            send(call, stream, message, request.noHdr(), progress(pending, last));
            last = message.sequence();
            sent += sizeOf(message);
        }
        status(call, "204 EOB", progress(pending, last) + "Nats-UpTo-Sequence: " + upTo + "\r\n");
    }

    private static String progress(long pending, long last) {
        return "Nats-Num-Pending: " + pending + "\r\nNats-Last-Sequence: " + last + "\r\n";
    }

    private static long sizeOf(StoredMessage message) {
        return (long) message.subject().length() + message.headers().length + message.payload().length;
    }

    private static void send(ApiCall call, StreamMachine stream, StoredMessage m, boolean noHeaders, String more) {
        byte[] headers = Headers.NONE;
        if (!noHeaders) {
            String lines = "Nats-Stream: " + stream.config().name() + "\r\nNats-Subject: "
                    + Subjects.toUtf8(m.subject()) + "\r\nNats-Sequence: " + m.sequence() + "\r\nNats-Time-Stamp: "
                    + GoTime.format(m.timestampNanos()) + "\r\n" + more;
            headers = Headers.append(m.headers(), lines);
        }
        call.account().send(call.reply(), null, headers, m.payload());
    }

    private static void status(ApiCall call, String status, String lines) {
        call.account().send(call.reply(), null, Headers.status(status, lines), Headers.NONE);
    }
}
