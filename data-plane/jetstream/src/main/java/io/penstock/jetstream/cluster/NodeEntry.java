package io.penstock.jetstream.cluster;

import java.util.List;

/**
 * A node as the metadata knows it.
 *
 * @param name its {@code server_name}
 * @param incarnation drawn when its store directory was new; another one means that it has forgotten everything
 * @param tags lower case
 * @param joined index of the entry that let this incarnation in
 */
public record NodeEntry(String name, String incarnation, List<String> tags, State state, long joined) {
    /** The part a node plays. */
    public enum State {
        /** Carries replicas and is given more. */
        MEMBER,
        /** Keeps what it carries until others have it; is given nothing. */
        DRAINING,
        /** Was taken out of the cluster for good; this incarnation is not let in again. */
        REMOVED
    }

    public NodeEntry {
        tags = List.copyOf(tags);
    }

    NodeEntry with(State next) {
        return new NodeEntry(name, incarnation, tags, next, joined);
    }
}
