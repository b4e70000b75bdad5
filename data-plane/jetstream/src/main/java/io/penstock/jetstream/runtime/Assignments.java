package io.penstock.jetstream.runtime;

import java.util.Collection;

/** What the cluster's metadata says of streams, as far as this node has heard. Asked on the loop. */
public interface Assignments {
    /** The assignment of a stream, or null. */
    StreamAssignment get(String account, String stream);

    /** The streams of a group. */
    Collection<StreamAssignment> inGroup(String group);

    /**
     * The last entry of the metadata's log this node has applied: a stream of an older generation that has no assignment
     * was removed.
     */
    long appliedIndex();
}
