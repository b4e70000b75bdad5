package io.penstock.claims;

import java.util.List;
import java.util.Map;

/**
 * Auth callout of an account.
 *
 * @param authUsers public keys of users who are not sent to the callout; empty when there is none
 * @param allowedAccounts accounts the callout may place users in, or `*`
 * @param xkey curve key the requests are sealed to, empty for plain requests
 */
public record ExternalAuthorization(List<String> authUsers, List<String> allowedAccounts, String xkey) {
    /** No callout. */
    public static final ExternalAuthorization NONE = new ExternalAuthorization(List.of(), List.of(), "");

    public boolean isEnabled() {
        return !authUsers.isEmpty();
    }

    static ExternalAuthorization read(JsonObject json) throws InvalidTokenException {
        return new ExternalAuthorization(
                json.strings("auth_users"), json.strings("allowed_accounts"), json.string("xkey"));
    }

    Map<String, Object> toJson() {
        return new JsonFields()
                .put("auth_users", authUsers)
                .put("allowed_accounts", allowedAccounts)
                .put("xkey", xkey)
                .toMap();
    }

    void validate(ValidationResults results) {
        if (!isEnabled() && (!allowedAccounts.isEmpty() || !xkey.isEmpty())) {
            results.error("external authorization cannot have accounts or an xkey without auth users");
        }
        for (String user : authUsers) {
            if (!NKeys.isPublicKey(KeyType.USER, user)) {
                results.error("auth user '" + user + "' is not a user public key");
            }
        }
        for (String account : allowedAccounts) {
            boolean any = account.equals("*");
            if (any && allowedAccounts.size() > 1) {
                results.error("allowed accounts can only be a list of accounts or '*'");
            } else if (!any && !NKeys.isPublicKey(KeyType.ACCOUNT, account)) {
                results.error("allowed account '" + account + "' is not an account public key");
            }
        }
        if (!xkey.isEmpty() && !NKeys.isPublicKey(KeyType.CURVE, xkey)) {
            results.error("xkey '" + xkey + "' is not a curve public key");
        }
    }
}
