package io.penstock.controlplane.tenancy;

import java.util.Locale;

/** What a member may do in the organisation. */
public enum Role {
    /** Everything. */
    OWNER,
    /** Everything but the organisation itself. */
    ADMIN,
    /** Streams, consumers, messages and credentials. */
    DEVELOPER,
    /** Looks, touches nothing, and sees no payload. */
    VIEWER;

    public boolean allows(Permission permission) {
        return switch (this) {
            case OWNER -> true;
            case ADMIN -> permission != Permission.MANAGE_ORGANIZATION;
            case DEVELOPER ->
                switch (permission) {
                    case READ, MANAGE_STREAMS, READ_MESSAGES, ISSUE_CREDENTIALS -> true;
                    case MANAGE_ORGANIZATION, MANAGE_ACCOUNTS, MANAGE_SIGNING_KEYS, READ_AUDIT -> false;
                };
            case VIEWER -> permission == Permission.READ;
        };
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Role of(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
