package io.penstock.broker.auth;

import io.penstock.broker.ConnectionType;
import java.util.List;
import java.util.Locale;

/** The ways of connecting a user is bound to. */
final class ConnectionTypes {
    private ConnectionTypes() {}

    /**
     * Whether a user with these types may use this connection. Names that this server does not know are passed over,
     * but a list of nothing else allows nothing: its author meant to restrict.
     */
    static boolean allow(List<String> allowed, ConnectionType type) {
        if (allowed.isEmpty()) {
            return true;
        }
        for (String name : allowed) {
            if (name.toUpperCase(Locale.ROOT).equals(type.name())) {
                return true;
            }
        }
        return false;
    }
}
