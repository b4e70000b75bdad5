package io.penstock.accountservice.issue;

/** A rate limit: fills evenly, holds at most a minute's worth. Guarded by its own monitor. */
final class TokenBucket {
    private final double perSecond;
    private final double capacity;
    private double tokens;
    private long filledAtMillis;

    TokenBucket(int perMinute, long nowMillis) {
        this.perSecond = perMinute / 60.0;
        this.capacity = perMinute;
        this.tokens = perMinute;
        this.filledAtMillis = nowMillis;
    }

    /** Takes one. 0 when there was one, else the seconds until there is. */
    synchronized long take(long nowMillis) {
        double elapsed = Math.max(0, nowMillis - filledAtMillis) / 1000.0;
        tokens = Math.min(capacity, tokens + elapsed * perSecond);
        filledAtMillis = nowMillis;
        if (tokens >= 1) {
            tokens -= 1;
            return 0;
        }
        return Math.max(1, (long) Math.ceil((1 - tokens) / perSecond));
    }

    /** Whether nothing was taken for so long that a new bucket would be the same. */
    synchronized boolean isFull(long nowMillis) {
        return tokens + Math.max(0, nowMillis - filledAtMillis) / 1000.0 * perSecond >= capacity;
    }
}
