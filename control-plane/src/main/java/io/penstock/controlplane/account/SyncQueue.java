package io.penstock.controlplane.account;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Accounts that the reconciler must look at. One row an account, however many changes wait. */
@ApplicationScoped
public class SyncQueue {
    /** A task taken by a process that died comes back after this time. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    @Inject
    EntityManager database;

    @Inject
    Clock clock;

    /** A task to work on. `dueAt` tells whether another change came meanwhile. */
    record Task(String accountId, String orgId, int attempts, Instant dueAt) {}

    /** In the transaction of the change. */
    public void enqueue(String orgId, String accountId) {
        database.createNativeQuery("insert into sync_task (account_id, org_id, attempts, due_at) values (?1, ?2, 0, ?3)"
                        + " on conflict (account_id) do update set attempts = 0, due_at = excluded.due_at")
                .setParameter(1, accountId)
                .setParameter(2, orgId)
                .setParameter(3, clock.instant())
                .executeUpdate();
    }

    /**
     * Raises the account's desired generation, in the transaction of the change, and returns the new one. A statement, so that two
     * changes at once get two generations, and the account's ETag stays.
     */
    public long touch(String orgId, String accountId) {
        Number generation = (Number) database.createNativeQuery(
                        "update account set desired_generation = desired_generation + 1, sync_state = 'syncing', sync_since = ?2"
                                + " where id = ?1 returning desired_generation")
                .setParameter(1, accountId)
                .setParameter(2, clock.instant())
                .getSingleResult();
        enqueue(orgId, accountId);
        return generation.longValue();
    }

    List<Task> take(int most) {
        Instant lease = clock.instant().plus(LEASE);
        List<?> rows = database.createNativeQuery("update sync_task set due_at = ?2 where account_id in"
                        + " (select account_id from sync_task where due_at <= ?1 order by due_at limit ?3 for update skip locked)"
                        + " returning account_id, org_id, attempts")
                .setParameter(1, clock.instant())
                .setParameter(2, lease)
                .setParameter(3, most)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Task((String) row[0], (String) row[1], ((Number) row[2]).intValue(), lease))
                .toList();
    }

    /** Unless a change came while we worked, which has set another due time. */
    void done(Task task) {
        database.createNativeQuery("delete from sync_task where account_id = ?1 and due_at = ?2")
                .setParameter(1, task.accountId())
                .setParameter(2, task.dueAt())
                .executeUpdate();
    }

    void again(Task task, Duration wait, boolean failed) {
        database.createNativeQuery("update sync_task set due_at = ?3, attempts = attempts + ?4"
                        + " where account_id = ?1 and due_at = ?2")
                .setParameter(1, task.accountId())
                .setParameter(2, task.dueAt())
                .setParameter(3, clock.instant().plus(wait))
                .setParameter(4, failed ? 1 : 0)
                .executeUpdate();
    }
}
