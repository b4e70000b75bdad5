package io.penstock.accountservice.account;

import java.util.List;

/** The signing-key group each account has for the control plane's own, short-lived users. */
public final class ManagementGroup {
    /** Its id; tenants cannot make one of this name. */
    public static final String ID = "penstock-management";

    static final String ROLE = "penstock-management";
    static final String DESCRIPTION = "Short-lived users of the control plane, for the JetStream API";

    /**
     * JetStream's API in the account, its key-value and object buckets, and what the account may ask about itself. Nothing of the
     * tenant's other subjects.
     */
    static final TemplateSpec TEMPLATE = new TemplateSpec(
            new PermissionsSpec.Rules(
                    List.of(
                            "$JS.API.>",
                            "$JS.ACK.>",
                            "$KV.>",
                            "$O.>",
                            "$SYS.REQ.USER.INFO",
                            "$SYS.REQ.ACCOUNT.PING.STATZ"),
                    List.of()),
            new PermissionsSpec.Rules(List.of("_INBOX.>"), List.of()),
            null,
            null,
            null,
            null,
            List.of("STANDARD", "WEBSOCKET"),
            List.of(),
            List.of(),
            null,
            false);

    private ManagementGroup() {}
}
