package io.penstock.controlplane.identity;

import io.penstock.controlplane.access.Members;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * The end of a person: memberships, roles and tokens end at once, the user of the identity provider is disabled and, 30 days later,
 * removed. Signing up again with the same address within that time brings the person back, without the memberships.
 */
@ApplicationScoped
public class Persons {
    private static final Logger LOG = Logger.getLogger(Persons.class);
    private static final Duration GRACE = Duration.ofDays(30);
    private static final int BATCH = 20;

    @Inject
    Tenancy tenancy;

    @Inject
    Organizations organizations;

    @Inject
    Members members;

    @Inject
    UserDirectory directory;

    @Inject
    Audit audit;

    @Inject
    EntityManager database;

    @Inject
    Clock clock;

    private record Due(String userId, String sub) {}

    /** Refused while an organisation would be left with members but no owner, or with accounts and nobody. */
    void delete(Principal who) {
        List<Organizations.Membership> joined = organizations.memberships(who);
        List<String> ownerless = new ArrayList<>();
        List<String> withAccounts = new ArrayList<>();
        for (Organizations.Membership membership : joined) {
            tenancy.onOrganization(who, membership.id(), scope -> {
                if (members.isLastOwner(scope, who.userId())) {
                    if (members.count(scope) > 1) {
                        ownerless.add(scope.orgId());
                    } else if (accounts(scope) > 0) {
                        withAccounts.add(scope.orgId());
                    }
                }
                return null;
            });
        }
        refuse(ErrorCode.LAST_OWNER, "Make somebody else owner of these organisations first.", ownerless);
        refuse(ErrorCode.HAS_DEPENDENTS, "Delete the accounts of these organisations first.", withAccounts);
        joined.forEach(membership -> tenancy.onOrganization(who, membership.id(), scope -> leave(scope, who)));
        directory.disable(who.sub());
        tenancy.asUser(who, () -> {
            forget(who);
            return null;
        });
    }

    private static void refuse(ErrorCode code, String detail, List<String> organizations) {
        if (!organizations.isEmpty()) {
            throw ProblemException.of(code, detail).param("organizations", organizations);
        }
    }

    private Void leave(Scope scope, Principal who) {
        boolean last = members.count(scope) == 1;
        if (last) {
            close(scope);
        }
        members.removeDeleted(scope, who.userId(), !last);
        audit.success(
                scope,
                "member.removed",
                "/v1/orgs/" + scope.orgId() + "/members/" + who.userId(),
                Map.of("reason", "person deleted"));
        return null;
    }

    private void close(Scope scope) {
        database.createNativeQuery("update organization set state = 'closed', updated_at = ?2, version = version + 1"
                        + " where id = ?1")
                .setParameter(1, scope.orgId())
                .setParameter(2, clock.instant())
                .executeUpdate();
        database.createNativeQuery(
                        "update service_account set disabled = true, version = version + 1 where org_id = ?1")
                .setParameter(1, scope.orgId())
                .executeUpdate();
        audit.success(scope, "organization.closed", "/v1/orgs/" + scope.orgId(), Map.of());
    }

    private long accounts(Scope scope) {
        return ((Number) database.createNativeQuery(
                                "select count(*) from account where org_id = ?1 and state <> 'deleted'")
                        .setParameter(1, scope.orgId())
                        .getSingleResult())
                .longValue();
    }

    private void forget(Principal who) {
        Instant now = clock.instant();
        database.createNativeQuery(
                        "update app_user set email = ?2, name = 'Deleted person', deleted_at = ?3 where id = ?1")
                .setParameter(1, who.userId())
                .setParameter(2, who.userId() + "@deleted.invalid")
                .setParameter(3, now)
                .executeUpdate();
        // Who comes back gets a first organisation again.
        database.createNativeQuery("delete from bootstrap where user_id = ?1")
                .setParameter(1, who.userId())
                .executeUpdate();
        database.createNativeQuery("insert into person_purge (user_id, sub, purge_at) values (?1, ?2, ?3)"
                        + " on conflict (user_id) do update set purge_at = excluded.purge_at")
                .setParameter(1, who.userId())
                .setParameter(2, who.sub())
                .setParameter(3, now.plus(GRACE))
                .executeUpdate();
    }

    /** A sign-up was confirmed for this user of the identity provider: if the person was deleted, it is not any more. */
    public void cameBack(String sub) {
        List<?> gone = tenancy.asSubject(
                sub,
                "",
                () -> database.createNativeQuery(
                                "update app_user set deleted_at = null where sub = ?1 and deleted_at is not null returning id")
                        .setParameter(1, sub)
                        .getResultList());
        for (Object id : gone) {
            tenancy.asSubject(
                    sub,
                    (String) id,
                    () -> database.createNativeQuery("delete from person_purge where user_id = ?1")
                            .setParameter(1, id)
                            .executeUpdate());
        }
    }

    @Scheduled(every = "${penstock.person-purge.every:1h}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void purge() {
        for (Due due : tenancy.worker(this::due)) {
            try {
                directory.delete(due.sub());
                tenancy.asSubject(due.sub(), due.userId(), () -> {
                    database.createNativeQuery("delete from person_purge where user_id = ?1")
                            .setParameter(1, due.userId())
                            .executeUpdate();
                    return database.createNativeQuery("update app_user set sub = ?2 where id = ?1")
                            .setParameter(1, due.userId())
                            .setParameter(2, "deleted:" + due.userId())
                            .executeUpdate();
                });
            } catch (RuntimeException failed) {
                LOG.warnf(
                        "a deleted person stays at the identity provider until the next round: %s", failed.toString());
            }
        }
    }

    private List<Due> due() {
        List<?> rows = database.createNativeQuery(
                        "select user_id, sub from person_purge where purge_at <= ?1 order by purge_at")
                .setParameter(1, clock.instant())
                .setMaxResults(BATCH)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Due((String) row[0], (String) row[1]))
                .toList();
    }
}
