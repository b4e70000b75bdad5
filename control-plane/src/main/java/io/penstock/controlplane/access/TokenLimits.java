package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.TokenGrant;
import io.penstock.controlplane.web.Durations;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Checks what somebody wants a token to be limited to. Pure. */
final class TokenLimits {
    /** Life of a token without another wish. */
    static final Duration DEFAULT_LIFE = Duration.ofDays(90);

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(366);
    /** A deployment has this long to take up the new secret. */
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(3);

    private TokenLimits() {}

    static List<String> scopes(List<String> given) {
        if (given == null || given.isEmpty()) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "scopes", "min", "at least one scope");
        }
        given.stream()
                .filter(scope -> scope == null || !TokenGrant.isScope(scope))
                .findFirst()
                .ifPresent(scope -> {
                    throw ProblemException.invalidField(
                            ErrorCode.VALIDATION_FAILED,
                            "scopes",
                            "enum",
                            "there is no scope " + scope + "; they are those of GET /v1/roles, *:read and *");
                });
        return given.stream().distinct().sorted().toList();
    }

    static List<String> cidrs(List<String> given) {
        if (given == null) {
            return List.of();
        }
        for (String cidr : given) {
            try {
                Cidr.parse(Objects.toString(cidr));
            } catch (IllegalArgumentException malformed) {
                throw ProblemException.invalidField(
                        ErrorCode.VALIDATION_FAILED, "cidrs", "cidr", malformed.getMessage());
            }
        }
        return given.stream().distinct().toList();
    }

    static Duration life(String text) {
        return text == null ? DEFAULT_LIFE : duration("expires_in", text, SHORTEST, LONGEST, "from 1m to 8784h");
    }

    static Duration overlap(String text) {
        return text == null
                ? Duration.ZERO
                : duration("overlap", text, Duration.ZERO, LONGEST_OVERLAP, "from 0s to 72h");
    }

    private static Duration duration(String field, String text, Duration min, Duration max, String range) {
        Duration value;
        try {
            value = Durations.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, field, "duration", malformed.getMessage());
        }
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, field, "range", range);
        }
        return value;
    }
}
