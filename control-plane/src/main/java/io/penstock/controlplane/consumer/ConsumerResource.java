package io.penstock.controlplane.consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.stream.StreamAccess;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Listing;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
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
import java.util.Map;

/** Consumers of a stream, as the broker has them. */
@Path("/v1/accounts/{account}/streams/{stream}/consumers")
@Produces("application/json")
@RunOnVirtualThread
public class ConsumerResource {
    @Inject
    StreamAccess access;

    @Inject
    JetStream jetStream;

    @Inject
    Consumers consumers;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    /** Until when. */
    public record PauseRequest(
            @NotNull(message = "a time is needed") Instant pauseUntil) {}

    /** Where to go on; without it at the first message that is not acknowledged. */
    public record ResetRequest(
            @Pattern(regexp = "\\d{1,20}", message = "a sequence as a string of digits")
            String seq) {}

    /** Whose client loses the pin. */
    public record UnpinRequest(
            @NotNull(message = "a group is needed") String group) {}

    @GET
    @Requires(Permission.CONSUMERS_READ)
    public Paging.Page<ObjectNode> list(
            @PathParam("account") String account, @PathParam("stream") String stream, @Context UriInfo uri) {
        access.require(account, stream, Permission.CONSUMERS_READ);
        return Listing.page(
                paging,
                uri,
                jetStream.consumers(account, stream).stream()
                        .map(info -> Views.consumer(account, info))
                        .toList());
    }

    @POST
    @Requires(Permission.CONSUMERS_WRITE)
    @Consumes("application/json")
    public Response create(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode wanted = Consumers.wanted(bodies.object(body));
        access.require(account, stream, Permission.CONSUMERS_WRITE);
        if (dryRun) {
            return Response.ok(consumers.tryCreate(account, stream, wanted)).build();
        }
        return idempotency.onceResuming(body, earlier -> {
            ObjectNode made = consumers.create(account, stream, wanted, earlier);
            return Idempotency.Answer.created(
                    made,
                    made.path("etag").asText(),
                    "/v1/accounts/" + account + "/streams/" + stream + "/consumers/"
                            + made.path("name").asText());
        });
    }

    @GET
    @Requires(Permission.CONSUMERS_READ)
    @Path("/{consumer}")
    public Response get(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer) {
        access.require(account, stream, Permission.CONSUMERS_READ);
        return answer(Views.consumer(account, jetStream.consumer(account, stream, checked(consumer))));
    }

    @PATCH
    @Requires(Permission.CONSUMERS_WRITE)
    @Path("/{consumer}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ObjectNode patch = Configs.CONSUMER.toBroker(bodies.object(body));
        access.require(account, stream, Permission.CONSUMERS_WRITE);
        JsonNode current = jetStream.consumer(account, stream, checked(consumer));
        Etags.require(ifMatch, Views.etag(current));
        return dryRun
                ? Response.ok(consumers.tryUpdate(account, current, patch)).build()
                : answer(consumers.update(account, current, patch));
    }

    @DELETE
    @Requires(Permission.CONSUMERS_WRITE)
    @Path("/{consumer}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun) {
        access.require(account, stream, Permission.CONSUMERS_WRITE);
        JsonNode current = jetStream.consumer(account, stream, checked(consumer));
        Etags.require(ifMatch, Views.etag(current));
        if (dryRun) {
            return Response.ok(Map.of("affected", Consumers.affected(current))).build();
        }
        consumers.delete(account, stream, consumer, current);
        return Response.noContent().build();
    }

    @POST
    @Requires(Permission.CONSUMERS_WRITE)
    @Path("/{consumer}/actions/pause")
    @Consumes("application/json")
    public Response pause(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        PauseRequest form = bodies.read(body, PauseRequest.class);
        return act(account, stream, consumer, dryRun, body, new Consumers.Action.Pause(form.pauseUntil()));
    }

    @POST
    @Requires(Permission.CONSUMERS_WRITE)
    @Path("/{consumer}/actions/resume")
    @Consumes("application/json")
    public Response resume(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        bodies.nothing(body);
        return act(account, stream, consumer, dryRun, body, new Consumers.Action.Pause(null));
    }

    @POST
    @Requires(Permission.CONSUMERS_WRITE)
    @Path("/{consumer}/actions/reset")
    @Consumes("application/json")
    public Response reset(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        ResetRequest form = bodies.read(body, ResetRequest.class);
        return act(account, stream, consumer, dryRun, body, new Consumers.Action.Reset(form.seq()));
    }

    @POST
    @Requires(Permission.CONSUMERS_WRITE)
    @Path("/{consumer}/actions/unpin")
    @Consumes("application/json")
    public Response unpin(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("consumer") String consumer,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        UnpinRequest form = bodies.read(body, UnpinRequest.class);
        return act(account, stream, consumer, dryRun, body, new Consumers.Action.Unpin(form.group()));
    }

    private Response act(
            String account, String stream, String consumer, boolean dryRun, byte[] body, Consumers.Action action) {
        access.require(account, stream, Permission.CONSUMERS_WRITE);
        JsonNode current = jetStream.consumer(account, stream, checked(consumer));
        if (dryRun) {
            return Response.ok(DryRuns.action(
                            Map.of("messages", current.path("num_pending").asText("0"))))
                    .build();
        }
        return idempotency.once(body, () -> {
            ObjectNode after = consumers.act(account, stream, consumer, action);
            return new Idempotency.Answer(200, after, after, after.path("etag").asText(), null);
        });
    }

    private static String checked(String name) {
        if (!name.matches(Names.BROKER)) {
            throw ProblemException.notFound();
        }
        return name;
    }

    private static Response answer(ObjectNode consumer) {
        return Response.ok(consumer)
                .header("ETag", consumer.path("etag").asText())
                .build();
    }
}
