package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.JsonSettings;
import io.penstock.controlplane.web.Listing;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Streams, as the broker has them. */
@Path("/v1/accounts/{account}/streams")
@Produces("application/json")
@RunOnVirtualThread
public class StreamResource {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Inject
    StreamAccess access;

    @Inject
    JetStream jetStream;

    @Inject
    Streams streams;

    @Inject
    Purges purges;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** A subject and how many messages it has. */
    public record SubjectCount(String subject, String messages) {}

    @GET
    @Requires(Permission.STREAMS_READ)
    public Paging.Page<ObjectNode> list(
            @PathParam("account") String account, @QueryParam("subject") String subject, @Context UriInfo uri) {
        return Listing.page(
                paging,
                uri,
                access.list(account, subject, StreamKind.STREAM, Permission.STREAMS_READ).stream()
                        .map(StreamAccess::view)
                        .toList());
    }

    @POST
    @Requires(Permission.STREAMS_WRITE)
    @Consumes("application/json")
    public Response create(
            @PathParam("account") String account,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("replace_deleted") boolean replaceDeleted,
            byte[] body) {
        ObjectNode given = bodies.object(body);
        Boolean protection = StreamForms.takeProtection(given);
        ObjectNode config = Configs.STREAM.toBroker(given);
        StreamForms.requireName(config);
        StreamAccess.Ground ground = access.ground(account, config.path("name").asText(), Permission.STREAMS_WRITE);
        Streams.Wish wish = new Streams.Wish(
                StreamKind.STREAM,
                StreamForms.withDefaults(config, ground.replicas()),
                protection == null ? ground.protects() : protection,
                replaceDeleted);
        if (dryRun) {
            StreamAccess.Found made = streams.tryCreate(account, ground, wish);
            return dryRun(made, Views.changes(NODES.objectNode(), Configs.STREAM.toApi(wish.config())));
        }
        return idempotency.onceResuming(body, earlier -> {
            ObjectNode made = StreamAccess.view(streams.create(account, ground, wish.after(earlier)));
            return Idempotency.Answer.created(
                    made,
                    made.path("etag").asText(),
                    "/v1/accounts/" + account + "/streams/" + made.path("name").asText());
        });
    }

    @GET
    @Requires(Permission.STREAMS_READ)
    @Path("/{stream}")
    public Response get(@PathParam("account") String account, @PathParam("stream") String stream) {
        return answer(access.find(account, stream, Permission.STREAMS_READ));
    }

    @PATCH
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{stream}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode given = bodies.object(body);
        Boolean protection = StreamForms.takeProtection(given);
        ObjectNode patch = Configs.STREAM.toBroker(given);
        StreamAccess.Found current = access.find(account, stream, Permission.STREAMS_WRITE);
        Etags.require(ifMatch, current.etag());
        if (dryRun) {
            StreamAccess.Found after = streams.tryUpdate(current, patch, protection);
            return dryRun(after, Streams.changes(current, after.info().path("config")));
        }
        return answer(streams.update(current, StreamKind.STREAM, patch, protection));
    }

    @DELETE
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{stream}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("permanent") boolean permanent) {
        StreamAccess.Found current;
        try {
            current = access.find(account, stream, Permission.STREAMS_WRITE);
        } catch (ProblemException gone) {
            if (!permanent || dryRun || gone.code() != ErrorCode.DELETED_RECOVERABLE) {
                throw gone;
            }
            streams.purge(access.deleted(account, stream, Permission.STREAMS_WRITE));
            return Response.noContent().build();
        }
        Etags.require(ifMatch, current.etag());
        if (dryRun) {
            Instant until = streams.restorableUntil(current, permanent);
            ObjectNode out = NODES.objectNode();
            out.set("affected", Streams.affected(current.info()));
            out.put("restorable_until", until == null ? null : JsonSettings.format(until));
            return Response.ok(out).build();
        }
        streams.delete(current, StreamKind.STREAM, permanent);
        return Response.noContent().build();
    }

    @POST
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{stream}/actions/restore")
    @Consumes("application/json")
    public Response restore(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        bodies.nothing(body);
        if (dryRun) {
            streams.tryRestore(access.deleted(account, stream, Permission.STREAMS_WRITE));
            return Response.ok(DryRuns.action(Map.of())).build();
        }
        return idempotency.onceResuming(body, earlier -> {
            ObjectNode back =
                    StreamAccess.view(streams.restoreAgain(account, stream, Permission.STREAMS_WRITE, earlier));
            return new Idempotency.Answer(200, back, back, back.path("etag").asText(), null);
        });
    }

    @POST
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{stream}/actions/purge")
    @Consumes("application/json")
    public Response purge(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        Purges.PurgeRequest form = bodies.read(body, Purges.PurgeRequest.class);
        StreamAccess.Found found = access.find(account, stream, Permission.STREAMS_WRITE);
        Purges.check(form);
        if (found.deletionProtection()) {
            throw ProblemException.of(
                    ErrorCode.DELETION_PROTECTED,
                    "It is protected from deletion, of its messages too. Set deletion_protection to false first.");
        }
        if (dryRun) {
            return Response.ok(Map.of("would_purge", purges.count(account, stream, form)))
                    .build();
        }
        return idempotency.once(body, () -> {
            Map<String, Object> done = Map.of("purged", purges.purge(account, stream, form));
            return new Idempotency.Answer(200, done, done, null, null);
        });
    }

    @GET
    @Requires(Permission.STREAMS_READ)
    @Path("/{stream}/subjects")
    public Paging.Page<SubjectCount> subjects(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @QueryParam("filter") String filter,
            @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        access.require(account, stream, Permission.STREAMS_READ);
        List<SubjectCount> all = jetStream.subjects(account, stream, filter == null ? ">" : filter).entrySet().stream()
                .map(count -> new SubjectCount(count.getKey(), Long.toString(count.getValue())))
                .toList();
        return paging.slice(window, all, SubjectCount::subject);
    }

    private static Response dryRun(StreamAccess.Found after, JsonNode changes) {
        ObjectNode out = NODES.objectNode();
        out.put("valid", true);
        out.set("stream", StreamAccess.view(after));
        out.set("changes", changes);
        out.set("affected", Streams.affected(NODES.objectNode()));
        return Response.ok(out).build();
    }

    private static Response answer(StreamAccess.Found found) {
        return Response.ok(StreamAccess.view(found))
                .header("ETag", found.etag())
                .build();
    }
}
