package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.ConsumerRuntime;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.ConsumerRules;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;

/** Requests that create, change, pause, set back and remove consumers. */
final class ConsumerChanges {
    private static final String NAME_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String CREATED = "consumer_create_response";

    private final JetStreamOptions options;

    ConsumerChanges(JetStreamOptions options) {
        this.options = options;
    }

    // --- create ---------------------------------------------------------------------------------------------------

    /** Three forms: legacy ephemeral (stream only), legacy durable, and named with an optional filter. */
    void create(ApiCall call, String[] tokens) throws InvalidJsonException {
        byte[] body = call.body().length == 0 ? new byte[] {'{', '}'} : call.body();
        Requests.ConsumerCreate request = JetStreamJson.read(body, Requests.ConsumerCreate.class, options.strict());
        ConsumerConfig asked =
                request.config() == null ? ConsumerConfig.builder().build() : request.config();
        boolean durableForm = tokens[3].equals("DURABLE");
        if (durableForm && tokens.length != 7) {
            throw JsError.CONSUMER_DURABLE_NAME_NOT_IN_SUBJECT.raise();
        }
        int streamAt = durableForm ? 5 : 4;
        String streamName = tokens.length > streamAt ? Subjects.toUtf8(tokens[streamAt]) : "";
        if (!streamName.equals(request.streamName() == null ? "" : request.streamName())) {
            throw JsError.STREAM_MISMATCH.raise();
        }
        boolean named = !durableForm && tokens.length > 5;
        String name = durableForm ? Subjects.toUtf8(tokens[6]) : named ? Subjects.toUtf8(tokens[5]) : asked.name();
        if (name.contains("/") || name.contains("\\")) {
            throw JsError.CONSUMER_NAME_CONTAINS_PATH_SEPARATORS.raise();
        }
        checkNames(asked, name, durableForm, named);
        checkFilter(asked, tokens, named);
        if (durableForm || named) {
            asked = asked.toBuilder().name(name).build();
        }
        if (asked.numReplicas() > 1 && options.clusterName().isEmpty()) {
            throw JsError.STREAM_REPLICAS_NOT_SUPPORTED.raise();
        }
        create(call, JsApi.stream(call, streamName), name, asked, request);
    }

    private static void checkNames(ConsumerConfig asked, String name, boolean durableForm, boolean named) {
        if (durableForm && asked.durableName().isEmpty()) {
            throw JsError.CONSUMER_DURABLE_NAME_NOT_SET.raise();
        }
        if ((durableForm || named)
                && !asked.durableName().isEmpty()
                && !asked.durableName().equals(name)) {
            throw JsError.CONSUMER_DURABLE_NAME_NOT_MATCH_SUBJECT.raise();
        }
        if (!durableForm && !named && !asked.durableName().isEmpty()) {
            throw JsError.CONSUMER_EPHEMERAL_WITH_DURABLE_NAME.raise();
        }
    }

    private static void checkFilter(ConsumerConfig asked, String[] tokens, boolean named) {
        if (!named || tokens.length <= 6) {
            return;
        }
        if (!asked.filterSubjects().isEmpty()) {
            throw JsError.CONSUMER_MULTIPLE_FILTERS_NOT_ALLOWED.raise();
        }
        String filter = String.join(".", Arrays.copyOfRange(tokens, 6, tokens.length));
        if (!Subjects.fromUtf8(asked.filterSubject()).equals(filter)) {
            throw JsError.CONSUMER_CREATE_FILTER_SUBJECT_MISMATCH.raise();
        }
    }

    private void create(
            ApiCall call, StreamRuntime stream, String name, ConsumerConfig asked, Requests.ConsumerCreate request) {
        AccountRuntime account = call.account();
        JetStreamLimits limits = Resources.limits(account, 1);
        if (limits == null) {
            throw JsError.NO_LIMITS.raise();
        }
        ConsumerConfig config =
                new ConsumerConfigRules(options, limits, stream.machine().config(), request.pedantic()).check(asked);
        String id = name.isEmpty() ? freeName(stream, account.host().random()) : name;
        if (id.getBytes(StandardCharsets.UTF_8).length > StreamConfigRules.MAX_NAME) {
            throw JsError.CONSUMER_NAME_TOO_LONG.raise(StreamConfigRules.MAX_NAME);
        }
        ConsumerAction action = request.action() == null ? ConsumerAction.CREATE_OR_UPDATE : request.action();
        int limit = consumerLimit(options, stream.machine().config(), limits);
        boolean exists = precheck(stream, id, config, action, limit);
        ByteWriter body =
                new ByteWriter(512).text(id).text(action.wire()).varint(limit).block(JetStreamJson.write(config));
        stream.engine().propose(RecordType.CONSUMER_PUT, stream.id(), body.toBytes(), result -> {
            if (result instanceof StreamSet.Refused refused) {
                Responder.refused(call, CREATED, refused);
                return;
            }
            ConsumerRuntime consumer = stream.consumer(id);
            if (consumer == null) {
                Responder.error(call, CREATED, JsError.CONSUMER_NOT_FOUND.of());
                return;
            }
            Responder.ok(call, CREATED, JetStreamJson.tree(Views.consumer(stream, consumer, true)));
            account.advisories()
                    .consumer("CREATED", stream.machine().config().name(), id, exists ? "update" : "create");
        });
    }

    /** Says at once what the log would say later; answers whether there is such a consumer. */
    private static boolean precheck(
            StreamRuntime stream, String name, ConsumerConfig config, ConsumerAction action, int limit) {
        ConsumerState existing = stream.machine().consumer(name);
        if (existing == null) {
            ConsumerRules.checkNew(stream.machine(), config, action, limit);
            return false;
        }
        ConsumerConfig next =
                config.toBuilder().pauseUntil(existing.config().pauseUntil()).build();
        ConsumerRules.checkUpdate(stream.machine(), existing, next, action);
        String target = existing.config().deliverSubject();
        if (!target.equals(next.deliverSubject()) && stream.account().hasInterest(Subjects.fromUtf8(target))) {
            throw JsError.CONSUMER_NAME_EXIST.raise();
        }
        return true;
    }

    /** How many consumers a stream may have, 0 for any number. */
    static int consumerLimit(JetStreamOptions options, StreamConfig stream, JetStreamLimits limits) {
        long limit = stream.maxConsumers();
        if (limit <= 0 || (limits.consumers() > 0 && limits.consumers() < limit)) {
            limit = limits.consumers();
        }
        if (limit <= 0) {
            limit = options.defaultMaxConsumers();
        }
        return (int) Math.max(0, Math.min(limit, Integer.MAX_VALUE));
    }

    private static String freeName(StreamRuntime stream, Random random) {
        while (true) {
            StringBuilder name = new StringBuilder(8);
            for (int i = 0; i < 8; i++) {
                name.append(NAME_LETTERS.charAt(random.nextInt(NAME_LETTERS.length())));
            }
            if (stream.consumer(name.toString()) == null) {
                return name.toString();
            }
        }
    }

    // --- the others -----------------------------------------------------------------------------------------------

    void delete(ApiCall call, String streamName, String name) {
        JsApi.expectEmpty(call);
        StreamRuntime stream = JsApi.stream(call, streamName);
        ConsumerRequests.consumer(stream, name);
        byte[] body = new ByteWriter(32).text(name).toBytes();
        stream.engine().propose(RecordType.CONSUMER_DELETE, stream.id(), body, result -> {
            if (Boolean.TRUE.equals(result)) {
                Responder.success(call, "consumer_delete_response");
                call.account().advisories().consumer("DELETED", streamName, name, "delete");
            } else {
                Responder.error(call, "consumer_delete_response", JsError.CONSUMER_NOT_FOUND.of());
            }
        });
    }

    void pause(ApiCall call, String streamName, String name) throws InvalidJsonException {
        Requests.Pause request = JsApi.optional(call, Requests.Pause.class, options.strict());
        StreamRuntime stream = JsApi.stream(call, streamName);
        ConsumerRequests.consumer(stream, name);
        Instant until = request.pauseUntil() == null ? GoTime.ZERO : request.pauseUntil();
        long now = call.account().host().loop().now();
        long nanos = until.equals(GoTime.ZERO) ? 0 : Math.max(0, GoTime.nanos(until));
        byte[] body = new ByteWriter(48).text(name).varint(nanos).toBytes();
        stream.engine().propose(RecordType.CONSUMER_PAUSE, stream.id(), body, result -> {
            if (result instanceof StreamSet.Refused refused) {
                Responder.refused(call, "consumer_pause_response", refused);
                return;
            }
            boolean paused = nanos > now;
            ObjectNode fields = JetStreamJson.object().put("paused", paused).put("pause_until", GoTime.format(until));
            if (paused) {
                fields.put("pause_remaining", nanos - now);
            }
            Responder.ok(call, "consumer_pause_response", fields);
            call.account().advisories().paused(streamName, name, paused, GoTime.format(until));
        });
    }

    void reset(ApiCall call, String streamName, String name) throws InvalidJsonException {
        Requests.Reset request = JsApi.optional(call, Requests.Reset.class, false);
        StreamRuntime stream = JsApi.stream(call, streamName);
        ConsumerRuntime consumer = ConsumerRequests.consumer(stream, name);
        if (request.seq() > 0) {
            checkReset(stream, consumer.config(), request.seq());
        }
        // The floor clients see is the leader's, which may be ahead of the log.
        long target = request.seq() > 0 ? request.seq() : consumer.live().ackFloorStream() + 1;
        byte[] body =
                new ByteWriter(24).varint(consumer.live().id()).varint(target).toBytes();
        stream.engine().propose(RecordType.CONSUMER_RESET, stream.id(), body, result -> {
            ConsumerRuntime now = stream.consumer(name);
            if (!(result instanceof Long sequence) || sequence == 0 || now == null) {
                Responder.error(call, "consumer_reset_response", JsError.CONSUMER_NOT_FOUND.of());
                return;
            }
            ObjectNode fields = JetStreamJson.tree(Views.consumer(stream, now, true));
            Responder.ok(call, "consumer_reset_response", fields.put("reset_seq", sequence));
        });
    }

    private static void checkReset(StreamRuntime stream, ConsumerConfig config, long sequence) {
        switch (config.deliverPolicy()) {
            case ALL -> {}
            case BY_START_SEQUENCE -> {
                if (sequence < config.optStartSeq()) {
                    throw JsError.CONSUMER_INVALID_RESET.raise("below start seq");
                }
            }
            case BY_START_TIME -> {
                if (sequence < stream.machine().store().sequenceAt(GoTime.nanos(config.optStartTime()))) {
                    throw JsError.CONSUMER_INVALID_RESET.raise("below start time");
                }
            }
            case LAST, NEW, LAST_PER_SUBJECT -> throw JsError.CONSUMER_INVALID_RESET.raise("not allowed");
        }
    }
}
