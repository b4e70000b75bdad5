package io.penstock.controlplane.identity;

import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.List;

/** The own row of each person, made at the first sign-in and found by the identity provider's id, never by e-mail. */
@ApplicationScoped
public class Users {
    @Inject
    EntityManager database;

    @Inject
    Tenancy tenancy;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    Principal principal(String sub, String email, String name) {
        String fresh = ids.next("usrp");
        return tenancy.asSubject(sub, fresh, () -> {
            List<?> found = database.createNativeQuery(
                            "select id, email, name, deleted_at from app_user where sub = ?1")
                    .setParameter(1, sub)
                    .getResultList();
            if (found.isEmpty()) {
                database.createNativeQuery("insert into app_user (id, sub, email, name, created_at, last_login_at)"
                                + " values (?1, ?2, ?3, ?4, ?5, ?5) on conflict (sub) do nothing")
                        .setParameter(1, fresh)
                        .setParameter(2, sub)
                        .setParameter(3, email)
                        .setParameter(4, name)
                        .setParameter(5, clock.instant())
                        .executeUpdate();
                found = database.createNativeQuery("select id, email, name, deleted_at from app_user where sub = ?1")
                        .setParameter(1, sub)
                        .getResultList();
            }
            Object[] row = (Object[]) found.getFirst();
            String id = (String) row[0];
            if (row[3] != null) {
                throw ProblemException.of(
                        ErrorCode.UNAUTHENTICATED, "The person was deleted. Sign up again to come back.");
            }
            if (!email.equals(row[1]) || !name.equals(row[2])) {
                database.createNativeQuery("update app_user set email = ?2, name = ?3 where id = ?1")
                        .setParameter(1, id)
                        .setParameter(2, email)
                        .setParameter(3, name)
                        .executeUpdate();
            }
            return new Principal(id, sub, email, name);
        });
    }

    void signedIn(Principal who) {
        tenancy.asUser(
                who,
                () -> database.createNativeQuery("update app_user set last_login_at = ?2 where id = ?1")
                        .setParameter(1, who.userId())
                        .setParameter(2, clock.instant())
                        .executeUpdate());
    }
}
