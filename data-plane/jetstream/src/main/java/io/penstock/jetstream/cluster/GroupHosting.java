package io.penstock.jetstream.cluster;

import io.penstock.consensus.RaftGroup;
import io.penstock.jetstream.runtime.GroupAssignment;
import java.util.List;

/** The groups of this node, to be opened and removed as the metadata wants it. Called on the loop. */
public interface GroupHosting {
    /**
     * Takes part in a group; of one that is open already the ranking is taken over.
     *
     * @return false when the group's streams are gone though its log is here: the node begins anew, and must not vote until
     *     it is taken up again
     */
    boolean open(GroupAssignment assignment);

    /** Takes part in a group no more: its log and streams leave this node for good. */
    void remove(String group);

    /** The log of a group this node takes part in, or null. */
    RaftGroup log(String group);

    /** The names of the groups this node takes part in. */
    List<String> groups();
}
