package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.operation.DryRun;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Listing;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What key-value and object buckets have in common: each is a stream of a certain form, made, changed and deleted as one. */
@ApplicationScoped
public class Buckets {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String NAME = "[A-Za-z0-9_-]{1,251}";

    @Inject
    StreamAccess access;

    @Inject
    Streams streams;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** How a bucket of a kind is written as a stream and shown again. Pure. */
    public interface Form {
        StreamKind kind();

        ConfigCodec codec();

        /** The whole stream of a new bucket; durations in nanoseconds, unset fields left out. */
        ObjectNode stream(String name, ObjectNode settings);

        /** The stream's part of a change; null takes a field back to its default. */
        ObjectNode patch(JsonNode current, ObjectNode settings);

        /** The bucket's own fields, in the broker's units. */
        ObjectNode settings(JsonNode config);

        /** Counts that go with it. */
        void describe(JsonNode info, ObjectNode shown);
    }

    public Paging.Page<ObjectNode> list(String account, Form form, Permission permission, UriInfo uri) {
        return Listing.page(
                paging,
                uri,
                access.list(account, null, form.kind(), permission).stream()
                        .map(found -> view(form, found))
                        .toList());
    }

    public Response create(
            String account, Form form, Permission permission, boolean dryRun, boolean replaceDeleted, byte[] body) {
        ObjectNode given = bodies.object(body);
        Boolean protection = StreamForms.takeProtection(given);
        ObjectNode settings = ConfigCodec.merge(NODES.objectNode(), form.codec().toBroker(given));
        String name = settings.path("name").asText();
        if (!name.matches(NAME)) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "name", "pattern", "1 to 251 letters, digits, _ and -");
        }
        StreamAccess.Ground ground = access.ground(account, form.kind().stream(name), permission);
        Streams.Wish wish = new Streams.Wish(
                form.kind(),
                StreamForms.withDefaults(form.stream(name, settings), ground.replicas()),
                protection == null ? ground.protects() : protection,
                replaceDeleted);
        if (dryRun) {
            return changed(NODES.objectNode(), view(form, streams.tryCreate(account, ground, wish)));
        }
        return idempotency.onceResuming(body, earlier -> {
            ObjectNode made = view(form, streams.create(account, ground, wish.after(earlier)));
            return Idempotency.Answer.created(
                    made, made.path("etag").asText(), form.kind().path(account, wish.name()));
        });
    }

    public Response get(String account, String bucket, Form form, Permission permission) {
        return answer(view(form, find(account, bucket, form, permission)));
    }

    public Response update(
            String account,
            String bucket,
            Form form,
            Permission permission,
            String ifMatch,
            boolean dryRun,
            byte[] body) {
        ObjectNode given = bodies.object(body);
        Boolean protection = StreamForms.takeProtection(given);
        refuseName(given);
        ObjectNode settings = form.codec().toBroker(given);
        StreamAccess.Found current = find(account, bucket, form, permission);
        ObjectNode before = view(form, current);
        Etags.require(ifMatch, before.path("etag").asText());
        ObjectNode patch = form.patch(current.info().path("config"), settings);
        if (dryRun) {
            return changed(before, view(form, streams.tryUpdate(current, patch, protection)));
        }
        return answer(view(form, streams.update(current, form.kind(), patch, protection)));
    }

    public Response delete(
            String account,
            String bucket,
            Form form,
            Permission permission,
            String ifMatch,
            boolean dryRun,
            boolean permanent) {
        StreamAccess.Found current;
        try {
            current = find(account, bucket, form, permission);
        } catch (ProblemException gone) {
            if (!permanent || dryRun || gone.code() != ErrorCode.DELETED_RECOVERABLE) {
                throw gone;
            }
            streams.purge(access.deleted(account, form.kind().stream(bucket), permission));
            return Response.noContent().build();
        }
        Etags.require(ifMatch, current.etag());
        if (dryRun) {
            Instant until = streams.restorableUntil(current, permanent);
            return Response.ok(new DryRun(true, NODES.arrayNode(), affected(current.info()), List.of(), until))
                    .build();
        }
        streams.delete(current, form.kind(), permanent);
        return Response.noContent().build();
    }

    public Response restore(
            String account, String bucket, Form form, Permission permission, boolean dryRun, byte[] body) {
        bodies.nothing(body);
        String stream = form.kind().stream(bucket);
        if (dryRun) {
            streams.tryRestore(access.deleted(account, stream, permission));
            return Response.ok(DryRuns.action(Map.of())).build();
        }
        return idempotency.onceResuming(body, earlier -> {
            ObjectNode back = view(form, streams.restoreAgain(account, stream, permission, earlier));
            return new Idempotency.Answer(200, back, back, back.path("etag").asText(), null);
        });
    }

    public StreamAccess.Found find(String account, String bucket, Form form, Permission permission) {
        return access.find(account, form.kind().stream(bucket), permission);
    }

    private static void refuseName(ObjectNode patch) {
        if (patch.has("name")) {
            throw ProblemException.invalidField(
                    ErrorCode.IMMUTABLE_FIELD, "name", "immutable", "it cannot be changed after creation");
        }
    }

    private static ObjectNode view(Form form, StreamAccess.Found found) {
        JsonNode info = found.info();
        ObjectNode out = NODES.objectNode();
        out.put("account_id", found.account());
        out.put("name", form.kind().name(found.name()));
        out.put("stream_name", found.name());
        out.setAll(form.codec().toApi(form.settings(info.path("config"))));
        out.put("deletion_protection", found.deletionProtection());
        form.describe(info, out);
        out.put("bytes", info.at("/state/bytes").asLong());
        out.set("created_at", Views.time(info.path("created")));
        out.set("cluster", Views.cluster(info.get("cluster")));
        out.put("etag", found.etag());
        return out;
    }

    private static Map<String, Object> affected(JsonNode info) {
        return Map.of(
                "messages", info.at("/state/messages").asText("0"),
                "bytes", info.at("/state/bytes").asLong(),
                "consumers", info.at("/state/consumer_count").asLong());
    }

    private static Response changed(ObjectNode before, ObjectNode after) {
        before.remove("etag");
        after.remove(List.of("etag", "created_at", "cluster", "bytes", "values"));
        before.remove(List.of("created_at", "cluster", "bytes", "values"));
        return Response.ok(new DryRun(true, Views.changes(before, after), Map.of(), List.of(), null))
                .build();
    }

    private static Response answer(ObjectNode shown) {
        return Response.ok(shown).header("ETag", shown.path("etag").asText()).build();
    }
}
