package io.penstock.broker.resolver;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The {@code resolver} setting: where account JWTs are found.
 *
 * @param directory folder of {@link Kind#FULL} and {@link Kind#CACHE}, else null
 * @param url base address of {@link Kind#URL}, to which the account's public key is appended, else null
 * @param allowDelete whether {@code $SYS.REQ.CLAIMS.DELETE} may remove accounts; off by default
 * @param hardDelete whether a removed JWT's file is deleted instead of renamed; off by default
 * @param interval time between two comparisons with other servers; 1 minute by default
 * @param timeToLive age at which a cached JWT is fetched anew; zero keeps it until it expires
 * @param limit most JWTs kept; 0 is unlimited, a cache has 1,000 by default
 * @param timeout longest wait for a look-up; 1.9 s by default
 */
public record ResolverConfig(
        Kind kind,
        Path directory,
        URI url,
        boolean allowDelete,
        boolean hardDelete,
        Duration interval,
        Duration timeToLive,
        long limit,
        Duration timeout) {
    public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(1900);
    public static final long DEFAULT_CACHE_LIMIT = 1000;

    /** The kinds of resolver. */
    public enum Kind {
        /** JWTs of {@code resolver_preload} and updates live in memory only. */
        MEMORY,
        /** Every JWT ever pushed is kept in a folder, and claims subjects are answered. */
        FULL,
        /** A folder keeps what was looked up from others. */
        CACHE,
        /** JWTs are fetched by HTTP. */
        URL
    }

    /** {@code resolver: MEMORY}. */
    public static ResolverConfig memory() {
        return new ResolverConfig(
                Kind.MEMORY, null, null, false, false, DEFAULT_INTERVAL, Duration.ZERO, 0, DEFAULT_TIMEOUT);
    }

    /** {@code resolver { type: full, dir: … }} with everything else at its default. */
    public static ResolverConfig full(Path directory) {
        return new ResolverConfig(
                Kind.FULL, directory, null, false, false, DEFAULT_INTERVAL, Duration.ZERO, 0, DEFAULT_TIMEOUT);
    }
}
