package io.penstock.controlplane.account;

import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.broker.Broker;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.operation.DueHandler;
import io.penstock.controlplane.operation.DueTasks;
import io.penstock.controlplane.project.ProjectEntity;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Removes an account whose time to restore is over: its streams, its keys, its rows. */
@ApplicationScoped
public class AccountPurge implements DueHandler {
    static final String KIND = "account.purge";

    /** Tables with rows of an account, dependents first, and whether their ids are in the locator. */
    private static final List<String> LOCATED = List.of(
            "operation", "account_import", "share", "account_export", "issuance", "broker_user", "signing_key_group");

    @Inject
    Tenancy tenancy;

    @Inject
    EntityManager database;

    @Inject
    AccountRepository accounts;

    @Inject
    ProjectRepository projects;

    @Inject
    JetStream jetStream;

    @Inject
    AccountService accountService;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void run(DueTasks.Task task) {
        String id = task.ref();
        boolean due = tenancy.runAs(task.orgId(), scope -> {
            AccountEntity row = accounts.findById(id);
            boolean over = row != null && row.purgeAt != null && !row.purgeAt.isAfter(clock.instant());
            if (over) {
                row.state = "deleting";
            }
            return over;
        });
        if (!due) {
            return;
        }
        removeStreams(id);
        accountService.deleteAccount(new AccountService.Reason("system:purge", "account.purge", ids.next("req")), id);
        removeRows(task.orgId(), id);
    }

    private void removeStreams(String id) {
        try {
            jetStream
                    .streams(id, null)
                    .forEach(info -> jetStream.call(
                            id, "STREAM.DELETE." + info.at("/config/name").asText(), null));
        } catch (ProblemException refused) {
            // Without JetStream there are no streams; without keys an earlier round got further than this.
            if (!Integer.valueOf(10039).equals(refused.params().get("err_code"))
                    && refused.code() != ErrorCode.NOT_FOUND
                    && !refused.params().containsKey(Broker.UNKNOWN_ACCOUNT)) {
                throw refused;
            }
        }
    }

    private void removeRows(String orgId, String id) {
        tenancy.runAs(orgId, scope -> {
            AccountEntity row = accounts.any(scope, id);
            String projectId = row.projectId;
            execute("delete from stream_record where account_id = ?1", id);
            execute("delete from sync_task where account_id = ?1", id);
            for (String table : LOCATED) {
                execute(
                        "delete from resource_locator where id in (select id from " + table + " where account_id = ?1)",
                        id);
                execute("delete from " + table + " where account_id = ?1", id);
            }
            execute("delete from resource_locator where id = ?1", id);
            execute("delete from account where id = ?1", id);
            audit.success(scope, "account.purged", "/v1/accounts/" + id, Map.of("name", row.name));
            ProjectEntity project = projects.findById(projectId);
            if (project != null && project.deletedAt != null && accounts.count("projectId", projectId) == 0) {
                execute("delete from resource_locator where id = ?1", projectId);
                projects.delete(project);
            }
            return null;
        });
    }

    private void execute(String statement, String id) {
        database.createNativeQuery(statement).setParameter(1, id).executeUpdate();
    }
}
