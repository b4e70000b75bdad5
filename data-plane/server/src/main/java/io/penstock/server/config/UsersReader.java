package io.penstock.server.config;

import io.penstock.broker.ConnectionType;
import io.penstock.broker.auth.PermissionsConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads a list of users. */
final class UsersReader {
    private UsersReader() {}

    static List<UserConfig> read(ConfigValue value, Problems problems) throws ConfigException {
        List<UserConfig> users = new ArrayList<>();
        for (ConfigValue item : Values.items("users field", value)) {
            try {
                UserReader reader = new UserReader(problems);
                reader.readAll(Values.block("user entry", item));
                UserConfig user = reader.build(item.position());
                problems.located(user, item.position());
                users.add(user);
            } catch (ConfigException e) {
                problems.addAll(e);
            }
        }
        return users;
    }

    /** One user. */
    private static final class UserReader extends BlockReader {
        private String user;
        private String password;
        private String nkey;
        private PermissionsConfig permissions;
        private List<String> connectionTypes = List.of();

        UserReader(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "user", "username" -> user = Values.text(value);
                case "pass", "password" -> password = Values.text(value);
                case "nkey" -> nkey = Values.text(value);
                case "permission", "permissions", "authorization" ->
                    permissions = PermissionsReader.read(value, problems);
                case "allowed_connection_types", "connection_types", "clients" ->
                    connectionTypes = connectionTypes(value);
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

        private static List<String> connectionTypes(ConfigValue value) throws ConfigException {
            List<String> types = new ArrayList<>();
            for (String name : Values.texts(value)) {
                String upper = name.toUpperCase(Locale.ROOT);
                try {
                    types.add(ConnectionType.valueOf(upper).name());
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(value.position(), "invalid connection types [\"" + upper + "\"]");
                }
            }
            return types;
        }

        private UserConfig build(Position position) throws ConfigException {
            if (nkey == null && (user == null || user.isEmpty())) {
                throw new ConfigException(position, "User entry requires a user");
            }
            if (nkey != null && !NKeys.isPublicKey(KeyType.USER, nkey)) {
                throw new ConfigException(position, "Not a valid public nkey for a user");
            }
            if (nkey != null && (user != null || password != null)) {
                throw new ConfigException(position, "Nkey users do not take usernames or passwords");
            }
            return new UserConfig(user, password, nkey, permissions, connectionTypes, false);
        }
    }
}
