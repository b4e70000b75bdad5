package io.penstock.jetstream.runtime;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** What the cluster's metadata says of streams, as far as this node has heard. Asked on the loop. */
public interface Assignments {
    /** The assignment of a stream, or null. */
    StreamAssignment get(String account, String stream);

    /** The streams of a group, and those on their way to it. */
    Collection<StreamAssignment> inGroup(String group);

    /**
     * The last entry of the metadata's log this node has applied: a stream of an older generation that has no assignment
     * was removed.
     */
    long appliedIndex();

    /**
     * Asks whoever leads the metadata how far it is.
     *
     * @param done hears on the loop: true once this node has applied everything that was committed before the call, false
     *     when nobody could be asked
     */
    void catchUp(Consumer<Boolean> done);

    /** The nodes that have a replica of a group. */
    default List<String> replicas(String group) {
        return List.of();
    }

    /** Whether this node was removed from the cluster: what it knows of it is of the past. */
    default boolean expelled() {
        return false;
    }

    /** The tags of a node, empty when it is not known. */
    default List<String> tags(String node) {
        return List.of();
    }

    /**
     * A stream has arrived whole in the group it is on its way to, and waits there: the metadata is to make that its group,
     * unless it has changed its mind since. Told again every second until it has one way or the other.
     *
     * @param version of the assignment that sent it on its way
     */
    default void moved(String account, String stream, long generation, long version) {}

    /**
     * Generations up to here belong to an earlier life of the cluster, of which this metadata knows nothing: their
     * streams are left as they are.
     */
    default long origin() {
        return 0;
    }
}
