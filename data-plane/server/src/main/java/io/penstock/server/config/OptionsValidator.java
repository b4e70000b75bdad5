package io.penstock.server.config;

import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.resolver.ResolverConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Checks what several settings together must keep. */
final class OptionsValidator {
    private final OptionsDraft options;
    private final Problems problems;

    private OptionsValidator(OptionsDraft options, Problems problems) {
        this.options = options;
        this.problems = problems;
    }

    static void check(OptionsDraft options, Problems problems) {
        OptionsValidator validator = new OptionsValidator(options, problems);
        validator.limits();
        validator.users();
        validator.noAuthUser();
        validator.trust();
        validator.cluster();
    }

    private void cluster() {
        if (options.cluster.port == 0) {
            if (!options.cluster.routes.isEmpty()) {
                problems.error("solicited routes require cluster capabilities, e.g. --cluster");
            }
            return;
        }
        if (options.jetStream) {
            if (options.serverName == null || options.serverName.isEmpty()) {
                problems.error("jetstream cluster requires `server_name` to be set");
            }
            if (options.clusterName == null) {
                problems.error("jetstream cluster requires `cluster.name` to be set");
            }
        }
    }

    private void limits() {
        Duration duration = options.lameDuckDuration == null ? Duration.ofMinutes(2) : options.lameDuckDuration;
        Duration grace = options.lameDuckGrace == null ? Duration.ofSeconds(10) : options.lameDuckGrace;
        if (grace.compareTo(duration) >= 0) {
            problems.error("lame duck grace period (" + Durations.format(grace)
                    + ") should be strictly lower than lame duck duration (" + Durations.format(duration) + ")");
        }
        long payload = options.maxPayload == 0 ? 1 << 20 : options.maxPayload;
        long pending = options.maxPending == 0 ? 64L << 20 : options.maxPending;
        if (payload > pending) {
            problems.error("max_payload (" + payload + ") cannot be higher than max_pending (" + pending + ")");
        }
    }

    private void users() {
        boolean accountUsers =
                options.accounts.stream().anyMatch(account -> !account.users().isEmpty());
        if (options.user != null && options.users != null) {
            problems.error("Can not have a single user/pass and a users array");
        }
        if (options.token != null && options.users != null) {
            problems.error("Can not have a token and a users array");
        }
        if (options.user != null && accountUsers) {
            problems.error("Can not have a single user/pass and accounts");
        }
        if (options.token != null && accountUsers) {
            problems.error("Can not have a token and accounts");
        }
        Set<String> seen = new HashSet<>();
        if (options.users != null) {
            options.users.forEach(user -> requireNew(user, seen));
        }
        for (AccountConfig account : options.accounts) {
            account.users().forEach(user -> requireNew(user, seen));
        }
    }

    private void requireNew(UserConfig user, Set<String> seen) {
        String name = user.nkey() == null ? user.user() : user.nkey();
        if (!seen.add(name)) {
            problems.error(
                    problems.placeOf(user),
                    "Duplicate " + (user.nkey() == null ? "user" : "nkey") + " \"" + name + "\" detected");
        }
    }

    private void noAuthUser() {
        check("no_auth_user", options.noAuthUser);
        if (options.webSocket != null) {
            check("websocket no_auth_user", options.webSocket.noAuthUser());
        }
    }

    private void check(String key, String name) {
        if (name == null || name.isEmpty()) {
            return;
        }
        boolean anyUsers = options.users != null
                || options.accounts.stream()
                        .anyMatch(account -> !account.users().isEmpty());
        if (!anyUsers) {
            problems.error(key + ": \"" + name + "\" present, but users/nkeys are not defined");
        } else if (!hasUser(name)) {
            problems.error(key + ": \"" + name
                    + "\" not present as user or nkey in authorization block or account configuration");
        }
    }

    private boolean hasUser(String name) {
        boolean top = options.users != null && options.users.stream().anyMatch(user -> isNamed(user, name));
        return top
                || options.accounts.stream()
                        .anyMatch(account -> account.users().stream().anyMatch(user -> isNamed(user, name)));
    }

    private static boolean isNamed(UserConfig user, String name) {
        return name.equals(user.user()) || name.equals(user.nkey());
    }

    private void trust() {
        if (!options.hasOperator()) {
            String cookie = options.webSocket == null ? null : options.webSocket.jwtCookie();
            if (cookie != null) {
                problems.error("trusted operators or trusted keys configuration is required for JWT authentication"
                        + " via cookie \"" + cookie + "\"");
            }
            return;
        }
        if (!options.operatorJwts.isEmpty() && !options.trustedKeys.isEmpty()) {
            problems.error("trusted operators and trusted keys exclude each other");
        }
        if (options.resolver == null) {
            problems.error("operators require an account resolver to be configured");
        } else if (options.resolver.kind() == ResolverConfig.Kind.URL && !options.preload.isEmpty()) {
            problems.error("resolver preloads only available for resolver type MEM and directory based resolvers");
        }
        if (!options.accounts.isEmpty()) {
            problems.error("operators do not allow Accounts to be configured directly");
        }
        if (options.users != null || options.user != null) {
            problems.error("operators do not allow users to be configured directly");
        }
        if (options.noAuthUser != null) {
            problems.error("operators do not allow no_auth_user: users come with their JWTs");
        }
    }
}
