package io.penstock.controlplane.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.credential.GroupEntity;
import io.penstock.controlplane.credential.GroupRepository;
import io.penstock.controlplane.credential.ScopeTemplate;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/** Makes accounts with their first signing-key group. Every method runs in its caller's transaction. */
@ApplicationScoped
public class Accounts {
    /** Name of the group that comes with an account. */
    public static final String DEFAULT_GROUP = "default";

    @Inject
    AccountRepository accounts;

    @Inject
    GroupRepository groups;

    @Inject
    SyncQueue queue;

    @Inject
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    ObjectMapper json;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    public AccountEntity create(Scope scope, String projectId, String id, String name) {
        return create(scope, projectId, id, name, row -> {});
    }

    /** `settings` fills in what the caller wants otherwise than by default. */
    AccountEntity create(Scope scope, String projectId, String id, String name, Consumer<AccountEntity> settings) {
        Instant now = clock.instant();
        AccountEntity account = new AccountEntity();
        account.id = id;
        account.orgId = scope.orgId();
        account.projectId = projectId;
        account.name = name;
        account.state = "active";
        account.limits = write(AccountLimits.initial());
        account.desiredGeneration = 1;
        account.syncState = "syncing";
        account.syncSince = now;
        account.createdAt = now;
        account.updatedAt = now;
        settings.accept(account);
        locator.add(id, scope.orgId(), projectId);
        accounts.persistAndFlush(account);
        audit.success(scope, "account.created", "/v1/accounts/" + id, Map.of("name", name));
        return account;
    }

    public GroupEntity createGroup(
            Scope scope, String accountId, String id, String name, String description, ScopeTemplate template) {
        Instant now = clock.instant();
        GroupEntity group = new GroupEntity();
        group.id = id;
        group.orgId = scope.orgId();
        group.accountId = accountId;
        group.name = name;
        group.description = description == null ? "" : description;
        group.template = write(template == null ? ScopeTemplate.everything() : template.withDefaults());
        group.desiredGeneration = 1;
        group.syncState = "syncing";
        group.syncSince = now;
        group.createdAt = now;
        group.updatedAt = now;
        locator.add(id, scope.orgId(), accountId);
        groups.persistAndFlush(group);
        queue.enqueue(scope.orgId(), accountId);
        audit.success(scope, "signing_key_group.created", "/v1/signing-key-groups/" + id, Map.of("name", name));
        return group;
    }

    public String nextAccountId() {
        return ids.next("acct");
    }

    public String nextGroupId() {
        return ids.next("skg");
    }

    public ScopeTemplate template(GroupEntity group) {
        return read(group.template, ScopeTemplate.class);
    }

    public String write(Object value) {
        try {
            return json.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private <T> T read(String text, Class<T> type) {
        try {
            return json.readValue(text, type);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("a stored " + type.getSimpleName() + " cannot be read", damaged);
        }
    }
}
