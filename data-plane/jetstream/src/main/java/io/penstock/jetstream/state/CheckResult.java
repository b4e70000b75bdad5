package io.penstock.jetstream.state;

import java.util.SortedMap;

/**
 * What a replica's streams came to at an entry of the log.
 *
 * @param digests by stream id, 0 or more, or {@link #UNKNOWN}
 * @param next the first id the next check looks at, 0 when it begins anew
 */
public record CheckResult(long index, SortedMap<Long, Long> digests, long next) {
    /** There is such a stream, and what it came to is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;
}
