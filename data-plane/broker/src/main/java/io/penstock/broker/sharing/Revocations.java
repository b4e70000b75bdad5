package io.penstock.broker.sharing;

import java.util.Map;

/**
 * Which JWTs an account has revoked: for a public key, or {@code *} for all, the time up to which issued JWTs are void.
 *
 * @param until unix seconds by public key
 */
public record Revocations(Map<String, Long> until) {
    public static final Revocations NONE = new Revocations(Map.of());

    private static final String ALL = "*";

    public Revocations {
        until = Map.copyOf(until);
    }

    /**
     * Whether a JWT is void.
     *
     * @param key public key of the user or account it was issued to
     * @param issuedAt unix seconds
     */
    public boolean isRevoked(String key, long issuedAt) {
        return covers(until.get(key), issuedAt) || covers(until.get(ALL), issuedAt);
    }

    private static boolean covers(Long until, long issuedAt) {
        return until != null && issuedAt <= until;
    }
}
