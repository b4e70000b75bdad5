package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.runtime.Waiter;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.function.Consumer;

/** Requests that create, change, empty and remove streams. */
final class StreamChanges {
    private final JetStreamOptions options;

    StreamChanges(JetStreamOptions options) {
        this.options = options;
    }

    // --- create and update ----------------------------------------------------------------------------------------

    void create(ApiCall call, String name) throws InvalidJsonException {
        StreamRequest request = read(call, name);
        AccountRuntime account = call.account();
        StreamConfig given = request.config();
        if (given.sealed()) {
            throw JsError.STREAM_INVALID_CONFIG.raise("stream configuration for create can not be sealed");
        }
        StreamConfig config = rules(account, given, request.pedantic()).check(given);
        if (config.numReplicas() > 1) {
            throw JsError.STREAM_REPLICAS_NOT_SUPPORTED.raise();
        }
        change(call, "stream_create_response", engine -> {
            StreamRuntime existing = account.stream(name);
            if (existing != null) {
                if (!existing.machine().config().equals(config)) {
                    throw JsError.STREAM_NAME_EXIST.raise();
                }
                engine.host().configured();
                created(call, name);
                return;
            }
            checkOverlap(account, name, config);
            checkLimits(account, config, 0, true);
            ByteWriter body = new ByteWriter(512).text(account.name()).block(JetStreamJson.write(config));
            engine.propose(
                    RecordType.STREAM_CREATE, 0, body.toBytes(), outcome(call, "stream_create_response", result -> {
                        created(call, name);
                        account.advisories().stream("CREATED", name, "create");
                    }));
        });
    }

    private static void created(ApiCall call, String name) {
        ObjectNode fields = JetStreamJson.tree(Views.stream(JsApi.stream(call, name), true, false, null, null));
        Responder.ok(call, "stream_create_response", fields.put("did_create", true));
    }

    void update(ApiCall call, String name) throws InvalidJsonException {
        StreamRequest request = read(call, name);
        AccountRuntime account = call.account();
        JsApi.stream(call, name);
        change(call, "stream_update_response", engine -> {
            StreamRuntime stream = JsApi.stream(call, name);
            StreamConfig before = stream.machine().config();
            StreamConfig config =
                    rules(account, request.config(), request.pedantic()).checkUpdate(before, request.config());
            checkOverlap(account, name, config);
            checkConsumers(stream, config);
            checkLimits(account, config, Math.max(0, before.maxBytes()), false);
            ByteWriter body = new ByteWriter(512).block(JetStreamJson.write(config));
            engine.propose(
                    RecordType.STREAM_UPDATE,
                    stream.id(),
                    body.toBytes(),
                    outcome(call, "stream_update_response", result -> {
                        Responder.ok(
                                call,
                                "stream_update_response",
                                JetStreamJson.tree(Views.stream(stream, true, false, null, null)));
                        account.advisories().stream("UPDATED", name, "modify");
                    }));
        });
    }

    private record StreamRequest(StreamConfig config, boolean pedantic) {}

    private StreamRequest read(ApiCall call, String name) throws InvalidJsonException {
        byte[] body = call.body().length == 0 ? new byte[] {'{', '}'} : call.body();
        PedanticConfig.Split split = PedanticConfig.split(body);
        StreamConfig config = JetStreamJson.read(split.rest(), StreamConfig.class, options.strict());
        if (!config.name().equals(name)) {
            throw JsError.STREAM_MISMATCH.raise();
        }
        return new StreamRequest(config, split.pedantic());
    }

    StreamConfigRules rules(AccountRuntime account, StreamConfig config, boolean pedantic) {
        JetStreamLimits limits = Resources.limits(account, Math.max(1, config.numReplicas()));
        if (limits == null) {
            throw JsError.NO_LIMITS.raise();
        }
        return new StreamConfigRules(options, limits, pedantic);
    }

    static void checkOverlap(AccountRuntime account, String name, StreamConfig config) {
        for (StreamRuntime other : account.streams()) {
            if (other.machine().config().name().equals(name)) {
                continue;
            }
            for (String theirs : other.machine().config().subjects()) {
                for (String ours : config.subjects()) {
                    if (Subjects.overlap(Subjects.fromUtf8(theirs), Subjects.fromUtf8(ours))) {
                        throw JsError.STREAM_SUBJECT_OVERLAP.raise();
                    }
                }
            }
        }
    }

    /** Consumers must fit below limits that are lowered. */
    private static void checkConsumers(StreamRuntime stream, StreamConfig config) {
        if (config.consumerLimits() == null) {
            return;
        }
        long threshold = config.consumerLimits().inactiveThreshold();
        int pending = config.consumerLimits().maxAckPending();
        for (var consumer : stream.machine().consumers()) {
            if (threshold > 0 && consumer.config().inactiveThreshold() > threshold) {
                throw JsError.STREAM_INVALID_CONFIG.raise(
                        "change to limits violates consumers: [" + consumer.name() + "]");
            }
            if (pending > 0 && consumer.config().maxAckPending() > pending) {
                throw JsError.STREAM_INVALID_CONFIG.raise(
                        "change to limits violates consumers: [" + consumer.name() + "]");
            }
        }
    }

    void checkLimits(AccountRuntime account, StreamConfig config, long before, boolean isNew) {
        JetStreamLimits limits = Resources.limits(account, config.numReplicas());
        if (limits == null) {
            throw JsError.NO_LIMITS.raise();
        }
        if (isNew && limits.streams() > 0 && account.streams().size() >= limits.streams()) {
            throw JsError.MAXIMUM_STREAMS_LIMIT.raise();
        }
        if (config.maxConsumers() > 0 && limits.consumers() > 0 && config.maxConsumers() > limits.consumers()) {
            throw JsError.MAXIMUM_CONSUMERS_LIMIT.raise();
        }
        boolean memory = config.storage() == StorageType.MEMORY;
        long added = config.maxBytes() > 0 ? Math.max(0, config.maxBytes() - before) : isNew ? 1 : 0;
        Resources.Usage used = Resources.usage(account);
        Resources.Usage server = Resources.total(account.host());
        long accountMax = memory ? limits.memoryBytes() : limits.storageBytes();
        long serverMax = memory ? options.maxMemory() : options.maxStorage();
        long accountReserved = memory ? used.reservedMemory() : used.reservedStorage();
        long serverReserved = memory ? server.reservedMemory() : server.reservedStorage();
        if (added == 0) {
            // More may be stored than limits of today allow: what asks for no more is let through.
            return;
        }
        if ((accountMax >= 0 && accountReserved + added > accountMax)
                || (serverMax >= 0 && serverReserved + added > serverMax)) {
            throw memory ? JsError.MEMORY_RESOURCES_EXCEEDED.raise() : JsError.STORAGE_RESOURCES_EXCEEDED.raise();
        }
    }

    /** Runs a change when those before it are done; a refusal ends it. */
    private static void change(ApiCall call, String type, Consumer<Engine> body) {
        Host host = call.account().host();
        host.configure(() -> {
            try {
                body.accept(host.engine(Host.SOLO));
            } catch (JsException e) {
                host.configured();
                Responder.error(call, type, e.error());
            }
        });
    }

    private static Waiter outcome(ApiCall call, String type, Consumer<Object> success) {
        Host host = call.account().host();
        return new Waiter() {
            @Override
            public void applied(Object result) {
                host.configured();
                if (result instanceof StreamSet.Refused refused) {
                    Responder.refused(call, type, refused);
                } else {
                    success.accept(result);
                }
            }

            @Override
            public void unknown(Throwable cause) {
                host.configured();
            }
        };
    }

    // --- delete and purge -----------------------------------------------------------------------------------------

    void delete(ApiCall call, String name) {
        JsApi.expectEmpty(call);
        AccountRuntime account = call.account();
        change(call, "stream_delete_response", engine -> {
            // A stream that stopped may be deleted all the same.
            StreamRuntime stream = account.stream(name);
            if (stream == null) {
                throw JsError.STREAM_NOT_FOUND.raise();
            }
            engine.propose(
                    RecordType.STREAM_DELETE,
                    stream.id(),
                    new byte[0],
                    outcome(call, "stream_delete_response", result -> {
                        Responder.success(call, "stream_delete_response");
                        account.advisories().stream("DELETED", name, "delete");
                    }));
        });
    }

    void purge(ApiCall call, String name) throws InvalidJsonException {
        Requests.Purge request = JsApi.optional(call, Requests.Purge.class, options.strict());
        if (request.seq() > 0 && request.keep() > 0) {
            throw JsError.BAD_REQUEST.raise();
        }
        StreamRuntime stream = JsApi.stream(call, name);
        if (stream.machine().config().sealed()) {
            throw JsError.STREAM_SEALED.raise();
        }
        if (stream.machine().config().denyPurge()) {
            throw JsError.STREAM_PURGE_FAILED.raise("stream purge not permitted");
        }
        ByteWriter body = new ByteWriter(64);
        if (request.filter() == null || request.filter().isEmpty()) {
            body.varint(0);
        } else {
            body.varint(1).latin(Subjects.fromUtf8(request.filter()));
        }
        body.varint(request.seq()).varint(request.keep());
        Immediate.propose(
                stream,
                RecordType.PURGE,
                body.toBytes(),
                () -> stream.machine()
                        .purge(
                                request.filter() == null || request.filter().isEmpty()
                                        ? io.penstock.protocol.SubjectFilter.ALL
                                        : io.penstock.protocol.SubjectFilter.of(Subjects.fromUtf8(request.filter())),
                                request.seq(),
                                request.keep()),
                result -> {
                    if (result instanceof StreamSet.Refused refused) {
                        Responder.refused(call, "stream_purge_response", refused);
                    } else {
                        Responder.ok(
                                call,
                                "stream_purge_response",
                                JetStreamJson.object().put("success", true).put("purged", (Long) result));
                    }
                });
    }
}
