package io.penstock.controlplane.tenancy;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a member may do in the organisation. */
public enum Role {
    /** Everything. */
    OWNER(EnumSet.allOf(Permission.class)),
    /** Everything but the organisation itself. */
    ADMIN(EnumSet.complementOf(EnumSet.of(Permission.MANAGE_ORGANIZATION))),
    /** Streams, consumers, messages and credentials. */
    DEVELOPER(EnumSet.of(
            Permission.READ, Permission.MANAGE_STREAMS, Permission.READ_MESSAGES, Permission.ISSUE_CREDENTIALS)),
    /** Looks, touches nothing, and sees no payload. */
    VIEWER(EnumSet.of(Permission.READ));

    private final Set<Permission> permissions;

    Role(Set<Permission> permissions) {
        this.permissions = permissions;
    }

    public boolean allows(Permission permission) {
        return permissions.contains(permission);
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Role of(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
