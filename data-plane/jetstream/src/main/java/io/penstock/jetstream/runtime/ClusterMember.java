package io.penstock.jetstream.runtime;

/** The cluster's metadata at work on this node. */
public interface ClusterMember extends Assignments, ClusterApi {
    /** Begins: opens the groups this node takes part in, tells of streams. On the loop. */
    void start();

    /** Ends, before the engines do. On the loop. */
    void stop();
}
