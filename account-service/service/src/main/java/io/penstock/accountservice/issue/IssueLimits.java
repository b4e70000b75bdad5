package io.penstock.accountservice.issue;

import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;

/** How fast tokens are issued, over all and for one account, and the switch that stops everything. */
@ApplicationScoped
class IssueLimits {
    /** Above this many accounts, full buckets are dropped. */
    private static final int MAX_BUCKETS = 10_000;

    private final ServiceConfig.Issue config;
    private final Clock clock;
    private final TokenBucket all;
    private final ConcurrentHashMap<String, TokenBucket> accounts = new ConcurrentHashMap<>();

    IssueLimits(ServiceConfig config, Clock clock) {
        this.config = config.issue();
        this.clock = clock;
        this.all = new TokenBucket(this.config.perMinute(), clock.millis());
    }

    /** A problem when issuing is off or too fast. */
    void check(String accountId) {
        if (!config.enabled()) {
            throw ProblemException.unavailable("issuing_disabled", "issuing is switched off (penstock.issue.enabled)");
        }
        long now = clock.millis();
        if (accounts.size() > MAX_BUCKETS) {
            accounts.values().removeIf(bucket -> bucket.isFull(now));
        }
        long wait = accounts.computeIfAbsent(accountId, id -> new TokenBucket(config.perAccountPerMinute(), now))
                .take(now);
        if (wait == 0) {
            wait = all.take(now);
        }
        if (wait > 0) {
            throw ProblemException.rateLimited("too many tokens are being issued", wait);
        }
    }
}
