package io.penstock.consensus.raft;

/** What the parts of a node's engine tell it; any thread. */
interface RaftEvents {
    /** The process must not go on. */
    void fatal(String reason);

    /** The disk takes nothing of this group for now. */
    void diskRefuses(String group);

    /** A group's engine has failed: with the error it had. */
    void groupFailed(String group, String error);
}
