package io.penstock.jetstream.cluster;

import io.penstock.consensus.GroupLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How this node stands to the rest of the cluster: whether it belongs to it, whether anybody leads. Owned by the loop. */
final class Standing {
    private static final Logger LOG = LoggerFactory.getLogger(Standing.class);

    /** After a start nobody complains of missing leaders for so long. */
    private static final long GRACE_NANOS = 10_000_000_000L;

    /** A node silent for so long does not speak for the others. */
    private static final long HEARD_NANOS = 3_000_000_000L;

    private final String self;
    private final MetaMachine machine;
    private final StatusBoard board;
    private final Peers peers;
    private final GroupLoop loop;
    private final long started;
    private boolean removed;

    Standing(ClusterSettings settings, MetaMachine machine, StatusBoard board, Peers peers, GroupLoop loop) {
        this.self = settings.name();
        this.machine = machine;
        this.board = board;
        this.peers = peers;
        this.loop = loop;
        this.started = loop.steady();
    }

    /** This node was taken out of the cluster, with what it has on its disk. */
    void removed() {
        if (!removed) {
            removed = true;
            LOG.warn("this node was removed from the cluster; its data stays on disk, nothing of it is served."
                    + " Empty its store directory to bring it back");
        }
    }

    boolean isRemoved() {
        return removed;
    }

    /** Whether it is long enough ago that this node started for it to know its leaders. */
    boolean settled() {
        return loop.steady() - started > GRACE_NANOS;
    }

    /** Whether nobody leads the metadata, as far as this node and those it is linked to can tell. */
    boolean leaderless() {
        return !removed && !machine.leading() && machine.leader().isEmpty() && settled() && leaderElsewhere() == null;
    }

    /** Who leads the metadata by what another node told lately; null when none knows a leader. */
    String leaderElsewhere() {
        for (String peer : peers.up()) {
            NodeStatus status = board.of(peer);
            if (status != null
                    && !status.leader().isEmpty()
                    && !status.leader().equals(self)
                    && board.silence(peer) < HEARD_NANOS) {
                return status.leader();
            }
        }
        return null;
    }
}
