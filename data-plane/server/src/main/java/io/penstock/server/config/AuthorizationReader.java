package io.penstock.server.config;

import java.time.Duration;

/** Reads the {@code authorization} block. */
final class AuthorizationReader extends BlockReader {
    private static final Duration SUSPICIOUS = Duration.ofSeconds(60);

    private final OptionsDraft options;

    private AuthorizationReader(OptionsDraft options, Problems problems) {
        super(problems);
        this.options = options;
    }

    static void read(ConfigValue value, OptionsDraft options, Problems problems) throws ConfigException {
        new AuthorizationReader(options, problems).readAll(Values.block("authorization", value));
        if (options.token != null && (options.user != null || options.password != null)) {
            throw new ConfigException(value.position(), "Cannot have a user/pass and token");
        }
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "user", "username" -> options.user = Values.text(value);
            case "pass", "password" -> options.password = Values.text(value);
            case "token" -> options.token = Values.text(value);
            case "timeout" -> timeout(key, value);
            case "users" -> options.users = UsersReader.read(value, problems);
            case "default_permission", "default_permissions", "permissions" ->
                options.defaultPermissions = PermissionsReader.read(value, problems);
            case "auth_callout", "auth_hook" -> problems.unavailable(key, value, "authentication by a service is");
            case "proxy_required" -> {
                if (Values.flag(value)) {
                    problems.unavailable(key, value, "trusted proxies are");
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void timeout(String key, ConfigValue value) throws ConfigException {
        options.authTimeout = Values.seconds("authorization config", value);
        if (options.authTimeout.compareTo(SUSPICIOUS) > 0) {
            problems.warn(
                    value.position(),
                    "invalid use of field \"" + key + "\": timeout of " + Durations.format(options.authTimeout)
                            + " is high, consider keeping it under 60 seconds. possibly caused by unquoted duration;"
                            + " use '1m' instead of 1m, for example");
        }
    }
}
