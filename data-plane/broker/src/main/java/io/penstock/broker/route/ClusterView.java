package io.penstock.broker.route;

import java.util.Map;

/** The nodes this one has routes to. Safe from any thread. */
public interface ClusterView {
    /** What this node tells of itself. */
    NodeDescription self();

    /** Nodes with routes to this one, by name, without this one. A snapshot. */
    Map<String, NodeDescription> nodes();

    /** How many nodes the configuration names: its routes that do not lead back here, and this node. At least 1. */
    int expectedNodes();

    /** Tells {@code listener} of the nodes that are there at once, then of each change. */
    void addListener(Listener listener);

    /** Somebody has reason to think that a node is out of reach: its routes close unless it answers within a second. */
    default void doubt(String name) {}

    /** Is told of nodes coming and going. Calls come from any thread, one at a time, and must not block. */
    interface Listener {
        /** Routes to the node are open, or it told something new of itself. */
        void nodeUp(NodeDescription node);

        /**
         * The last route to the node closed.
         *
         * @param refused whether its host answers but refuses new routes: the process is gone. May follow a call
         *     without it.
         */
        void nodeDown(String name, boolean refused);
    }
}
