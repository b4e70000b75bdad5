package io.penstock.controlplane.tenancy;

import java.util.Locale;

/** A right, as roles hold it and operations ask for it. */
public enum Permission {
    /** See everything but payloads. */
    READ,
    /** Rename or close the organisation. */
    MANAGE_ORGANIZATION,
    /** Create, change and delete projects and accounts. */
    MANAGE_ACCOUNTS,
    /** Create, change and delete signing-key groups. */
    MANAGE_SIGNING_KEYS,
    /** Create users, issue and revoke. */
    ISSUE_CREDENTIALS,
    /** Create, change, purge and delete streams and consumers. */
    MANAGE_STREAMS,
    /** Read messages with their payload. */
    READ_MESSAGES,
    /** Read the audit log. */
    READ_AUDIT;

    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
