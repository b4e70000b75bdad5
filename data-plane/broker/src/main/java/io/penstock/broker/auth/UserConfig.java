package io.penstock.broker.auth;

import java.util.List;

/**
 * A user of the configuration: either name and password, or a public nkey.
 *
 * @param user user name (with mapped TLS certificates: e-mail, DNS name, URI or distinguished name), or null
 * @param password plain or bcrypt; null only where the TLS certificate proves the user
 * @param nkey public user nkey ({@code U…}), or null
 * @param permissions own permissions, or null for the block's default permissions
 * @param connectionTypes {@code allowed_connection_types} in upper case; empty allows all
 * @param proxyRequired whether only a trusted proxy may bring this user
 */
public record UserConfig(
        String user,
        String password,
        String nkey,
        PermissionsConfig permissions,
        List<String> connectionTypes,
        boolean proxyRequired) {
    public UserConfig {
        connectionTypes = List.copyOf(connectionTypes);
    }
}
