package io.penstock.broker.auth;

import io.penstock.broker.sharing.MappingConfig;
import java.util.List;

/**
 * Everything the configuration says about who may connect and into which account. Exactly one of two worlds: accounts
 * and users written in the file, or a trust chain ({@link #operator}) whose accounts come as JWTs.
 *
 * @param authorization the {@code authorization} block; {@link AuthorizationConfig#NONE} when absent
 * @param accounts the {@code accounts} block in the order of the file; must be empty with an operator
 * @param mappings top-level {@code mappings}, which belong to the global account {@code $G}
 * @param noAuthUser user (or public nkey) that connections without credentials are bound to, or null
 * @param systemAccount name (public key in operator mode) of the system account, or null for the default {@code $SYS}
 * @param systemAccountDisabled {@code no_system_account}: no system account, so no events and no system services
 * @param operator operator mode, or null
 */
public record AuthConfig(
        AuthorizationConfig authorization,
        List<AccountConfig> accounts,
        List<MappingConfig> mappings,
        String noAuthUser,
        String systemAccount,
        boolean systemAccountDisabled,
        OperatorConfig operator) {
    /** Name of the account that users without one are bound to. */
    public static final String GLOBAL_ACCOUNT = "$G";

    /** Name of the system account when the configuration does not name one. */
    public static final String DEFAULT_SYSTEM_ACCOUNT = "$SYS";

    /** Nothing configured: everybody may connect, into {@code $G}. */
    public static final AuthConfig OPEN =
            new AuthConfig(AuthorizationConfig.NONE, List.of(), List.of(), null, null, false, null);

    public AuthConfig {
        accounts = List.copyOf(accounts);
        mappings = List.copyOf(mappings);
    }
}
