package io.penstock.jetstream.state;

import java.util.SortedMap;

/**
 * What a replica's streams came to at an entry of the log.
 *
 * @param digests by stream id
 * @param next the first id the next check looks at, 0 when it begins anew
 */
public record CheckResult(long index, SortedMap<Long, Long> digests, long next) {}
