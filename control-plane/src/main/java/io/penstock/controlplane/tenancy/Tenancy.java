package io.penstock.controlplane.tenancy;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The only way to a transaction. Its first statement names the person and the organisation for row-level security, for this
 * transaction alone; what is not named sees nothing. Do not nest: a nested call would take a second connection.
 */
@ApplicationScoped
public class Tenancy {
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String FOREIGN_KEY_VIOLATION = "23503";

    @Inject
    EntityManager database;

    /** Before sign-in, and for tables that no organisation owns. No tenant's row is visible. */
    public <T> T anonymous(Supplier<T> work) {
        return transaction("", "", "", "", work);
    }

    /** Finds the own user row by the identity provider's id. */
    public <T> T asSubject(String sub, String userId, Supplier<T> work) {
        return transaction("", userId, sub, "", work);
    }

    /** For what belongs to the person: memberships, organisations to choose from, keys of idempotent calls. */
    public <T> T asUser(Principal who, Supplier<T> work) {
        return transaction("", who.userId(), who.sub(), "", work);
    }

    /** Within the organisation that owns the object `id`, if `who` is a member of it; 404 else. */
    public <T> T onResource(Principal who, String id, Function<Scope, T> work) {
        return transaction("", who.userId(), who.sub(), "", () -> {
            List<?> found = database.createNativeQuery(
                            "select m.org_id, m.role from resource_locator r join membership m on m.org_id = r.org_id"
                                    + " where r.id = ?1 and m.user_id = ?2")
                    .setParameter(1, id)
                    .setParameter(2, who.userId())
                    .getResultList();
            if (found.isEmpty()) {
                throw ProblemException.notFound();
            }
            Object[] row = (Object[]) found.getFirst();
            String orgId = (String) row[0];
            set("app.org_id", orgId);
            return work.apply(new Scope(orgId, who, Role.of((String) row[1])));
        });
    }

    /** For work that the organisation's own state asks for, without a person at the other end. */
    public <T> T runAs(String orgId, Function<Scope, T> work) {
        return transaction(orgId, "", "", "", () -> work.apply(new Scope(orgId, null, null)));
    }

    /** For the set-up of a person's first organisation. */
    public <T> T runAs(String orgId, Principal who, Function<Scope, T> work) {
        return transaction(orgId, who.userId(), who.sub(), "", () -> work.apply(new Scope(orgId, who, Role.OWNER)));
    }

    /** Opens the queues of background work, nothing else. */
    public <T> T worker(Supplier<T> work) {
        return transaction("", "", "", "on", work);
    }

    private <T> T transaction(String orgId, String userId, String sub, String worker, Supplier<T> work) {
        try {
            return QuarkusTransaction.requiringNew().call(() -> {
                database.createNativeQuery(
                                "select set_config('app.org_id', ?1, true), set_config('app.user_id', ?2, true),"
                                        + " set_config('app.user_sub', ?3, true), set_config('app.worker', ?4, true)")
                        .setParameter(1, orgId)
                        .setParameter(2, userId)
                        .setParameter(3, sub)
                        .setParameter(4, worker)
                        .getSingleResult();
                return work.get();
            });
        } catch (RuntimeException failure) {
            throw translated(failure);
        }
    }

    private void set(String name, String value) {
        database.createNativeQuery("select set_config(?1, ?2, true)")
                .setParameter(1, name)
                .setParameter(2, value)
                .getSingleResult();
    }

    private static RuntimeException translated(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProblemException problem) {
                return problem;
            }
            if (cause instanceof OptimisticLockException) {
                return ProblemException.of(
                        ErrorCode.VERSION_MISMATCH,
                        "It was changed by somebody else at the same moment. Read it again.");
            }
            if (cause instanceof SQLException sql) {
                if (UNIQUE_VIOLATION.equals(sql.getSQLState())) {
                    return ProblemException.of(ErrorCode.ALREADY_EXISTS, "The name is taken here. Choose another one.");
                }
                if (FOREIGN_KEY_VIOLATION.equals(sql.getSQLState())) {
                    return ProblemException.of(
                            ErrorCode.HAS_DEPENDENTS, "Something still depends on it. Delete that first.");
                }
            }
        }
        return failure;
    }
}
