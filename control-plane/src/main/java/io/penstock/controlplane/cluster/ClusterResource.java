package io.penstock.controlplane.cluster;

import io.penstock.controlplane.broker.Broker;
import io.penstock.controlplane.stream.StreamAccess;
import io.penstock.controlplane.stream.StreamKind;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;

/** Nodes, zones and groups that carry an account's streams. */
@Path("/v1/accounts/{account}/cluster")
@Produces("application/json")
@RunOnVirtualThread
public class ClusterResource {
    @Inject
    StreamAccess access;

    @Inject
    Broker broker;

    @GET
    @Requires(Permission.STREAMS_READ)
    public Topology.View get(@PathParam("account") String account) {
        return Topology.of(
                access.list(account, null, StreamKind.STREAM, Permission.STREAMS_READ).stream()
                        .map(StreamAccess.Found::info)
                        .toList(),
                broker.nodes(account));
    }
}
