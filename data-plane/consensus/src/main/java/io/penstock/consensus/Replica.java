package io.penstock.consensus;

/**
 * A replica as seen from this node.
 *
 * @param node name of its node
 * @param voter whether it votes; otherwise it is a learner
 * @param leader whether it leads
 * @param current whether it has everything the leader had committed when last heard; false when not known
 * @param lag entries it is behind the leader's log, 0 or more; -1 when not known here
 * @param lastSeenNanos nanoseconds since it was last heard, 0 for this node itself; -1 when never or not known
 * @param offline whether its node cannot be reached from here
 */
public record Replica(
        String node, boolean voter, boolean leader, boolean current, long lag, long lastSeenNanos, boolean offline) {}
