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
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A named set of permissions, given for an organisation or for one project. Strongest first. */
public enum Role {
    /** Everything. */
    OWNER,
    /** Everything but the organisation itself, and so no owners either. */
    ADMIN,
    /** Streams, consumers, buckets, payloads and credentials. */
    DEVELOPER,
    /** Looks, touches nothing, and sees no payload and no audit log. */
    VIEWER,
    /** Sees what costs money. */
    BILLING;

    private static final Map<Role, Set<Permission>> HELD = held();

    private static Map<Role, Set<Permission>> held() {
        EnumSet<Permission> viewer = EnumSet.noneOf(Permission.class);
        Arrays.stream(Permission.values()).filter(one -> !one.changes()).forEach(viewer::add);
        viewer.remove(MESSAGES_READ);
        viewer.remove(AUDIT_READ);
        EnumSet<Permission> developer = EnumSet.copyOf(viewer);
        developer.addAll(EnumSet.of(MESSAGES_READ, MESSAGES_WRITE, CREDENTIALS_WRITE));
        developer.addAll(EnumSet.of(STREAMS_WRITE, CONSUMERS_WRITE, KV_WRITE, OBJECTS_WRITE));
        return Map.of(
                OWNER, Set.copyOf(EnumSet.allOf(Permission.class)),
                ADMIN, Set.copyOf(EnumSet.complementOf(EnumSet.of(ORGANIZATION_WRITE))),
                DEVELOPER, Set.copyOf(developer),
                VIEWER, Set.copyOf(viewer),
                BILLING, Set.of(ORGANIZATION_READ, PROJECTS_READ, ACCOUNTS_READ));
    }

    public Set<Permission> permissions() {
        return HELD.getOrDefault(this, Set.of());
    }

    public boolean allows(Permission permission) {
        return permissions().contains(permission);
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
