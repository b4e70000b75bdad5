package io.penstock.jetstream.runtime;

/** A pull request that waits for messages. Owned by the loop. */
final class PullWaiter {
    private final String reply;
    private final long expires;
    private final boolean noWait;
    private final long heartbeat;
    private final boolean limitsBytes;
    private int left;
    private long bytesLeft;
    private int delivered;
    private long nextHeartbeat;

    /**
     * A request.
     *
     * @param maxBytes most bytes to send, 0 for no limit
     * @param expires nanoseconds since the epoch, 0 for never
     * @param heartbeat pause between heartbeats in nanoseconds, 0 for none
     */
    PullWaiter(String reply, int batch, long maxBytes, boolean noWait, long expires, long heartbeat, long now) {
        this.reply = reply;
        this.left = batch;
        this.bytesLeft = maxBytes;
        this.limitsBytes = maxBytes > 0;
        this.noWait = noWait;
        this.expires = expires;
        this.heartbeat = heartbeat;
        this.nextHeartbeat = heartbeat == 0 ? Long.MAX_VALUE : now + heartbeat;
    }

    String reply() {
        return reply;
    }

    boolean noWait() {
        return noWait;
    }

    boolean expires() {
        return expires > 0;
    }

    boolean expired(long now) {
        return expires > 0 && now >= expires;
    }

    /** When something has to be sent, whatever happens. */
    long nextTime() {
        return Math.min(nextHeartbeat, expires > 0 ? expires : Long.MAX_VALUE);
    }

    boolean heartbeatDue(long now) {
        return now >= nextHeartbeat;
    }

    void heartbeatSent(long now) {
        nextHeartbeat = heartbeat == 0 ? Long.MAX_VALUE : now + heartbeat;
    }

    boolean fits(long size) {
        return !limitsBytes || size <= bytesLeft;
    }

    /** Notes that a message of this size went out. */
    void sent(long size, long now) {
        left--;
        delivered++;
        if (limitsBytes) {
            bytesLeft -= size;
            if (bytesLeft == 0) {
                left = 0;
            }
        }
        heartbeatSent(now);
    }

    boolean done() {
        return left <= 0;
    }

    /** Whether bytes were left over when the batch was done. */
    boolean bytesRemain() {
        return limitsBytes && bytesLeft > 0;
    }

    int left() {
        return left;
    }

    long bytesLeft() {
        return bytesLeft;
    }

    int delivered() {
        return delivered;
    }
}
