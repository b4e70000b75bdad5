package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountAccess;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Streams, as the broker has them. */
@Path("/v1/accounts/{account}/streams")
@Produces("application/json")
@RunOnVirtualThread
public class StreamResource {
    @Inject
    AccountAccess access;

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
        Paging.Window window = paging.window(uri);
        access.require(account, Permission.STREAMS_READ);
        List<ObjectNode> all = jetStream.streams(account, subject).stream()
                .map(info -> Views.stream(account, info))
                .sorted(Comparator.comparing(stream -> stream.path("name").asText()))
                .toList();
        return paging.slice(window, all, stream -> stream.path("name").asText());
    }

    @POST
    @Requires(Permission.STREAMS_WRITE)
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        ObjectNode config = Configs.STREAM.toBroker(bodies.object(body));
        String name = Streams.name(config);
        access.require(account, Permission.STREAMS_WRITE);
        ObjectNode wanted = Streams.withDefaults(config);
        if (dryRun) {
            return Response.ok(streams.tryCreate(account, name, wanted)).build();
        }
        return idempotency.once(body, () -> {
            ObjectNode made = streams.create(account, name, wanted);
            return Idempotency.Answer.created(
                    made, made.path("etag").asText(), "/v1/accounts/" + account + "/streams/" + name);
        });
    }

    @GET
    @Requires(Permission.STREAMS_READ)
    @Path("/{stream}")
    public Response get(@PathParam("account") String account, @PathParam("stream") String stream) {
        access.require(account, Permission.STREAMS_READ);
        return answer(Views.stream(account, jetStream.stream(account, Streams.checked(stream))));
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
        ObjectNode patch = Configs.STREAM.toBroker(bodies.object(body));
        access.require(account, Permission.STREAMS_WRITE);
        JsonNode current = jetStream.stream(account, Streams.checked(stream));
        Etags.require(ifMatch, Views.etag(current));
        return dryRun
                ? Response.ok(streams.tryUpdate(account, current, patch)).build()
                : answer(streams.update(account, current, patch));
    }

    @DELETE
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{stream}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        access.require(account, Permission.STREAMS_WRITE);
        JsonNode current = jetStream.stream(account, Streams.checked(stream));
        Etags.require(ifMatch, Views.etag(current));
        if (dryRun) {
            return Response.ok(Map.of("affected", Streams.affected(current.path("state"))))
                    .build();
        }
        streams.delete(account, stream, current);
        return Response.noContent().build();
    }

    @POST
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{stream}/actions/purge")
    @Consumes("application/json")
    public Map<String, Object> purge(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        Purges.PurgeRequest form = bodies.read(body, Purges.PurgeRequest.class);
        access.require(account, Permission.STREAMS_WRITE);
        Purges.check(form);
        return dryRun
                ? Map.of("would_purge", purges.count(account, Streams.checked(stream), form))
                : Map.of("purged", purges.purge(account, Streams.checked(stream), form));
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
        access.require(account, Permission.STREAMS_READ);
        List<SubjectCount> all = streams.subjects(account, Streams.checked(stream), filter == null ? ">" : filter);
        return paging.slice(window, all, SubjectCount::subject);
    }

    private static Response answer(ObjectNode stream) {
        return Response.ok(stream).header("ETag", stream.path("etag").asText()).build();
    }
}
