package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.stream.StreamAccess.Found;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.JsonSettings;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changes of streams, those of buckets too, and what they would do. */
@ApplicationScoped
public class Streams {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Fields the broker never changes; it says so less clearly. */
    private static final List<String> FIXED =
            List.of("name", "storage", "first_seq", "allow_msg_counter", "persist_mode");

    @Inject
    JetStream jetStream;

    @Inject
    StreamRecords records;

    @Inject
    StreamAccess access;

    @Inject
    Trash trash;

    @Inject
    BrokerAudit audit;

    @Inject
    Tenancy tenancy;

    @Inject
    RequestInfo request;

    @Inject
    Clock clock;

    /**
     * A stream to make: its configuration as the broker takes it, and our own settings. `earlier` is when a run of the same call began
     * that may have made it.
     */
    public record Wish(
            StreamKind kind,
            ObjectNode config,
            boolean deletionProtection,
            boolean replaceDeleted,
            Optional<Instant> earlier) {
        /** As it is when nobody has tried before. */
        public Wish(StreamKind kind, ObjectNode config, boolean deletionProtection, boolean replaceDeleted) {
            this(kind, config, deletionProtection, replaceDeleted, Optional.empty());
        }

        public Wish after(Optional<Instant> run) {
            return new Wish(kind, config, deletionProtection, replaceDeleted, run);
        }

        String name() {
            return config.path("name").asText();
        }
    }

    public Found create(String account, StreamAccess.Ground ground, Wish wish) {
        boolean replaced = makeRoom(account, ground, wish, false);
        JsonNode info = audit.around(
                account,
                wish.kind().noun() + ".created",
                wish.kind().path(account, wish.name()),
                Map.of("config", Configs.STREAM.toApi(wish.config())),
                () -> jetStream.ensure(account, "STREAM.CREATE." + wish.name(), wish.config()),
                (scope, made) -> {
                    if (replaced) {
                        trash.forget(account, wish.name());
                    }
                    if (wish.deletionProtection()) {
                        records.protect(scope, account, wish.name(), true);
                    }
                });
        return new Found(account, info, wish.deletionProtection());
    }

    /** Checks what the broker would check, as far as it can be asked without making the stream. */
    public Found tryCreate(String account, StreamAccess.Ground ground, Wish wish) {
        makeRoom(account, ground, wish, true);
        requireNoOverlap(account, wish.name(), wish.config());
        ObjectNode info = NODES.objectNode();
        info.set("config", wish.config());
        info.put("created", clock.instant().toString());
        return new Found(account, info, wish.deletionProtection());
    }

    /** Refuses a name that is taken, by a deleted stream too unless that is to be replaced. Returns whether one was removed. */
    private boolean makeRoom(String account, StreamAccess.Ground ground, Wish wish, boolean dryRun) {
        JsonNode there;
        try {
            there = jetStream.stream(account, wish.name());
        } catch (ProblemException absent) {
            if (absent.code() == ErrorCode.NOT_FOUND) {
                return ground.record().isPresent();
            }
            throw absent;
        }
        StreamRecord deleted = ground.record().filter(one -> one.deleted(there)).orElse(null);
        if (deleted == null && Views.madeSince(there, wish.earlier())) {
            return ground.record().isPresent();
        }
        if (deleted == null) {
            throw ProblemException.of(ErrorCode.ALREADY_EXISTS, "The name is taken here. Choose another one.")
                    .param("err_code", 10058);
        }
        if (!wish.replaceDeleted()) {
            throw ProblemException.of(
                            ErrorCode.ALREADY_EXISTS,
                            "The name belongs to a deleted one that can still be restored. Restore it with POST "
                                    + wish.kind().path(account, wish.name())
                                    + "/actions/restore, or create with replace_deleted=true to lose it for good.")
                    .param("recoverable", true)
                    .param("purge_at", JsonSettings.format(deleted.purgeAt()));
        }
        if (!dryRun) {
            trash.purge(deleted);
        }
        return true;
    }

    /** `deletionProtection` null leaves it; a patch without broker fields leaves the broker alone. */
    public Found update(Found current, StreamKind kind, ObjectNode patch, Boolean deletionProtection) {
        boolean protection = deletionProtection == null ? current.deletionProtection() : deletionProtection;
        ObjectNode config = merged(current.info(), patch);
        boolean same = config.equals(current.info().path("config"));
        if (same && protection == current.deletionProtection()) {
            return current;
        }
        String account = current.account();
        String name = current.name();
        JsonNode info = audit.around(
                account,
                kind.noun() + ".updated",
                kind.path(account, name),
                Map.of("changes", changes(current, config), "deletion_protection", protection),
                () -> same ? current.info() : jetStream.ensure(account, "STREAM.UPDATE." + name, config),
                (scope, updated) -> {
                    if (protection != current.deletionProtection()) {
                        records.protect(scope, account, name, protection);
                    }
                });
        return new Found(account, info, protection);
    }

    public Found tryUpdate(Found current, ObjectNode patch, Boolean deletionProtection) {
        ObjectNode config = merged(current.info(), patch);
        requireNoOverlap(current.account(), current.name(), config);
        ObjectNode info = current.info().deepCopy();
        info.set("config", config);
        return new Found(
                current.account(),
                info,
                deletionProtection == null ? current.deletionProtection() : deletionProtection);
    }

    static JsonNode changes(Found before, JsonNode after) {
        return Views.changes(Configs.STREAM.toApi(before.info().path("config")), Configs.STREAM.toApi(after));
    }

    /** Until when a deletion now could be taken back; null when it would be final. */
    public Instant restorableUntil(Found current, boolean permanent) {
        if (current.deletionProtection()) {
            throw ProblemException.of(
                    ErrorCode.DELETION_PROTECTED,
                    "It is protected from deletion. Set deletion_protection to false first.");
        }
        boolean empty = current.info().at("/state/messages").asLong() == 0;
        return permanent || empty ? null : trash.purgeAt();
    }

    /** For a while only, unless there is nothing in it or `permanent` says so. */
    public void delete(Found current, StreamKind kind, boolean permanent) {
        Instant purgeAt = restorableUntil(current, permanent);
        String account = current.account();
        String name = current.name();
        Map<String, Object> details = Map.of("affected", affected(current.info()), "permanent", purgeAt == null);
        if (purgeAt == null) {
            audit.around(
                    account,
                    kind.noun() + ".deleted",
                    kind.path(account, name),
                    details,
                    () -> jetStream.delete(account, "STREAM.DELETE." + name),
                    (scope, answer) -> records.forget(account, name));
            return;
        }
        ObjectNode saved = trash.save(account, current.info());
        tenancy.onResource(request.principal(), account, scope -> {
            trash.note(scope, account, current.info(), saved, purgeAt);
            return null;
        });
        try {
            audit.around(
                    account,
                    kind.noun() + ".deleted",
                    kind.path(account, name),
                    details,
                    () -> trash.close(account, saved));
        } catch (ProblemException refused) {
            tenancy.onResource(request.principal(), account, scope -> {
                trash.forget(account, name);
                return null;
            });
            throw refused;
        }
    }

    /** What is deleted already, for good. */
    void purge(StreamRecord record) {
        StreamKind kind = StreamKind.of(record.name());
        audit.around(
                record.account(),
                kind.noun() + ".purged",
                kind.path(record.account(), record.name()),
                Map.of("messages", record.messages()),
                () -> {
                    trash.purge(record);
                    return NODES.objectNode();
                },
                (scope, answer) -> trash.forget(record.account(), record.name()));
    }

    /** A restore that an earlier run of the same call may have ended already. */
    Found restoreAgain(String account, String stream, Permission permission, Optional<Instant> earlier) {
        try {
            return restore(access.deleted(account, stream, permission));
        } catch (ProblemException refused) {
            if (refused.code() == ErrorCode.STATE_CONFLICT && earlier.isPresent()) {
                return access.find(account, stream, permission);
            }
            throw refused;
        }
    }

    private Found restore(StreamRecord record) {
        StreamKind kind = StreamKind.of(record.name());
        JsonNode info = audit.around(
                record.account(),
                kind.noun() + ".restored",
                kind.path(record.account(), record.name()),
                Map.of(),
                () -> trash.open(record),
                (scope, answer) -> trash.forget(record.account(), record.name()));
        return new Found(record.account(), info, false);
    }

    /** The stream as a restore would make it. */
    Found tryRestore(StreamRecord record) {
        JsonNode config = trash.savedConfig(record);
        requireNoOverlap(record.account(), record.name(), config);
        ObjectNode info = jetStream.stream(record.account(), record.name()).deepCopy();
        info.set("config", config);
        return new Found(record.account(), info, false);
    }

    static ObjectNode affected(JsonNode info) {
        JsonNode state = info.path("state");
        ObjectNode out = NODES.objectNode();
        out.put("messages", state.path("messages").asText("0"));
        out.put("bytes", state.path("bytes").asLong());
        out.put("consumers", state.path("consumer_count").asLong());
        return out;
    }

    private void requireNoOverlap(String account, String name, JsonNode config) {
        for (JsonNode subject : config.path("subjects")) {
            List<String> holders = jetStream.streamNames(account, subject.asText()).stream()
                    .filter(holder -> !holder.equals(name))
                    .toList();
            if (!holders.isEmpty()) {
                throw ProblemException.invalidField(
                                ErrorCode.SUBJECT_OVERLAP,
                                "subjects",
                                "overlap",
                                subject.asText() + " belongs to " + String.join(", ", holders) + " already")
                        .param("err_code", 10065)
                        .param("streams", holders);
            }
        }
    }

    private static ObjectNode merged(JsonNode current, ObjectNode patch) {
        JsonNode config = current.path("config");
        for (String field : FIXED) {
            if (patch.has(field) && !ConfigCodec.same(patch.get(field), config.get(field))) {
                throw ProblemException.invalidField(
                        ErrorCode.IMMUTABLE_FIELD, field, "immutable", "it cannot be changed after creation");
            }
        }
        return ConfigCodec.merge(config, patch);
    }
}
