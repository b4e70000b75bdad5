package io.penstock.accountservice.account;

import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.GroupState;
import io.penstock.accountservice.store.Groups;
import io.penstock.accountservice.store.KeyState;
import io.penstock.accountservice.store.KeyVersionEntity;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.KeyType;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Signing-key groups and the life of their keys. */
@ApplicationScoped
public class GroupService {
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(366);

    private final Accounts accounts;
    private final Groups groups;
    private final ClaimsBuilder claims;
    private final Specs specs;
    private final KeyVault vault;
    private final AuditLog audit;
    private final Clock clock;

    GroupService(
            Accounts accounts,
            Groups groups,
            ClaimsBuilder claims,
            Specs specs,
            KeyVault vault,
            AuditLog audit,
            Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.claims = claims;
        this.specs = specs;
        this.vault = vault;
        this.audit = audit;
        this.clock = clock;
    }

    /** Creates or changes a group. True when the account's claims have to change. */
    public boolean put(Statement statement, String accountId, String groupId, GroupSpec spec) {
        check(groupId, spec);
        return QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = lockAlive(accountId);
            GroupEntity group = groups.ofAccount(accountId, groupId).orElse(null);
            String template = specs.write(spec.template());
            String description = spec.description() == null ? "" : spec.description();
            if (group == null) {
                group = create(account, groupId, spec.role(), description, template, false);
            } else {
                requireActive(group);
                if (group.role.equals(spec.role())
                        && group.description.equals(description)
                        && group.template.equals(template)) {
                    return false;
                }
                group.role = spec.role();
                group.description = description;
                group.template = template;
            }
            account.revision++;
            AccountClaims _ = claims.build(account);
            audit.append(statement, "group.put", accountId, Map.of("group", groupId, "role", spec.role()));
            return true;
        });
    }

    /**
     * Makes a new key the one that signs. The old one is removed after the overlap, and at once when there is none:
     * its users are then disconnected.
     */
    public void rotate(Statement statement, String accountId, String groupId, long keepPreviousSeconds) {
        if (keepPreviousSeconds < 0 || keepPreviousSeconds > LONGEST_OVERLAP.toSeconds()) {
            throw ProblemException.invalid("keep_previous_seconds must be 0 to " + LONGEST_OVERLAP.toSeconds());
        }
        Instant now = clock.instant();
        List<KeyRef> removed = QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = lockAlive(accountId);
            GroupEntity group = visible(accountId, groupId);
            requireActive(group);
            List<KeyVersionEntity> versions = groups.versions(group);
            List<KeyRef> gone = new ArrayList<>();
            for (KeyVersionEntity version : versions) {
                boolean leaves = version.state == KeyState.ACTIVE
                        || (version.state == KeyState.RETIRING && keepPreviousSeconds == 0);
                if (leaves && keepPreviousSeconds == 0) {
                    version.state = KeyState.REMOVED;
                    gone.add(new KeyRef(accountId, groupId, version.version));
                } else if (leaves) {
                    version.state = KeyState.RETIRING;
                    version.retireAt = now.plusSeconds(keepPreviousSeconds);
                }
            }
            KeyVersionEntity next = addVersion(group, versions.getLast().version + 1);
            account.revision++;
            audit.append(
                    statement,
                    "group.rotated",
                    accountId,
                    Map.of("group", groupId, "version", next.version, "keep_previous_seconds", keepPreviousSeconds));
            return gone;
        });
        removed.forEach(vault::destroy);
    }

    /** Removes a group with all its keys. False when it was removed before. */
    public boolean remove(Statement statement, String accountId, String groupId) {
        List<KeyRef> removed = QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = lockAlive(accountId);
            GroupEntity group = visible(accountId, groupId);
            List<KeyRef> gone = new ArrayList<>();
            if (group.state == GroupState.REMOVED) {
                return gone;
            }
            group.state = GroupState.REMOVED;
            for (KeyVersionEntity version : groups.versions(group)) {
                version.state = KeyState.REMOVED;
                gone.add(new KeyRef(accountId, groupId, version.version));
            }
            account.revision++;
            audit.append(statement, "group.removed", accountId, Map.of("group", groupId));
            return gone;
        });
        removed.forEach(vault::destroy);
        return !removed.isEmpty();
    }

    /** Removes the account's retiring keys whose time is up. True when there were any. */
    boolean removeRetired(String accountId) {
        Instant now = clock.instant();
        List<KeyRef> removed = QuarkusTransaction.requiringNew().call(() -> {
            List<KeyRef> gone = new ArrayList<>();
            AccountEntity account = accounts.lock(accountId).orElseThrow();
            for (GroupEntity group : groups.allOf(accountId)) {
                for (KeyVersionEntity version : groups.versions(group)) {
                    if (version.state == KeyState.RETIRING && !version.retireAt.isAfter(now)) {
                        version.state = KeyState.REMOVED;
                        gone.add(new KeyRef(accountId, group.groupId, version.version));
                        audit.append(
                                Statement.SELF,
                                "group.key_retired",
                                accountId,
                                Map.of("group", group.groupId, "version", version.version));
                    }
                }
            }
            if (!gone.isEmpty()) {
                account.revision++;
            }
            return gone;
        });
        removed.forEach(vault::destroy);
        return !removed.isEmpty();
    }

    /** The group of this account, internal ones not among them; a problem when there is none. */
    public GroupEntity visible(String accountId, String groupId) {
        return groups.ofAccount(accountId, groupId)
                .filter(group -> !group.internal)
                .orElseThrow(() ->
                        ProblemException.notFound("account " + accountId + " has no signing-key group " + groupId));
    }

    /** A problem unless the group issues users. */
    public static void requireActive(GroupEntity group) {
        if (group.state != GroupState.ACTIVE) {
            throw ProblemException.conflict("group_removed", "signing-key group " + group.groupId + " is removed");
        }
    }

    /** Brings the internal group of an account made by an earlier version up to date. True when it was not. */
    boolean refreshManagementGroup(String accountId) {
        String template = specs.write(ManagementGroup.TEMPLATE);
        return QuarkusTransaction.requiringNew().call(() -> {
            AccountEntity account = accounts.lock(accountId).orElseThrow();
            GroupEntity group = groups.ofAccount(accountId, ManagementGroup.ID).orElse(null);
            if (group == null || group.template.equals(template)) {
                return false;
            }
            group.template = template;
            account.revision++;
            audit.append(Statement.SELF, "group.put", accountId, Map.of("group", ManagementGroup.ID));
            return true;
        });
    }

    void createManagementGroup(AccountEntity account) {
        GroupEntity _ = create(
                account,
                ManagementGroup.ID,
                ManagementGroup.ROLE,
                ManagementGroup.DESCRIPTION,
                specs.write(ManagementGroup.TEMPLATE),
                true);
    }

    private GroupEntity create(
            AccountEntity account, String groupId, String role, String description, String template, boolean internal) {
        GroupEntity group = new GroupEntity();
        group.accountId = account.accountId;
        group.groupId = groupId;
        group.role = role;
        group.description = description;
        group.template = template;
        group.state = GroupState.ACTIVE;
        group.internal = internal;
        group.createdAt = clock.instant();
        groups.persistAndFlush(group);
        KeyVersionEntity _ = addVersion(group, 1);
        return group;
    }

    private KeyVersionEntity addVersion(GroupEntity group, int number) {
        KeyRef ref = new KeyRef(group.accountId, group.groupId, number);
        // A key from an attempt whose transaction failed was never in any claims.
        vault.destroy(ref);
        KeyVersionEntity version = new KeyVersionEntity();
        version.groupPk = group.id;
        version.version = number;
        version.publicKey = vault.generate(ref, KeyType.ACCOUNT);
        version.state = KeyState.ACTIVE;
        version.createdAt = clock.instant();
        groups.persist(version);
        return version;
    }

    private AccountEntity lockAlive(String accountId) {
        return AccountLocks.alive(accounts, accountId);
    }

    private static void check(String groupId, GroupSpec spec) {
        if (!KeyRef.isId(groupId) || groupId.equals("identity") || groupId.equals(ManagementGroup.ID)) {
            throw ProblemException.invalid("a group id has 1 to 64 letters, digits, _ and -, and is not reserved");
        }
        if (spec == null
                || spec.role() == null
                || spec.role().isBlank()
                || spec.role().length() > 128) {
            throw ProblemException.invalid("role must have 1 to 128 characters");
        }
        if (spec.template() == null) {
            throw ProblemException.invalid("template must be given");
        }
    }
}
