package io.penstock.accountservice.account;

import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.AccountState;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.GroupState;
import io.penstock.accountservice.store.Groups;
import io.penstock.accountservice.store.KeyState;
import io.penstock.accountservice.store.KeyVersionEntity;
import io.penstock.accountservice.store.Revocations;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.SigningKey;
import io.penstock.claims.ValidationResults;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** The claims an account should have now, from everything the database knows. Call in a transaction. */
@ApplicationScoped
public class ClaimsBuilder {
    private static final Logger LOG = Logger.getLogger(ClaimsBuilder.class);

    private final Accounts accounts;
    private final Groups groups;
    private final Revocations revocations;
    private final Specs specs;
    private final KeyVault vault;
    private final Clock clock;

    ClaimsBuilder(Accounts accounts, Groups groups, Revocations revocations, Specs specs, KeyVault vault, Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.revocations = revocations;
        this.specs = specs;
        this.vault = vault;
        this.clock = clock;
    }

    /** The claims; a problem of the caller's when what is wanted breaks a rule. */
    public AccountClaims build(AccountEntity account) {
        Map<String, Long> revoked = new LinkedHashMap<>();
        revocations.inForce(account.accountId).forEach((key, event) -> revoked.put(key, event.revokedAt));
        AccountClaims claims = ClaimsFactory.account(
                account.publicKey, specs.of(account), signingKeys(account), revoked, this::publicKeyOf);
        ValidationResults results = claims.validate(clock.instant());
        if (results.isBlocking(false)) {
            throw ProblemException.invalid(results.issues().stream()
                    .filter(ValidationResults.Issue::blocking)
                    .map(ValidationResults.Issue::description)
                    .collect(Collectors.joining("; ")));
        }
        return claims;
    }

    /** A suspended account keeps the control plane's own key alone: the tenant's users no longer have an issuer. */
    private List<SigningKey> signingKeys(AccountEntity account) {
        List<SigningKey> keys = new ArrayList<>();
        if (account.state == AccountState.DELETING) {
            return keys;
        }
        for (GroupEntity group : groups.allOf(account.accountId)) {
            boolean listed = group.internal || account.state == AccountState.ACTIVE;
            if (!listed || group.state != GroupState.ACTIVE) {
                continue;
            }
            for (KeyVersionEntity version : groups.versions(group)) {
                if (version.state != KeyState.REMOVED && isKept(group, version)) {
                    keys.add(ClaimsFactory.signingKey(
                            version.publicKey, group.role, group.description, specs.of(group)));
                }
            }
        }
        return keys;
    }

    /**
     * A key that was destroyed is never trusted again, whatever the database says: one restored from an older backup still
     * lists keys that have been removed since, perhaps because they leaked.
     */
    private boolean isKept(GroupEntity group, KeyVersionEntity version) {
        boolean kept = vault.contains(new KeyRef(group.accountId, group.groupId, version.version));
        if (!kept) {
            LOG.warnf(
                    "account %s: key %d of group %s is not in the key store and is left out of the claims",
                    group.accountId, version.version, group.groupId);
        }
        return kept;
    }

    private String publicKeyOf(String accountId) {
        AccountEntity other = accounts.findById(accountId);
        if (other == null || other.state == AccountState.DELETED) {
            throw ProblemException.invalid("import from account " + accountId + ", which does not exist");
        }
        return other.publicKey;
    }
}
