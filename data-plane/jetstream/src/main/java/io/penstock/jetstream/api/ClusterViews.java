package io.penstock.jetstream.api;

import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.protocol.jetstream.ClusterInfo;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.PeerInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/** Shows where a stream lies, the way the API does. */
public final class ClusterViews {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SHORT_NAME = 8;

    private ClusterViews() {}

    /** The group of an engine as this node sees it; null on a node alone. */
    public static ClusterInfo of(Engine engine) {
        if (!engine.host().clustered()) {
            return null;
        }
        String cluster = engine.options().clusterName();
        if (!(engine.log() instanceof RaftGroup group)) {
            return new ClusterInfo(cluster, "", engine.options().serverName(), null, List.of());
        }
        List<PeerInfo> others = new ArrayList<>();
        for (Replica replica : group.replicas()) {
            if (!replica.leader()) {
                // One that does not vote yet does not count: whoever waits for it must not take another away.
                others.add(new PeerInfo(
                        replica.node(),
                        replica.voter() && replica.current() && !replica.offline(),
                        replica.offline(),
                        Math.max(0, replica.lastSeenNanos()),
                        Math.max(0, replica.lag()),
                        shortName(replica.node())));
            }
        }
        return new ClusterInfo(
                cluster,
                engine.group(),
                group.leader(),
                engine.leaderSince() == 0 ? null : GoTime.instant(engine.leaderSince()),
                others);
    }

    /** The short name of a node that requests and answers use for it. */
    public static String shortName(String node) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(node.getBytes(StandardCharsets.UTF_8));
            StringBuilder name = new StringBuilder(SHORT_NAME);
            for (int i = 0; i < SHORT_NAME; i++) {
                name.append(DIGITS.charAt((hash[i] & 0xff) % DIGITS.length()));
            }
            return name.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
