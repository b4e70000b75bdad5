package io.penstock.controlplane.tenancy;

import io.penstock.controlplane.web.ProblemException;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The only way to a transaction. Its first statement names the person and the organisation for row-level security, for this
 * transaction alone; what is not named sees nothing. Do not nest: a nested call would take a second connection. Work may run more than
 * once, when the database undoes it because of a deadlock; so it changes nothing but the database.
 */
@ApplicationScoped
public class Tenancy {
    /** Runs of a transaction that the database undoes because it collided with others. */
    private static final int ATTEMPTS = 4;

    private static final Duration GAP = Duration.ofMillis(25);

    private static final Rights OWNER = Rights.of(List.of(new Rights.Given(Role.OWNER, null)));

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

    /** Within the organisation that owns the object `id`, if `who` belongs to it; 404 else. */
    public <T> T onResource(Principal who, String id, Function<Scope, T> work) {
        return transaction("", who.userId(), who.sub(), "", () -> {
            Scope scope = find(who, id);
            set("app.org_id", scope.orgId());
            return work.apply(scope);
        });
    }

    /** As {@link #onResource}, for an organisation: ids of other things lead to theirs as well, but not as `org`. */
    public <T> T onOrganization(Principal who, String org, Function<Scope, T> work) {
        if (!org.startsWith("org_")) {
            throw ProblemException.notFound();
        }
        return onResource(who, org, work);
    }

    /** For the holder of a secret: `organizationOf` sees the one row whose hash this is, `work` then that organisation. */
    public <T> Optional<T> bySecret(String hash, Supplier<Optional<String>> organizationOf, Function<String, T> work) {
        return transaction("", "", "", "", () -> {
            set("app.secret_hash", hash);
            Optional<String> organization = organizationOf.get();
            organization.ifPresent(org -> set("app.org_id", org));
            return organization.map(work);
        });
    }

    /** Where no organisation is concerned: sees only the rows that belong to this hash. */
    public <T> T holding(String hash, Supplier<T> work) {
        return transaction("", "", "", "", () -> {
            set("app.secret_hash", hash);
            return work.get();
        });
    }

    /** One query: where the object is, and each role of `who` there. Without any role one row without a role comes. */
    private Scope find(Principal who, String id) {
        List<?> found = database.createNativeQuery(
                        "select r.org_id, r.project_id, a.role, a.project_id as role_project from resource_locator r"
                                + " left join role_assignment a on a.org_id = r.org_id and a.principal_id = ?2"
                                + " where r.id = ?1 and (exists (select from membership m"
                                + " where m.org_id = r.org_id and m.user_id = ?2) or exists (select from"
                                + " service_account s where s.org_id = r.org_id and s.id = ?2 and not s.disabled))")
                .setParameter(1, id)
                .setParameter(2, who.userId())
                .getResultList();
        if (found.isEmpty()) {
            throw ProblemException.notFound();
        }
        String orgId = (String) ((Object[]) found.getFirst())[0];
        String projectId = (String) ((Object[]) found.getFirst())[1];
        if (who.token() != null && !who.token().orgId().equals(orgId)) {
            throw ProblemException.notFound();
        }
        List<Rights.Given> given = found.stream()
                .map(row -> (Object[]) row)
                .filter(row -> row[2] != null)
                .map(row -> new Rights.Given(Role.of((String) row[2]), (String) row[3]))
                .toList();
        return new Scope(orgId, projectId, who, Rights.of(given).limitedTo(who.token()));
    }

    /** For work that the organisation's own state asks for, without a person at the other end. */
    public <T> T runAs(String orgId, Function<Scope, T> work) {
        return transaction(orgId, "", "", "", () -> work.apply(new Scope(orgId, null, null, Rights.NONE)));
    }

    /** For the set-up of a person's first organisation. */
    public <T> T runAs(String orgId, Principal who, Function<Scope, T> work) {
        return transaction(orgId, who.userId(), who.sub(), "", () -> work.apply(new Scope(orgId, null, who, OWNER)));
    }

    /** Opens the queues of background work, nothing else. */
    public <T> T worker(Supplier<T> work) {
        return transaction("", "", "", "on", work);
    }

    private <T> T transaction(String orgId, String userId, String sub, String worker, Supplier<T> work) {
        for (int attempt = 1; ; attempt++) {
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
                if (attempt == ATTEMPTS || !DatabaseFailures.undone(failure)) {
                    throw DatabaseFailures.translated(failure);
                }
                // Those that it collided with get the time to end.
                LockSupport.parkNanos(attempt * GAP.toNanos());
            }
        }
    }

    private void set(String name, String value) {
        database.createNativeQuery("select set_config(?1, ?2, true)")
                .setParameter(1, name)
                .setParameter(2, value)
                .getSingleResult();
    }
}
