package io.penstock.controlplane.operation;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;

/** The queue of what falls due by itself: purges of what was deleted, revocations after an overlap. */
@ApplicationScoped
public class DueTasks {
    private static final Logger LOG = Logger.getLogger(DueTasks.class);
    private static final int BATCH = 20;
    /** A task taken by a process that died comes back after this time. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(30);

    @Inject
    EntityManager database;

    @Inject
    Tenancy tenancy;

    @Inject
    @Any
    Instance<DueHandler> handlers;

    @Inject
    Clock clock;

    /** What to do: `ref` names the object for its kind's handler. */
    public record Task(String kind, String ref, String orgId, String accountId, int attempts) {}

    /** In the transaction of the change. */
    public void add(Scope scope, String kind, String ref, String accountId, Instant dueAt) {
        database.createNativeQuery("insert into due_task (kind, ref, org_id, account_id, attempts, due_at)"
                        + " values (?1, ?2, ?3, ?4, 0, ?5)"
                        + " on conflict (kind, ref) do update set attempts = 0, due_at = excluded.due_at")
                .setParameter(1, kind)
                .setParameter(2, ref)
                .setParameter(3, scope.orgId())
                .setParameter(4, accountId)
                .setParameter(5, dueAt)
                .executeUpdate();
    }

    /** In the transaction of the change. */
    public void remove(String kind, String ref) {
        database.createNativeQuery("delete from due_task where kind = ?1 and ref = ?2")
                .setParameter(1, kind)
                .setParameter(2, ref)
                .executeUpdate();
    }

    @Scheduled(every = "${penstock.due-tasks.every:1s}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void round() {
        for (Task task : tenancy.worker(this::take)) {
            work(task);
        }
    }

    private void work(Task task) {
        try {
            handlers.stream()
                    .filter(handler -> handler.kind().equals(task.kind()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("nobody handles " + task.kind()))
                    .run(task);
            tenancy.worker(() -> {
                remove(task.kind(), task.ref());
                return null;
            });
        } catch (RuntimeException failed) {
            LOG.warnf("%s of %s failed and is tried again: %s", task.kind(), task.ref(), failed.toString());
            Duration wait = Duration.ofSeconds(2L << Math.min(10, task.attempts()));
            Instant again = clock.instant().plus(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
            tenancy.worker(() -> database.createNativeQuery(
                            "update due_task set attempts = attempts + 1, due_at = ?3 where kind = ?1 and ref = ?2")
                    .setParameter(1, task.kind())
                    .setParameter(2, task.ref())
                    .setParameter(3, again)
                    .executeUpdate());
        }
    }

    private List<Task> take() {
        List<?> rows = database.createNativeQuery("update due_task set due_at = ?2 where (kind, ref) in"
                        + " (select kind, ref from due_task where due_at <= ?1 order by due_at limit ?3 for update skip locked)"
                        + " returning kind, ref, org_id, account_id, attempts")
                .setParameter(1, clock.instant())
                .setParameter(2, clock.instant().plus(LEASE))
                .setParameter(3, BATCH)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Task(
                        (String) row[0],
                        (String) row[1],
                        (String) row[2],
                        (String) row[3],
                        ((Number) row[4]).intValue()))
                .toList();
    }
}
