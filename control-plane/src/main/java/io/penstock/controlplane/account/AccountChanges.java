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
        Change change = new Change(row, views.account(row));
        change.name(patch.name());
        change.protection(patch.deletionProtection());
        if (patch.limits() != null) {
            change.limits(patch.limits().onto(change.before.limits()), use);
        }
        if (raw.has("default_permissions")) {
            change.permissions(patch.defaultPermissions());
        }
        if (raw.has("mappings")) {
            change.mappings(patch.mappings());
        }
        if (!change.made.isEmpty()) {
            row.updatedAt = clock.instant();
            if (change.broker) {
                touch(scope, row);
            }
            audit.success(scope, "account.updated", "/v1/accounts/" + id, change.made);
            accounts.flush();
        }
        return Outcome.changed(change.before, views.account(row));
    }

    /** Takes the settings of an account over one by one, and notes what differs. */
    private final class Change {
        private final AccountEntity row;
        private final AccountResource.Account before;

        /** For the audit log. */
        private final Map<String, Object> made = new LinkedHashMap<>();

        /** Whether the broker is to hear of it. */
        private boolean broker;

        Change(AccountEntity row, AccountResource.Account before) {
            this.row = row;
            this.before = before;
        }

        void name(String next) {
            if (next != null && !next.equals(row.name)) {
                made.put("name", Map.of("from", row.name, "to", next));
                row.name = next;
                broker = true;
            }
        }

        void protection(Boolean next) {
            if (next != null && next != row.deletionProtection) {
                made.put("deletion_protection", next);
                row.deletionProtection = next;
            }
        }

        void limits(AccountLimits next, AccountUse.Use use) {
            if (!next.equals(before.limits())) {
                AccountUse.requireRoom(
                        before.limits(),
                        next,
                        use,
                        exports.count("accountId", row.id),
                        imports.count("accountId", row.id));
                made.put("limits", Map.of("from", before.limits(), "to", next));
                row.limits = factory.write(next);
                broker = true;
            }
        }

        /** Null takes them away. */
        void permissions(PermissionSet asked) {
            PermissionSet next = asked == null ? null : asked.withDefaults();
            if (!Objects.equals(next, before.defaultPermissions())) {
                made.put("default_permissions", next == null ? "none" : next);
                row.defaultPermissions = next == null ? null : factory.write(next);
                broker = true;
            }
        }

        /** Null takes them away. */
        void mappings(List<SubjectMapping> asked) {
            List<SubjectMapping> next = asked == null ? List.of() : SubjectMapping.checked(asked);
            if (!next.equals(before.mappings())) {
                made.put("mappings", next);
                row.mappings = factory.write(next);
                broker = true;
            }
        }
    }

    /** Writes the row, has the broker told of it, and reads it again with its new generation. */
    void touch(Scope scope, AccountEntity row) {
        accounts.flush();
        queue.touch(scope.orgId(), row.id);
        accounts.getEntityManager().refresh(row);
    }
}
