package io.penstock.controlplane.account;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.accountservice.AccountService.AccountStatus;
import io.penstock.controlplane.accountservice.AccountService.GroupStatus;
import io.penstock.controlplane.accountservice.AccountService.Reason;
import io.penstock.controlplane.credential.GroupEntity;
import io.penstock.controlplane.credential.GroupRepository;
import io.penstock.controlplane.sharing.SharingClaims;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Ids;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Brings the broker to the desired state through account-service and keeps what was observed. Level-triggered: each round sends
 * the whole desired state, so that a lost answer or a crash only costs a repeat.
 */
@ApplicationScoped
public class Reconciler {
    private static final Logger LOG = Logger.getLogger(Reconciler.class);
    private static final int BATCH = 20;
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    @Inject
    Tenancy tenancy;

    @Inject
    SyncQueue queue;

    @Inject
    AccountRepository accounts;

    @Inject
    GroupRepository groups;

    @Inject
    Accounts factory;

    @Inject
    AccountViews views;

    @Inject
    SharingClaims sharing;

    @Inject
    GroupScopes scopes;

    @Inject
    AccountService accountService;

    @Inject
    ObjectMapper json;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    private record Desired(AccountEntity account, List<GroupEntity> groups, AccountService.AccountSpec spec) {}

    @Scheduled(every = "${penstock.reconciler.every:1s}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void round() {
        for (SyncQueue.Task task : tenancy.worker(() -> queue.take(BATCH))) {
            work(task);
        }
    }

    /** One account now, for callers that want to wait for it. Returns whether the broker has everything. */
    public boolean now(String orgId, String accountId) {
        return reconcile(orgId, accountId);
    }

    private void work(SyncQueue.Task task) {
        try {
            boolean settled = reconcile(task.orgId(), task.accountId());
            tenancy.worker(() -> {
                if (settled) {
                    queue.done(task);
                } else {
                    queue.again(task, POLL, false);
                }
                return null;
            });
        } catch (RuntimeException failed) {
            LOG.warnf("account %s is not in sync: %s", task.accountId(), failed.toString());
            Duration wait = Duration.ofSeconds(1L << Math.min(6, task.attempts()));
            tenancy.runAs(
                    task.orgId(),
                    scope -> accounts.update(
                            "syncState = 'failed', syncError = ?1 where id = ?2",
                            "account-service could not be reached or refused",
                            task.accountId()));
            tenancy.worker(() -> {
                queue.again(task, wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait, true);
                return null;
            });
        }
    }

    private boolean reconcile(String orgId, String accountId) {
        Desired desired = tenancy.runAs(orgId, scope -> {
            AccountEntity account = accounts.any(scope, accountId);
            return new Desired(
                    account, groups.list("orgId = ?1 and accountId = ?2 order by id", orgId, accountId), spec(account));
        });
        Reason why = new Reason("system:reconciler", "account.reconcile", ids.next("req"));
        AccountEntity account = desired.account();
        if ("deleting".equals(account.state)) {
            return true;
        }
        AccountStatus status = accountService.putAccount(why, accountId, desired.spec());
        List<GroupStatus> groupStates =
                desired.groups().stream().map(group -> push(why, group)).toList();
        AccountStatus after = accountService.getAccount(why, accountId);
        return observe(orgId, desired, groupStates, after.publicKey() == null ? status : after);
    }

    /** Everything that stands in the account's claims but its keys. A deleted account is closed and keeps its streams. */
    private AccountService.AccountSpec spec(AccountEntity account) {
        PermissionSet permissions = views.defaultPermissions(account);
        ObjectNode mappings = json.createObjectNode();
        for (SubjectMapping mapping : views.mappings(account)) {
            ArrayNode to = mappings.putArray(mapping.subject());
            for (SubjectMapping.Destination destination : mapping.destinations()) {
                to.addObject()
                        .put("subject", destination.subject())
                        .put("weight", destination.weight())
                        .put("cluster", destination.cluster() == null ? "" : destination.cluster());
            }
        }
        return new AccountService.AccountSpec(
                account.desiredGeneration,
                account.name,
                json.valueToTree(views.limits(account)),
                permissions == null ? null : scopes.permissions(permissions),
                sharing.exports(account.id),
                sharing.imports(account.id),
                mappings,
                "active".equals(account.state) ? "active" : "suspended");
    }

    private GroupStatus push(Reason why, GroupEntity group) {
        JsonNode template = scopes.forBroker(factory.template(group));
        return accountService.putGroup(
                why, group.accountId, group.id, new AccountService.GroupSpec(group.name, group.description, template));
    }

    /**
     * Notes what was observed, for the generation that was sent: a change that came meanwhile keeps its `syncing`. Statements and
     * not entities, so that observing does not count as a change of the object and its ETag stays.
     */
    private boolean observe(String orgId, Desired desired, List<GroupStatus> groupStates, AccountStatus status) {
        boolean synced = "synced".equals(status.syncState());
        return tenancy.runAs(orgId, scope -> {
            String id = desired.account().id;
            long generation = desired.account().desiredGeneration;
            accounts.update("publicKey = ?1, syncError = ?2 where id = ?3", status.publicKey(), status.lastError(), id);
            if (synced) {
                accounts.update("observedGeneration = ?1 where id = ?2 and observedGeneration < ?1", generation, id);
            }
            accounts.update(
                    "syncState = ?1, syncSince = ?2 where id = ?3 and desiredGeneration = ?4 and syncState <> ?1",
                    synced ? "synced" : "failed".equals(status.syncState()) ? "failed" : "syncing",
                    clock.instant(),
                    id,
                    generation);
            boolean settled = synced && accounts.count("id = ?1 and desiredGeneration = ?2", id, generation) == 1;
            for (int i = 0; i < groupStates.size(); i++) {
                settled &= observe(desired.groups().get(i), groupStates.get(i), synced);
            }
            return settled;
        });
    }

    private boolean observe(GroupEntity wanted, GroupStatus status, boolean synced) {
        long generation = wanted.desiredGeneration;
        groups.update("publicKey = ?1, keyVersion = ?2 where id = ?3", status.publicKey(), status.version(), wanted.id);
        if (synced) {
            groups.update("observedGeneration = ?1 where id = ?2 and observedGeneration < ?1", generation, wanted.id);
        }
        groups.update(
                "syncState = ?1, syncSince = ?2 where id = ?3 and desiredGeneration = ?4 and syncState <> ?1",
                synced ? "synced" : "syncing",
                clock.instant(),
                wanted.id,
                generation);
        return synced && groups.count("id = ?1 and desiredGeneration > ?2", wanted.id, generation) == 0;
    }
}
