package io.penstock.server.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Keeps libraries from filling the log with the same line: with a dead peer the Raft engine complains hundreds of times
 * a second. Of the lines of one logger and pattern one comes through every ten seconds, with the number of those left
 * out.
 */
final class Repetitions {
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_LINES = 1_000;
    private static final Map<String, Line> LINES = new ConcurrentHashMap<>();

    private static final class Line {
        /** Guarded by this, as all below. */
        private long writtenAt;

        private long leftOut;

        Line(long now) {
            this.writtenAt = now - QUIET_NANOS;
        }

        synchronized long ask(long now) {
            if (now - writtenAt < QUIET_NANOS) {
                leftOut++;
                return -1;
            }
            writtenAt = now;
            long repeated = leftOut;
            leftOut = 0;
            return repeated;
        }
    }

    private Repetitions() {}

    /** How many lines like this were left out since the last one, -1 when this one is to be left out too. */
    static long of(String logger, String pattern, long now) {
        String key = logger + " " + pattern;
        Line line = LINES.get(key);
        if (line == null) {
            if (LINES.size() >= MAX_LINES) {
                return 0;
            }
            line = LINES.computeIfAbsent(key, missing -> new Line(now));
        }
        return line.ask(now);
    }
}
