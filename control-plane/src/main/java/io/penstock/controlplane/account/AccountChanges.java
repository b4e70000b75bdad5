package io.penstock.controlplane.account;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.credential.TemplateCheck;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.sharing.ExportRepository;
import io.penstock.controlplane.sharing.ImportRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Etags;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Settings of an account and what a change of them does. Runs in its caller's transaction. */
@ApplicationScoped
public class AccountChanges {
    @Inject
    AccountRepository accounts;

    @Inject
    ExportRepository exports;

    @Inject
    ImportRepository imports;

    @Inject
    AccountViews views;

    @Inject
    Accounts factory;

    @Inject
    TemplateCheck templates;

    @Inject
    SyncQueue queue;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    /** Checks everything that needs no database. */
    void validate(PermissionSet permissions, List<SubjectMapping> mappings) {
        if (permissions != null) {
            templates.validate("default_permissions", permissions.asTemplate());
        }
        if (mappings != null) {
            SubjectMapping.checked(mappings);
        }
    }

    /** Fills a new account's settings in, before it is written first. */
    void apply(AccountEntity row, AccountResource.AccountCreate form, boolean protectedByProject) {
        row.deletionProtection = form.deletionProtection() == null ? protectedByProject : form.deletionProtection();
        if (form.limits() != null) {
            row.limits = factory.write(form.limits().onto(AccountLimits.initial()));
        }
        if (form.defaultPermissions() != null) {
            row.defaultPermissions = factory.write(form.defaultPermissions().withDefaults());
        }
        if (form.mappings() != null) {
            row.mappings = factory.write(SubjectMapping.checked(form.mappings()));
        }
    }

    /** `raw` tells null, which resets, from absent, which leaves. `use` is needed with limits. */
    Outcome<AccountResource.Account> update(
            Scope scope,
            String id,
            String ifMatch,
            ObjectNode raw,
            AccountResource.AccountPatch patch,
            AccountUse.Use use) {
        AccountEntity row = accounts.get(scope, id);
        scope.require(Permission.ACCOUNTS_WRITE);
        Etags.check(ifMatch, Etags.ofVersion(row.version));
        AccountResource.Account before = views.account(row);
        Map<String, Object> changed = new LinkedHashMap<>();
        boolean broker = false;
        if (patch.name() != null && !patch.name().equals(row.name)) {
            changed.put("name", Map.of("from", row.name, "to", patch.name()));
            row.name = patch.name();
            broker = true;
        }
        if (patch.deletionProtection() != null && patch.deletionProtection() != row.deletionProtection) {
            changed.put("deletion_protection", patch.deletionProtection());
            row.deletionProtection = patch.deletionProtection();
        }
        if (patch.limits() != null) {
            AccountLimits next = patch.limits().onto(before.limits());
            if (!next.equals(before.limits())) {
                AccountUse.requireRoom(
                        before.limits(), next, use, exports.count("accountId", id), imports.count("accountId", id));
                changed.put("limits", Map.of("from", before.limits(), "to", next));
                row.limits = factory.write(next);
                broker = true;
            }
        }
        if (raw.has("default_permissions")) {
            PermissionSet next = patch.defaultPermissions() == null
                    ? null
                    : patch.defaultPermissions().withDefaults();
            if (!Objects.equals(next, before.defaultPermissions())) {
                changed.put("default_permissions", next == null ? "none" : next);
                row.defaultPermissions = next == null ? null : factory.write(next);
                broker = true;
            }
        }
        if (raw.has("mappings")) {
            List<SubjectMapping> next = patch.mappings() == null ? List.of() : SubjectMapping.checked(patch.mappings());
            if (!next.equals(before.mappings())) {
                changed.put("mappings", next);
                row.mappings = factory.write(next);
                broker = true;
            }
        }
        if (!changed.isEmpty()) {
            row.updatedAt = clock.instant();
            if (broker) {
                touch(scope, row);
            }
            audit.success(scope, "account.updated", "/v1/accounts/" + id, changed);
            accounts.flush();
        }
        return Outcome.changed(before, views.account(row));
    }

    /** Writes the row, has the broker told of it, and reads it again with its new generation. */
    void touch(Scope scope, AccountEntity row) {
        accounts.flush();
        queue.touch(scope.orgId(), row.id);
        accounts.getEntityManager().refresh(row);
    }
}
