package io.penstock.broker.auth;

import java.time.Duration;
import java.util.List;

/**
 * The {@code authorization} block, or what {@code --user}, {@code --pass} and {@code --auth} say. A single user, a token
 * and a list of users exclude each other, except that a single user may stand beside a list.
 *
 * @param user the one user, or null
 * @param password its password, plain or bcrypt ({@code $2a$}, {@code $2b$}, {@code $2y$}), or null
 * @param token token, plain or bcrypt, or null
 * @param users users of the global account
 * @param permissions permissions of the single user or the token, or null
 * @param defaultPermissions permissions of users in the list that have none of their own, or null
 * @param timeout time a connection has for its CONNECT, or null for the default (2 s; TLS timeout + 1 s with TLS)
 * @param mapTlsCertificates {@code tls.verify_and_map}: the user is the one the client certificate names
 */
public record AuthorizationConfig(
        String user,
        String password,
        String token,
        List<UserConfig> users,
        PermissionsConfig permissions,
        PermissionsConfig defaultPermissions,
        Duration timeout,
        boolean mapTlsCertificates) {
    /** No {@code authorization} block. */
    public static final AuthorizationConfig NONE =
            new AuthorizationConfig(null, null, null, List.of(), null, null, null, false);

    public AuthorizationConfig {
        users = List.copyOf(users);
    }
}
