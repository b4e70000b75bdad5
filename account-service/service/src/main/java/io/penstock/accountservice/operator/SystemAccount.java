package io.penstock.accountservice.operator;

import io.penstock.accountservice.custody.KeyRef;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.Permissions;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserLimits;
import java.util.List;

/** The system account: one role, that of this service, which alone may change claims on the nodes. */
final class SystemAccount {
    static final String OWNER = "system";
    static final KeyRef SERVICE_KEY = new KeyRef(OWNER, "account-service", 1);

    private SystemAccount() {}

    static AccountClaims claims(String publicKey, String serviceKey) {
        Permissions permissions = new Permissions(
                new Permissions.Rules(
                        List.of(
                                "$SYS.REQ.CLAIMS.UPDATE",
                                "$SYS.REQ.CLAIMS.DELETE",
                                "$SYS.REQ.CLAIMS.LIST",
                                "$SYS.REQ.ACCOUNT.*.CLAIMS.LOOKUP",
                                "$SYS.REQ.SERVER.PING.IDZ"),
                        List.of()),
                new Permissions.Rules(
                        List.of("_INBOX.>", "$SYS.ACCOUNT.*.CONNECT", "$SYS.ACCOUNT.*.DISCONNECT"), List.of()),
                null);
        UserLimits template = UserLimits.UNLIMITED.withPermissions(permissions);
        return AccountClaims.builder(publicKey, "SYS")
                .limits(AccountLimits.UNLIMITED)
                .signingKeys(List.of(new SigningKey(
                        serviceKey,
                        new SigningKey.Scope("account-service", template, "Pushes claims, watches connections"))))
                .build();
    }
}
