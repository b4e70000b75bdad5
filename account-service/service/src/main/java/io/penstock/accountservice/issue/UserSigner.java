package io.penstock.accountservice.issue;

import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.Groups;
import io.penstock.accountservice.store.KeyVersionEntity;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.UserClaims;
import io.penstock.claims.UserLimits;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Signs users of a group. It trusts no caller about what belongs together: group and key are looked up under the
 * account, and the key store opens a key only at the place of exactly this account, group and version.
 */
@ApplicationScoped
class UserSigner {
    private final Groups groups;
    private final KeyVault vault;

    UserSigner(Groups groups, KeyVault vault) {
        this.groups = groups;
        this.vault = vault;
    }

    /** A token and the key that signed it. */
    record Signed(String jwt, KeyVersionEntity key) {}

    /** Signs with the group's active key; call in a transaction with the account locked. */
    Signed sign(
            AccountEntity account,
            GroupEntity group,
            String userPublicKey,
            String name,
            List<String> tags,
            long issuedAt,
            long expiresAt) {
        if (!group.accountId.equals(account.accountId)) {
            throw new IllegalArgumentException("the group is not the account's");
        }
        KeyVersionEntity key = groups.activeVersion(group)
                .orElseThrow(() -> ProblemException.conflict(
                        "group_removed", "signing-key group " + group.groupId + " has no active key"));
        UserClaims claims = UserClaims.of(userPublicKey, name, account.publicKey, UserLimits.SCOPED, tags);
        KeyRef ref = new KeyRef(account.accountId, group.groupId, key.version);
        String jwt = JwtEncoder.encode(
                claims.withRegistered(claims.registered().expiringAt(expiresAt)),
                vault.signer(ref, key.publicKey),
                issuedAt);
        return new Signed(jwt, key);
    }
}
