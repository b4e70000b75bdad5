package io.penstock.jetstream.runtime;

import java.util.concurrent.CompletableFuture;

/** The cluster's metadata at work on this node. */
public interface ClusterMember extends Assignments, ClusterApi {
    /** Begins: opens the groups this node takes part in, tells of streams. On the loop. */
    void start();

    /** Ends, before the engines do. On the loop. */
    void stop();

    /** Has the metadata's log let go of what it can: the journal has grown too long. Any thread. */
    void checkpoint();

    /** Lets others lead everything this node leads, as far as they can; completes when done. Any thread. */
    CompletableFuture<Void> handOver();
}
