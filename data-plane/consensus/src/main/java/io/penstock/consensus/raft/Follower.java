package io.penstock.consensus.raft;

/**
 * What a leader's replica has heard of another one. Written by the link's thread; read by any.
 */
final class Follower {
    /** Appends in a row without an answer, while signs of life come, at which the way to the follower is made anew. */
    private static final int STUCK_APPENDS = 3;

    private volatile long heardAt;
    private volatile long lastIndex = -1;

    /** Owned by the link's thread, as all below. */
    private int unanswered;

    private boolean alive;

    /** Nanoseconds since it was last heard, -1 when never. */
    long silentNanos(long now) {
        long heard = heardAt;
        return heard == 0 ? -1 : Math.max(0, now - heard);
    }

    /** The last index it said it has, -1 when it never did. */
    long lastIndex() {
        return lastIndex;
    }

    void answered(long now, long index, boolean append) {
        heardAt = now;
        if (index > 0) {
            lastIndex = index;
        }
        if (append) {
            unanswered = 0;
            alive = false;
        } else {
            alive = true;
        }
    }

    /** An append has had no answer in time; answers whether the way is stuck: others are answered, appends never. */
    boolean unanswered() {
        unanswered++;
        if (unanswered >= STUCK_APPENDS && alive) {
            unanswered = 0;
            alive = false;
            return true;
        }
        return false;
    }
}
