package io.penstock.controlplane.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.stream.Buckets;
import io.penstock.controlplane.tenancy.Permission;
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
import java.util.Map;

/** Object buckets and what is known of their objects. */
@Path("/v1/accounts/{account}/objects")
@Produces("application/json")
@RunOnVirtualThread
public class ObjectResource {
    @Inject
    Buckets buckets;

    @Inject
    ObjectItems items;

    @Inject
    Paging paging;

    /** What an object stands for instead of its own content. */
    public record ObjectLink(String bucket, String name) {}

    /** An object. */
    public record ObjectItem(
            String name,
            String description,
            long size,
            long chunks,
            String digest,
            JsonNode modifiedAt,
            Map<String, String> metadata,
            ObjectLink link) {}

    @GET
    @Requires(Permission.OBJECTS_READ)
    public Paging.Page<ObjectNode> list(@PathParam("account") String account, @Context UriInfo uri) {
        return buckets.list(account, ObjectForm.OBJECTS, Permission.OBJECTS_READ, uri);
    }

    @POST
    @Requires(Permission.OBJECTS_WRITE)
    @Consumes("application/json")
    public Response create(
            @PathParam("account") String account,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("replace_deleted") boolean replaceDeleted,
            byte[] body) {
        return buckets.create(account, ObjectForm.OBJECTS, Permission.OBJECTS_WRITE, dryRun, replaceDeleted, body);
    }

    @GET
    @Requires(Permission.OBJECTS_READ)
    @Path("/{bucket}")
    public Response get(@PathParam("account") String account, @PathParam("bucket") String bucket) {
        return buckets.get(account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_READ);
    }

    @PATCH
    @Requires(Permission.OBJECTS_WRITE)
    @Path("/{bucket}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        return buckets.update(account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_WRITE, ifMatch, dryRun, body);
    }

    @DELETE
    @Requires(Permission.OBJECTS_WRITE)
    @Path("/{bucket}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("permanent") boolean permanent) {
        return buckets.delete(
                account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_WRITE, ifMatch, dryRun, permanent);
    }

    @POST
    @Requires(Permission.OBJECTS_WRITE)
    @Path("/{bucket}/actions/restore")
    @Consumes("application/json")
    public Response restore(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        return buckets.restore(account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_WRITE, dryRun, body);
    }

    @GET
    @Requires(Permission.OBJECTS_READ)
    @Path("/{bucket}/items")
    public Paging.Page<ObjectItem> items(
            @PathParam("account") String account, @PathParam("bucket") String bucket, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        buckets.find(account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_READ);
        return paging.page(
                window,
                items.list(account, bucket, window.after(), window.size()),
                meta -> meta.path("subject").asText(),
                ObjectItems::view);
    }

    @GET
    @Requires(Permission.OBJECTS_READ)
    @Path("/{bucket}/items/{item:.+}")
    public ObjectItem getItem(
            @PathParam("account") String account, @PathParam("bucket") String bucket, @PathParam("item") String item) {
        buckets.find(account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_READ);
        return ObjectItems.view(items.get(account, bucket, item));
    }

    @DELETE
    @Requires(Permission.OBJECTS_WRITE)
    @Path("/{bucket}/items/{item:.+}")
    public Response deleteItem(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @PathParam("item") String item,
            @QueryParam("dry_run") boolean dryRun) {
        buckets.find(account, bucket, ObjectForm.OBJECTS, Permission.OBJECTS_WRITE);
        if (dryRun) {
            long size = items.get(account, bucket, item).path("size").asLong();
            return Response.ok(DryRuns.action(Map.of("bytes", size))).build();
        }
        items.delete(account, bucket, item);
        return Response.noContent().build();
    }
}
