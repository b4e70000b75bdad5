package io.penstock.controlplane.tenancy;

import static io.penstock.controlplane.tenancy.Permission.ACCOUNTS_READ;
import static io.penstock.controlplane.tenancy.Permission.AUDIT_READ;
import static io.penstock.controlplane.tenancy.Permission.CONSUMERS_WRITE;
import static io.penstock.controlplane.tenancy.Permission.CREDENTIALS_WRITE;
import static io.penstock.controlplane.tenancy.Permission.KV_WRITE;
import static io.penstock.controlplane.tenancy.Permission.MESSAGES_READ;
import static io.penstock.controlplane.tenancy.Permission.MESSAGES_WRITE;
import static io.penstock.controlplane.tenancy.Permission.OBJECTS_WRITE;
import static io.penstock.controlplane.tenancy.Permission.ORGANIZATION_READ;
import static io.penstock.controlplane.tenancy.Permission.ORGANIZATION_WRITE;
import static io.penstock.controlplane.tenancy.Permission.PROJECTS_READ;
import static io.penstock.controlplane.tenancy.Permission.STREAMS_WRITE;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A named set of permissions, given for an organisation or for one project. Strongest first. */
public enum Role {
    /** Everything. */
    OWNER(EnumSet.allOf(Permission.class)),
    /** Everything but the organisation itself, and so no owners either. */
    ADMIN(EnumSet.complementOf(EnumSet.of(ORGANIZATION_WRITE))),
    /** Streams, consumers, buckets, payloads and credentials. */
    DEVELOPER(with(
            readsOfViewer(),
            CREDENTIALS_WRITE,
            STREAMS_WRITE,
            CONSUMERS_WRITE,
            KV_WRITE,
            OBJECTS_WRITE,
            MESSAGES_READ,
            MESSAGES_WRITE)),
    /** Looks, touches nothing, and sees no payload and no audit log. */
    VIEWER(readsOfViewer()),
    /** Sees what costs money. */
    BILLING(EnumSet.of(ORGANIZATION_READ, PROJECTS_READ, ACCOUNTS_READ));

    private final Set<Permission> permissions;

    Role(EnumSet<Permission> permissions) {
        this.permissions = Set.copyOf(permissions);
    }

    private static EnumSet<Permission> readsOfViewer() {
        EnumSet<Permission> reads = EnumSet.noneOf(Permission.class);
        Arrays.stream(Permission.values()).filter(one -> !one.changes()).forEach(reads::add);
        reads.remove(MESSAGES_READ);
        reads.remove(AUDIT_READ);
        return reads;
    }

    private static EnumSet<Permission> with(EnumSet<Permission> base, Permission... more) {
        base.addAll(Arrays.asList(more));
        return base;
    }

    public Set<Permission> permissions() {
        return permissions;
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

    /** Empty for anything that is no role. */
    public static Optional<Role> find(String code) {
        return Arrays.stream(values()).filter(role -> role.code().equals(code)).findFirst();
    }
}
