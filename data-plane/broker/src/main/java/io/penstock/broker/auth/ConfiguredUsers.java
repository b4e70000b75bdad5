package io.penstock.broker.auth;

import io.penstock.broker.permission.Permissions;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All users of a configuration, found by name or nkey. Immutable. */
final class ConfiguredUsers {
    /** A user with its account and what it may do. */
    record Entry(UserConfig config, String account, Permissions permissions) {}

    private final Map<String, Entry> byName = new LinkedHashMap<>();
    private final Map<String, Entry> byNkey = new HashMap<>();
    private String anyHash;

    private ConfiguredUsers() {}

    static ConfiguredUsers of(AuthConfig config) throws AuthConfigException {
        ConfiguredUsers users = new ConfiguredUsers();
        AuthorizationConfig authorization = config.authorization();
        users.addAll(authorization.users(), AuthConfig.GLOBAL_ACCOUNT, authorization.defaultPermissions());
        for (AccountConfig account : config.accounts()) {
            users.addAll(account.users(), account.name(), account.defaultPermissions());
        }
        return users;
    }

    private void addAll(List<UserConfig> users, String account, PermissionsConfig defaults) throws AuthConfigException {
        PermissionRules.validate(defaults, "default_permissions of account " + account);
        for (UserConfig user : users) {
            add(user, account, defaults);
        }
    }

    private void add(UserConfig user, String account, PermissionsConfig defaults) throws AuthConfigException {
        String name = user.nkey() != null ? user.nkey() : user.user();
        if (name == null || name.isEmpty()) {
            throw new AuthConfigException(
                    "a user of account " + account + " has neither a name nor an nkey; give it one of them");
        }
        PermissionRules.validate(user.permissions(), "user " + name);
        Entry entry = new Entry(user, account, PermissionRules.compile(user.permissions(), defaults));
        if (user.nkey() != null) {
            if (!NKeys.isPublicKey(KeyType.USER, user.nkey())) {
                throw new AuthConfigException(
                        "\"" + user.nkey() + "\" is not a valid public user nkey; it begins with U"
                                + " and comes from the key tool that made the seed");
            }
            requireNew(byNkey.put(user.nkey(), entry), "nkey", name);
        } else {
            requireNew(byName.put(user.user(), entry), "user", name);
            if (user.password() != null && Secrets.isHashed(user.password())) {
                anyHash = user.password();
            }
        }
    }

    private static void requireNew(Entry previous, String kind, String name) throws AuthConfigException {
        if (previous != null) {
            throw new AuthConfigException("duplicate " + kind + " \"" + name + "\": it is in account "
                    + previous.account() + " already; every " + kind + " belongs to one account");
        }
    }

    boolean isEmpty() {
        return byName.isEmpty() && byNkey.isEmpty();
    }

    boolean hasNkeys() {
        return !byNkey.isEmpty();
    }

    boolean hasNames() {
        return !byName.isEmpty();
    }

    Entry named(String user) {
        return byName.get(user);
    }

    Entry withNkey(String nkey) {
        return byNkey.get(nkey);
    }

    Map<String, Entry> names() {
        return byName;
    }

    /** Whether every user is in this account. */
    boolean onlyIn(String account) {
        return byName.values().stream().allMatch(entry -> entry.account().equals(account))
                && byNkey.values().stream().allMatch(entry -> entry.account().equals(account));
    }

    /** Some hashed password, or null: comparing with it costs unknown users what it costs known ones. */
    String decoyHash() {
        return anyHash;
    }
}
