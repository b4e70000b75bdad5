package io.penstock.controlplane.stream;

import io.penstock.controlplane.account.AccountAccess;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.List;

/** What can be restored of an account's streams and buckets. */
@Path("/v1/accounts/{account}/deleted-streams")
@Produces("application/json")
@RunOnVirtualThread
public class DeletedStreamResource {
    @Inject
    AccountAccess access;

    @Inject
    StreamRecords records;

    @Inject
    Paging paging;

    /** A deleted stream or bucket that can be restored. */
    public record DeletedStream(
            String accountId,
            String name,
            String kind,
            String messages,
            long bytes,
            Instant deletedAt,
            Instant purgeAt) {}

    @GET
    @Requires(Permission.STREAMS_READ)
    public Paging.Page<DeletedStream> list(@PathParam("account") String account, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        List<StreamRecord> rows = access.require(
                account,
                Permission.STREAMS_READ,
                (scope, row) ->
                        records.deleted(account, window.after() == null ? "" : window.after(), window.size() + 1));
        return paging.page(window, rows, StreamRecord::name, DeletedStreamResource::view);
    }

    private static DeletedStream view(StreamRecord row) {
        return new DeletedStream(
                row.account(),
                row.name(),
                StreamKind.of(row.name()).noun(),
                Long.toString(row.messages()),
                row.bytes(),
                row.deletedAt(),
                row.purgeAt());
    }
}
