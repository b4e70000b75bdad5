package io.penstock.controlplane.tenancy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A right, as operations ask for it, roles hold it and tokens are cut down to it: `kind:read` or `kind:write`. */
public enum Permission {
    /** See the organisation. */
    ORGANIZATION_READ,
    /** Rename or close the organisation; with it, be an owner. */
    ORGANIZATION_WRITE,
    /** See members, invitations and who has which role. */
    MEMBERS_READ,
    /** Invite, remove, give and take roles. */
    MEMBERS_WRITE,
    /** See service accounts and tokens, never their secrets. */
    SERVICE_ACCOUNTS_READ,
    /** Create, change and delete service accounts, make and revoke tokens. */
    SERVICE_ACCOUNTS_WRITE,
    /** Read the audit log. */
    AUDIT_READ,
    /** See projects. */
    PROJECTS_READ,
    /** Create, change and delete projects. */
    PROJECTS_WRITE,
    /** See accounts, their limits and use, and the operations on them. */
    ACCOUNTS_READ,
    /** Create, change, delete and restore accounts. */
    ACCOUNTS_WRITE,
    /** See exports, shares and imports. */
    SHARING_READ,
    /** Create, change and delete exports, shares and imports. */
    SHARING_WRITE,
    /** See signing-key groups. */
    SIGNING_KEYS_READ,
    /** Create, change and delete signing-key groups. */
    SIGNING_KEYS_WRITE,
    /** See users and what was issued to them. */
    CREDENTIALS_READ,
    /** Create users, issue and revoke. */
    CREDENTIALS_WRITE,
    /** See streams and their state. */
    STREAMS_READ,
    /** Create, change, purge and delete streams. */
    STREAMS_WRITE,
    /** See consumers and their state. */
    CONSUMERS_READ,
    /** Create, change, pause and delete consumers. */
    CONSUMERS_WRITE,
    /** See KV buckets. */
    KV_READ,
    /** Create, change and delete KV buckets. */
    KV_WRITE,
    /** See object buckets. */
    OBJECTS_READ,
    /** Create, change and delete object buckets. */
    OBJECTS_WRITE,
    /** Read payloads: messages, KV entries, contents of objects. */
    MESSAGES_READ,
    /** Write payloads: messages, KV entries, contents of objects. */
    MESSAGES_WRITE;

    private final String code;

    Permission() {
        String text = name().toLowerCase(Locale.ROOT);
        int verb = text.lastIndexOf('_');
        code = text.substring(0, verb) + ":" + text.substring(verb + 1);
    }

    /** As it stands in the API, such as `signing_keys:write`. */
    public String code() {
        return code;
    }

    public boolean changes() {
        return code.endsWith(":write");
    }

    public static Optional<Permission> of(String code) {
        return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
    }
}
