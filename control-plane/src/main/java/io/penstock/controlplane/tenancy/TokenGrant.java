package io.penstock.controlplane.tenancy;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What a token is cut down to: one organisation, some scopes, and some projects (none: all). A scope is a permission's code, `*:read`
 * or `*`.
 */
public record TokenGrant(
        String tokenId, String name, String orgId, List<String> scopes, Set<String> projectIds, Instant expiresAt) {
    /** Whatever the owner may. */
    public static final String ALL = "*";
    /** Whatever the owner may read, payloads left out. */
    public static final String ALL_READS = "*:read";

    boolean includes(Permission permission) {
        return includes(scopes, permission);
    }

    static boolean includes(List<String> scopes, Permission permission) {
        boolean plainRead = !permission.changes() && permission != Permission.MESSAGES_READ;
        return scopes.contains(ALL) || scopes.contains(permission.code()) || (plainRead && scopes.contains(ALL_READS));
    }

    public static boolean isScope(String scope) {
        return ALL.equals(scope)
                || ALL_READS.equals(scope)
                || Permission.of(scope).isPresent();
    }
}
