package io.penstock.broker.route;

import java.util.List;
import java.util.Map;

/**
 * What a node tells the others of itself when a route opens.
 *
 * @param name {@code server_name}, unique in the cluster
 * @param serverId public nkey, fresh at each start of the process
 * @param cluster name of the cluster, empty without one
 * @param version protocol version
 * @param tags {@code server_tags}, lower case
 * @param metadata {@code server_metadata}
 * @param jetStream whether it runs JetStream
 * @param peerHost where its peer link listens; empty when it has none
 * @param peerPort port of the peer link, 0 when it has none
 * @param domain JetStream domain, empty without one
 */
public record NodeDescription(
        String name,
        String serverId,
        String cluster,
        String version,
        List<String> tags,
        Map<String, String> metadata,
        boolean jetStream,
        String peerHost,
        int peerPort,
        String domain) {
    public NodeDescription {
        tags = List.copyOf(tags);
        metadata = Map.copyOf(metadata);
    }
}
