package io.penstock.claims;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What validation found, in order. Not safe for several threads while it is being filled. */
public final class ValidationResults {
    /**
     * One finding.
     *
     * @param description what is wrong
     * @param blocking whether the claims must be refused for it
     * @param timeCheck whether it comes from the clock (expired, not yet valid) and may pass by itself
     */
    public record Issue(String description, boolean blocking, boolean timeCheck) {}

    private final List<Issue> issues = new ArrayList<>();

    void error(String description) {
        issues.add(new Issue(description, true, false));
    }

    void warning(String description) {
        issues.add(new Issue(description, false, false));
    }

    void time(String description) {
        issues.add(new Issue(description, false, true));
    }

    void times(Claims claims, Instant now) {
        if (claims.isExpired(now)) {
            time("claim is expired");
        }
        if (claims.isEarly(now)) {
            time("claim is not yet valid");
        }
    }

    public List<Issue> issues() {
        return List.copyOf(issues);
    }

    public boolean isEmpty() {
        return issues.isEmpty();
    }

    /** Whether the claims must be refused; findings of the clock count only when asked for. */
    public boolean isBlocking(boolean includeTimeChecks) {
        return issues.stream().anyMatch(issue -> issue.blocking() || (includeTimeChecks && issue.timeCheck()));
    }

    @Override
    public String toString() {
        return issues.toString();
    }
}
