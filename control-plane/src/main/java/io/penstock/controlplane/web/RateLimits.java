package io.penstock.controlplane.web;

import io.penstock.controlplane.tenancy.Principal;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Token buckets per person or API token and kind of call, and per address for calls without a session. Thread-safe. */
@Singleton
public class RateLimits {
    /** Buckets kept; beyond it the full ones, which hold no memory of anything, are dropped. */
    private static final int MAX_BUCKETS = 50_000;

    private final Clock clock;
    private final double factor;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    /** `factor` multiplies every rate and burst; 1 by default, more for load tests. */
    @Inject
    public RateLimits(
            Clock clock, @ConfigProperty(name = "penstock.rate-limit.factor", defaultValue = "1") double factor) {
        this.clock = clock;
        this.factor = factor;
    }

    /** The kinds of calls, each with its own bucket. */
    public enum Kind {
        /** Reads from the database. */
        READ(100, 200),
        /** Changes. */
        WRITE(20, 60),
        /** What makes credentials. */
        SECRET(2, 20),
        /** Reads of stream data through the broker. */
        BROWSE(20, 60),
        /** Changes without a session: sign-up. */
        ANONYMOUS(0.2, 20),
        /** Reads without a session. */
        ANONYMOUS_READ(20, 100);

        private final double perSecond;
        private final double burst;

        Kind(double perSecond, double burst) {
            this.perSecond = perSecond;
            this.burst = burst;
        }

        static Kind of(String method, String path) {
            if ("GET".equals(method) || "HEAD".equals(method)) {
                return path.contains("/messages") || path.endsWith("/subjects") ? BROWSE : READ;
            }
            boolean secret = path.endsWith("/credentials")
                    || path.endsWith("/tokens")
                    || path.endsWith("/actions/issue")
                    || path.matches(".*/tokens/[^/]+/actions/rotate");
            return secret ? SECRET : WRITE;
        }
    }

    private static final class Bucket {
        private double tokens;
        private long millis;

        Bucket(double tokens, long millis) {
            this.tokens = tokens;
            this.millis = millis;
        }
    }

    void principal(Principal who, Kind kind, RoutingContext routing) {
        double left = take(who.meter() + "|" + kind, kind);
        routing.response()
                .putHeader(
                        "RateLimit-Policy",
                        "\"" + name(kind) + "\";q=" + (long) (kind.burst * factor) + ";w="
                                + Math.max(1, (long) (kind.burst / kind.perSecond)))
                .putHeader("RateLimit", "\"" + name(kind) + "\";r=" + (long) Math.max(0, left));
        refuseBelowZero(left, kind);
    }

    void anonymous(String ip, boolean changes) {
        Kind kind = changes ? Kind.ANONYMOUS : Kind.ANONYMOUS_READ;
        refuseBelowZero(take(ip + "|" + kind, kind), kind);
    }

    private void refuseBelowZero(double left, Kind kind) {
        if (left < 0) {
            long wait = (long) Math.ceil(-left / (kind.perSecond * factor));
            throw ProblemException.of(ErrorCode.RATE_LIMITED, "Too many calls of this kind. Wait " + wait + " s.")
                    .header("Retry-After", Long.toString(Math.max(1, wait)));
        }
    }

    /** Takes a token and returns how many are left; below zero the call is refused and took nothing. */
    double take(String key, Kind kind) {
        long now = clock.millis();
        if (buckets.size() > MAX_BUCKETS) {
            buckets.values().removeIf(bucket -> now - bucket.millis > 300_000);
        }
        double[] left = new double[1];
        buckets.compute(key, (k, old) -> {
            Bucket bucket = old == null ? new Bucket(kind.burst * factor, now) : old;
            double refill = (now - bucket.millis) * kind.perSecond * factor / 1000;
            bucket.tokens = Math.min(kind.burst * factor, bucket.tokens + Math.max(0, refill));
            bucket.millis = now;
            left[0] = bucket.tokens - 1;
            if (left[0] >= 0) {
                bucket.tokens = left[0];
            }
            return bucket;
        });
        return left[0];
    }

    private static String name(Kind kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }
}
