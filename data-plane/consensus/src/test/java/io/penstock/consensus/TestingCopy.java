package io.penstock.consensus;

import java.io.IOException;
import java.io.InputStream;

/** Fetches the state of another {@link TestingReplica}, while there is a way to it. */
final class TestingCopy implements Snapshots.Fetcher {
    private final TestingCluster cluster;
    private final String target;
    private final TestingReplica source;

    TestingCopy(TestingCluster cluster, String target, TestingReplica source) {
        this.cluster = cluster;
        this.target = target;
        this.source = source;
    }

    @Override
    public byte[] manifest() throws IOException {
        check();
        return source.snapshots.manifest();
    }

    @Override
    public InputStream open(String file) throws IOException {
        check();
        return source.snapshots.open(file);
    }

    private void check() throws IOException {
        if (source.closed() || !cluster.reachable(target, source.node.name)) {
            throw new IOException("no link to " + source.node.name);
        }
    }
}
