package io.penstock.controlplane.consumer;

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
import io.penstock.controlplane.web.Names;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Consumers of a stream, as the broker has them. */
@Path("/v1/accounts/{account}/streams/{stream}/consumers")
@Produces("application/json")
@RunOnVirtualThread
public class ConsumerResource {
    @Inject
    AccountAccess access;

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

    @GET
    @Requires(Permission.CONSUMERS_READ)
    public Paging.Page<ObjectNode> list(
            @PathParam("account") String account, @PathParam("stream") String stream, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        access.require(account, Permission.CONSUMERS_READ);
        List<ObjectNode> all = jetStream.consumers(account, checked(stream)).stream()
                .map(info -> Views.consumer(account, info))
                .sorted(Comparator.comparing(consumer -> consumer.path("name").asText()))
                .toList();
        return paging.slice(window, all, consumer -> consumer.path("name").asText());
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
        access.require(account, Permission.CONSUMERS_WRITE);
        if (dryRun) {
            return Response.ok(consumers.tryCreate(account, checked(stream), wanted))
                    .build();
        }
        return idempotency.once(body, () -> {
            ObjectNode made = consumers.create(account, checked(stream), wanted);
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
        access.require(account, Permission.CONSUMERS_READ);
        return answer(Views.consumer(account, jetStream.consumer(account, checked(stream), checked(consumer))));
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
        access.require(account, Permission.CONSUMERS_WRITE);
        JsonNode current = jetStream.consumer(account, checked(stream), checked(consumer));
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
        access.require(account, Permission.CONSUMERS_WRITE);
        JsonNode current = jetStream.consumer(account, checked(stream), checked(consumer));
        Etags.require(ifMatch, Views.etag(current));
        if (dryRun) {
            return Response.ok(Map.of("affected", Consumers.affected(current))).build();
        }
        consumers.delete(account, stream, consumer, current);
        return Response.noContent().build();
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
