package io.penstock.controlplane.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Users of an account. Runs in its caller's transaction, except where it says otherwise. */
@ApplicationScoped
public class Users {
    @Inject
    AccountRepository accounts;

    @Inject
    UserRepository users;

    @Inject
    GroupRepository groups;

    @Inject
    IssuanceRepository issuances;

    @Inject
    CredentialViews views;

    @Inject
    AccountService accountService;

    @Inject
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** What a new user is; all but the name may be null. */
    record Settings(String name, String groupId, Boolean disabled, String jwtTtl, List<String> tags) {}

    UserEntity create(Scope scope, String accountId, Settings settings) {
        accounts.get(scope, accountId);
        GroupEntity group = groups.ofAccount(scope, accountId, settings.groupId());
        Issuing.ttl(settings.jwtTtl());
        UserEntity user = new UserEntity();
        user.id = ids.next("usr");
        user.orgId = scope.orgId();
        user.accountId = accountId;
        user.groupId = group.id;
        user.name = settings.name();
        user.state = "active";
        user.disabled = settings.disabled() != null && settings.disabled();
        user.jwtTtl = settings.jwtTtl();
        user.tags = settings.tags() == null ? "" : UserTags.write(settings.tags());
        user.createdAt = clock.instant();
        user.updatedAt = user.createdAt;
        locator.add(user.id, scope.orgId(), accountId);
        users.persistAndFlush(user);
        audit.success(scope, "user.created", "/v1/users/" + user.id, Map.of("name", user.name, "group", group.name));
        return user;
    }

    /** `raw` tells null, which resets, from absent, which leaves. */
    Outcome<CredentialViews.User> update(
            Scope scope, String id, String ifMatch, ObjectNode raw, CredentialResource.UserPatch patch) {
        UserEntity row = users.get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        CredentialViews.User before = views.user(row);
        Issuing.ttl(patch.jwtTtl());
        Map<String, Object> changed = new LinkedHashMap<>();
        if (patch.name() != null && !patch.name().equals(row.name)) {
            changed.put("name", Map.of("from", row.name, "to", patch.name()));
            row.name = patch.name();
        }
        if (patch.disabled() != null && patch.disabled() != row.disabled) {
            changed.put("disabled", patch.disabled());
            row.disabled = patch.disabled();
        }
        if (raw.has("jwt_ttl") && !Objects.equals(patch.jwtTtl(), row.jwtTtl)) {
            changed.put("jwt_ttl", String.valueOf(patch.jwtTtl()));
            row.jwtTtl = patch.jwtTtl();
        }
        if (raw.has("tags")) {
            String tags = patch.tags() == null ? "" : UserTags.write(patch.tags());
            if (!tags.equals(row.tags)) {
                changed.put("tags", UserTags.read(tags));
                row.tags = tags;
            }
        }
        if (!changed.isEmpty()) {
            row.updatedAt = clock.instant();
            users.flush();
            audit.success(scope, "user.updated", "/v1/users/" + id, changed);
        }
        Outcome<CredentialViews.User> outcome = Outcome.changed(before, views.user(row));
        boolean disables = row.disabled && !before.disabled();
        return disables
                ? outcome.affecting(
                                Map.of("credentials", (long) issuances.open(id).size()))
                        .warning("Connections of the user are closed. They work again when it is enabled.")
                : outcome;
    }

    /**
     * Brings what account-service voids in line with `disabled`; outside of a transaction, after it. Disabling voids the keys of what
     * is good and keeps the issuances as they are, so that enabling can give them back.
     */
    void enforce(AccountService.Reason why, UserEntity user, List<IssuanceEntity> open) {
        open.stream()
                .map(row -> row.userPublicKey)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(key -> {
                    if (user.disabled) {
                        accountService.revoke(why, user.accountId, key, "disabled", null);
                    } else {
                        accountService.liftRevocation(why, user.accountId, key);
                    }
                });
    }

    Outcome<CredentialViews.User> delete(Scope scope, String id, String ifMatch) {
        UserEntity row = users.get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        CredentialViews.User before = views.user(row);
        long open = issuances.open(id).size();
        Outcome<CredentialViews.User> outcome = Outcome.deleted(before);
        return open == 0
                ? outcome
                : outcome.affecting(Map.of("credentials", open)).warning("Everything issued to the user is revoked.");
    }

    /** After everything issued was revoked. The row stays for the ledger, without a group. */
    void bury(Scope scope, String id, int revoked) {
        UserEntity row = users.get(scope, id);
        row.state = "revoked";
        row.deletedAt = clock.instant();
        row.updatedAt = row.deletedAt;
        row.groupId = null;
        users.flush();
        locator.remove(id);
        audit.success(scope, "user.deleted", "/v1/users/" + id, Map.of("name", row.name, "issuances", revoked));
    }
}
