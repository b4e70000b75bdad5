package io.penstock.consensus.raft;

import io.penstock.consensus.GroupLoop;
import java.util.function.BooleanSupplier;

/**
 * When a leader with nothing on its way tells its followers what is committed. The next append tells it anyway, so a
 * group at work waits a moment for that one; a group that was quiet tells at once, for whoever reads from a follower.
 */
final class CommitNotice {
    /** How long the next append is waited for. */
    private static final long PATIENCE_NANOS = 1_000_000;

    /** After a commit so long ago the next one is not expected soon. */
    private static final long QUIET_NANOS = 3_000_000;

    private final GroupLoop loop;
    private final BooleanSupplier idleLeader;
    private final Runnable tell;

    /** When something was committed with nothing behind it; owned by the loop. */
    private long lastCommit = -QUIET_NANOS;

    /** Written by the loop. */
    private volatile boolean planned;

    /**
     * @param idleLeader whether this replica leads and nothing is on its way to the followers
     * @param tell tells those who have everything that is committed; on the loop
     */
    CommitNotice(GroupLoop loop, BooleanSupplier idleLeader, Runnable tell) {
        this.loop = loop;
        this.idleLeader = idleLeader;
        this.tell = tell;
    }

    /** Something was committed, and nothing is on its way; on the loop. */
    void committed() {
        long now = loop.steady();
        boolean quiet = now - lastCommit >= QUIET_NANOS;
        lastCommit = now;
        if (planned) {
            return;
        }
        if (quiet) {
            tell.run();
        } else {
            planned = true;
            var _ = loop.schedule(PATIENCE_NANOS, this::onTime);
        }
    }

    private void onTime() {
        planned = false;
        if (idleLeader.getAsBoolean()) {
            tell.run();
        }
    }

    /** Whether a follower that has caught up this moment must be told apart: nobody else is about to. Any thread. */
    boolean wanted() {
        return !planned && idleLeader.getAsBoolean();
    }
}
