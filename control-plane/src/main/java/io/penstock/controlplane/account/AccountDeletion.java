package io.penstock.controlplane.account;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.credential.UserRepository;
import io.penstock.controlplane.operation.DueTasks;
import io.penstock.controlplane.operation.Operations;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.project.ProjectEntity;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.sharing.ExportRepository;
import io.penstock.controlplane.sharing.ImportRepository;
import io.penstock.controlplane.sharing.ShareRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Deletes accounts so that they can be restored. A deleted account is suspended in the broker: its users are disconnected and its
 * streams stay, until the time to restore is over and {@link AccountPurge} removes everything. Runs in its caller's transaction.
 */
@ApplicationScoped
public class AccountDeletion {
    @Inject
    AccountRepository accounts;

    @Inject
    ProjectRepository projects;

    @Inject
    UserRepository users;

    @Inject
    ExportRepository exports;

    @Inject
    ImportRepository imports;

    @Inject
    ShareRepository shares;

    @Inject
    AccountChanges changes;

    @Inject
    Operations operations;

    @Inject
    DueTasks due;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    @ConfigProperty(name = "penstock.restore-window", defaultValue = "168h")
    Duration window;

    /** What came out: the operation, and for a dry run what it would touch. */
    record Result(Operations.View operation, Outcome<Operations.View> outcome) {}

    Result delete(Scope scope, String id, String ifMatch, Map<String, Object> use) {
        AccountEntity row = accounts.get(scope, id);
        scope.require(Permission.ACCOUNTS_WRITE);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        if (row.deletionProtection) {
            throw ProblemException.of(
                    ErrorCode.DELETION_PROTECTED,
                    "The account is protected from deletion. Set deletion_protection to false first.");
        }
        row.state = "deleted";
        row.deletedAt = clock.instant();
        row.purgeAt = row.deletedAt.plus(window);
        row.updatedAt = row.deletedAt;
        changes.touch(scope, row);
        due.add(scope, AccountPurge.KIND, id, id, row.purgeAt);
        audit.success(scope, "account.deleted", "/v1/accounts/" + id, Map.of("name", row.name));
        Operations.View operation =
                operations.start(scope, row, "account.delete", "close_account", "disconnect_clients");
        Map<String, Object> affected = new LinkedHashMap<>(use);
        affected.put("users", users.count("accountId = ?1 and deletedAt is null", id));
        affected.put("exports", exports.count("accountId", id));
        affected.put("imports", imports.count("accountId", id));
        affected.put("shares", shares.count("accountId = ?1 and state = 'accepted'", id));
        return new Result(
                operation,
                new Outcome<Operations.View>(
                        null,
                        null,
                        affected,
                        java.util.List.of("All clients of the account are disconnected."),
                        row.purgeAt));
    }

    Result restore(Scope scope, String id) {
        AccountEntity row = accounts.any(scope, id);
        scope.require(Permission.ACCOUNTS_WRITE);
        if (!"deleted".equals(row.state)) {
            throw ProblemException.of(
                            ErrorCode.STATE_CONFLICT,
                            "deleting".equals(row.state)
                                    ? "The time to restore the account is over."
                                    : "The account is not deleted.")
                    .param("state", row.state);
        }
        row.state = "active";
        row.deletedAt = null;
        row.purgeAt = null;
        row.updatedAt = clock.instant();
        changes.touch(scope, row);
        ProjectEntity project = projects.findById(row.projectId);
        if (project.deletedAt != null) {
            project.deletedAt = null;
            project.updatedAt = clock.instant();
            projects.flush();
        }
        due.remove(AccountPurge.KIND, id);
        audit.success(scope, "account.restored", "/v1/accounts/" + id, Map.of("name", row.name));
        Operations.View operation = operations.start(scope, row, "account.restore", "open_account", "connect_clients");
        return new Result(operation, Outcome.<Operations.View>created(null));
    }
}
