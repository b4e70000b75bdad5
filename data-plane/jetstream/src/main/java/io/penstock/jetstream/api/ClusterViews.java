package io.penstock.jetstream.api;

import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.PeerViews;
import io.penstock.protocol.jetstream.ClusterInfo;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.PeerInfo;
import java.util.ArrayList;
import java.util.List;

/** Shows where a stream lies, the way the API does. */
public final class ClusterViews {
    private ClusterViews() {}

    /** The group of an engine as this node sees it; null on a node alone. */
    public static ClusterInfo of(Engine engine) {
        if (!engine.host().clustered()) {
            return null;
        }
        String cluster = engine.options().clusterName();
        if (!(engine.log() instanceof RaftGroup group)) {
            return ClusterInfo.of(cluster, engine.options().serverName());
        }
        List<PeerInfo> others = new ArrayList<>();
        for (Replica replica : group.replicas()) {
            if (!replica.leader()) {
                others.add(PeerViews.of(replica));
            }
        }
        return new ClusterInfo(
                cluster,
                engine.group(),
                group.leader(),
                engine.leaderSince() == 0 ? null : GoTime.instant(engine.leaderSince()),
                true,
                engine.options().systemAccount(),
                others);
    }

    /** The short name of a node that requests and answers use for it. */
    public static String shortName(String node) {
        return PeerViews.shortName(node);
    }
}
