package io.penstock.controlplane.kv;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.stream.Buckets;
import io.penstock.controlplane.stream.StreamAccess;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.SubjectPatterns;
import io.penstock.controlplane.web.Tagged;
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
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Key-value buckets and their entries. */
@Path("/v1/accounts/{account}/kv")
@Produces("application/json")
@RunOnVirtualThread
public class KvResource {
    private static final String REVISION = "\\d{1,19}";

    @Inject
    Buckets buckets;

    @Inject
    KvEntries entries;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    /** A key that has a value. */
    public record KvKey(String key, String revisions) {}

    /** A value. */
    public record KvEntry(
            String accountId,
            String bucket,
            String key,
            String revision,
            String encoding,
            String value,
            long size,
            JsonNode createdAt,
            String etag)
            implements Tagged {}

    /** A value to set. */
    public record KvEntryPut(
            @NotNull(message = "a value is needed") String value,

            @Pattern(regexp = "utf8|base64", message = "utf8 or base64")
            String encoding,

            Boolean createOnly,

            @Pattern(regexp = REVISION, message = "a revision as a string of digits")
            String expectedRevision) {}

    @GET
    @Requires(Permission.KV_READ)
    public Paging.Page<ObjectNode> list(@PathParam("account") String account, @Context UriInfo uri) {
        return buckets.list(account, KvForm.KV, Permission.KV_READ, uri);
    }

    @POST
    @Requires(Permission.KV_WRITE)
    @Consumes("application/json")
    public Response create(
            @PathParam("account") String account,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("replace_deleted") boolean replaceDeleted,
            byte[] body) {
        return buckets.create(account, KvForm.KV, Permission.KV_WRITE, dryRun, replaceDeleted, body);
    }

    @GET
    @Requires(Permission.KV_READ)
    @Path("/{bucket}")
    public Response get(@PathParam("account") String account, @PathParam("bucket") String bucket) {
        return buckets.get(account, bucket, KvForm.KV, Permission.KV_READ);
    }

    @PATCH
    @Requires(Permission.KV_WRITE)
    @Path("/{bucket}")
    @Consumes({"application/merge-patch+json", "application/json"})
    public Response update(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        return buckets.update(account, bucket, KvForm.KV, Permission.KV_WRITE, ifMatch, dryRun, body);
    }

    @DELETE
    @Requires(Permission.KV_WRITE)
    @Path("/{bucket}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("permanent") boolean permanent) {
        return buckets.delete(account, bucket, KvForm.KV, Permission.KV_WRITE, ifMatch, dryRun, permanent);
    }

    @POST
    @Requires(Permission.KV_WRITE)
    @Path("/{bucket}/actions/restore")
    @Consumes("application/json")
    public Response restore(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        return buckets.restore(account, bucket, KvForm.KV, Permission.KV_WRITE, dryRun, body);
    }

    @GET
    @Requires(Permission.KV_READ)
    @Path("/{bucket}/entries")
    public Paging.Page<KvKey> keys(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @QueryParam("filter") String filter,
            @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        String wanted = filter == null ? ">" : filter;
        if (!SubjectPatterns.isPattern(wanted)) {
            throw ProblemException.invalidQuery("filter", "keys with wildcards, such as orders.>");
        }
        buckets.find(account, bucket, KvForm.KV, Permission.KV_READ);
        List<KvKey> rows = entries.keys(account, bucket, wanted, window.after(), window.size());
        return paging.page(window, rows, KvKey::key, row -> row);
    }

    @GET
    @Requires(Permission.MESSAGES_READ)
    @Path("/{bucket}/entries/{key:.+}")
    public Response getEntry(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @PathParam("key") String key,
            @QueryParam("revision") String revision) {
        if (revision != null && !revision.matches(REVISION)) {
            throw ProblemException.invalidQuery("revision", "a revision as a string of digits");
        }
        String checked = KvEntries.checked(key);
        buckets.find(account, bucket, KvForm.KV, Permission.MESSAGES_READ);
        return Etags.answer(entries.get(account, bucket, checked, revision == null ? null : Long.valueOf(revision)));
    }

    @PUT
    @Requires(Permission.MESSAGES_WRITE)
    @Path("/{bucket}/entries/{key:.+}")
    @Consumes("application/json")
    public Response putEntry(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @PathParam("key") String key,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            byte[] body) {
        KvEntryPut form = bodies.read(body, KvEntryPut.class);
        String checked = KvEntries.checked(key);
        Long expected = form.expectedRevision() == null ? revision(ifMatch) : Long.valueOf(form.expectedRevision());
        KvEntries.Put put = new KvEntries.Put(value(form), form.createOnly() != null && form.createOnly(), expected);
        StreamAccess.Found found = buckets.find(account, bucket, KvForm.KV, Permission.MESSAGES_WRITE);
        refuseMirror(found);
        entries.check(account, bucket, checked, put);
        if (dryRun) {
            return Response.ok(DryRuns.action(Map.of("entries", 1L))).build();
        }
        return Etags.answer(entries.put(account, bucket, checked, put));
    }

    @DELETE
    @Requires(Permission.MESSAGES_WRITE)
    @Path("/{bucket}/entries/{key:.+}")
    public Response deleteEntry(
            @PathParam("account") String account,
            @PathParam("bucket") String bucket,
            @PathParam("key") String key,
            @HeaderParam("If-Match") String ifMatch,
            @QueryParam("dry_run") boolean dryRun,
            @QueryParam("purge") boolean purge) {
        String checked = KvEntries.checked(key);
        refuseMirror(buckets.find(account, bucket, KvForm.KV, Permission.MESSAGES_WRITE));
        KvEntry there = entries.get(account, bucket, checked, null);
        Etags.check(ifMatch, there.etag());
        if (dryRun) {
            return Response.ok(DryRuns.action(Map.of("entries", 1L))).build();
        }
        entries.delete(account, bucket, checked, revision(ifMatch), purge);
        return Response.noContent().build();
    }

    private static void refuseMirror(StreamAccess.Found found) {
        if (found.info().at("/config/mirror").isObject()) {
            throw ProblemException.of(ErrorCode.STATE_CONFLICT, "The bucket mirrors another one. Write to that one.");
        }
    }

    private static byte[] value(KvEntryPut form) {
        if (!"base64".equals(form.encoding())) {
            return form.value().getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(form.value());
        } catch (IllegalArgumentException malformed) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "value", "base64", "is no base64");
        }
    }

    /** Of an entity tag such as `"r12"`; null without one. */
    private static Long revision(String ifMatch) {
        if (ifMatch == null || ifMatch.isBlank() || "*".equals(ifMatch.trim())) {
            return null;
        }
        String digits = ifMatch.trim().replaceAll("^\"r(" + REVISION + ")\"$", "$1");
        return digits.matches(REVISION) ? Long.parseLong(digits) : -1L;
    }
}
