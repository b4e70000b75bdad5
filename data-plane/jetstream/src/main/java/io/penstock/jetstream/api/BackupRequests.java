package io.penstock.jetstream.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.backup.Restores;
import io.penstock.jetstream.backup.Sessions;
import io.penstock.jetstream.backup.SnapshotRequest;
import io.penstock.jetstream.backup.Snapshots;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.ClusterApi;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;

/** Requests that take a backup of a stream, and that bring a stream back from one. */
final class BackupRequests {
    private static final String SNAPSHOT = "stream_snapshot_response";
    private static final String RESTORE = "stream_restore_response";
    private static final String RESTORED = "stream_create_response";

    /** What frames add to an archive that does not get smaller. */
    private static final long SLACK = 1 << 20;

    /** The body of a request to restore; the state is the archive's matter. */
    record Restore(
            @JsonProperty("config") StreamConfig config,
            @JsonProperty("state") JsonNode state) {}

    private final JetStreamOptions options;
    private final StreamChanges changes;
    private final Snapshots snapshots;
    private final Restores restores;

    BackupRequests(JetStreamOptions options, StreamChanges changes) {
        this.options = options;
        this.changes = changes;
        Sessions sessions = new Sessions();
        snapshots = new Snapshots(sessions);
        restores = new Restores(sessions);
    }

    void snapshot(ApiCall call, String name) throws InvalidJsonException {
        if (JsApi.isBlank(call.body())) {
            throw JsError.BAD_REQUEST.raise();
        }
        StreamRuntime stream = JsApi.stream(call, name);
        SnapshotRequest request = JetStreamJson.read(call.body(), SnapshotRequest.class, options.strict());
        String route = request.deliverSubject() == null ? "" : Subjects.fromUtf8(request.deliverSubject());
        boolean reserved = route.startsWith("$JS.") || route.startsWith("$SYS.");
        if (reserved || !Subjects.isValidLiteral(route)) {
            throw JsError.SNAPSHOT_DELIVER_SUBJECT_INVALID.raise();
        }
        snapshots.begin(
                call,
                stream,
                request,
                (frozen, consumers) -> Views.state(frozen.state(), consumers, null, null),
                state -> {
                    ObjectNode fields = JetStreamJson.object();
                    fields.set("config", JetStreamJson.tree(stream.machine().config()));
                    fields.set("state", JetStreamJson.tree(state));
                    Responder.ok(call, SNAPSHOT, fields);
                });
    }

    void restore(ApiCall call, String name) throws InvalidJsonException {
        if (JsApi.isBlank(call.body())) {
            throw JsError.BAD_REQUEST.raise();
        }
        Restore request = JetStreamJson.read(call.body(), Restore.class, options.strict());
        StreamConfig given = request.config() == null ? StreamConfig.builder().build() : request.config();
        if (given.name().isEmpty()) {
            given = given.toBuilder().name(name).build();
        }
        if (!given.name().equals(name)) {
            throw JsError.STREAM_MISMATCH.raise();
        }
        ClusterApi cluster = call.account().host().clusterApi();
        RestoreTarget target = cluster == null
                ? new RestoredAlone(options, changes, call.account(), given)
                : cluster.restore(call, given);
        restores.begin(
                call,
                target,
                terms(call.account(), target.config()),
                subject -> Responder.ok(call, RESTORE, JetStreamJson.object().put("deliver_subject", subject)),
                BackupRequests::restored);
    }

    private static void restored(ApiCall call, ObjectNode info, ApiError error) {
        if (error != null) {
            Responder.error(call, RESTORED, error);
        } else {
            Responder.ok(call, RESTORED, info);
        }
    }

    private Restores.Terms terms(AccountRuntime account, StreamConfig config) {
        JetStreamLimits limits = Resources.limits(account, config.numReplicas());
        long most = config.storage() == StorageType.MEMORY ? limits.memoryBytes() : limits.storageBytes();
        ConsumerConfigRules rules = new ConsumerConfigRules(options, limits, config, false);
        return new Restores.Terms(
                rules::check, ConsumerChanges.consumerLimit(options, config, limits), most < 0 ? -1 : most + SLACK);
    }
}
