package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Scope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people and service accounts of an organisation are called. Runs in its caller's transaction. */
@ApplicationScoped
public class PrincipalNames {
    @Inject
    EntityManager database;

    /** A person or service account as lists show it. */
    public record PrincipalRef(String kind, String id, String name) {}

    /** By id. Who has left is missing. */
    Map<String, PrincipalRef> find(Scope scope, Collection<String> ids) {
        Map<String, PrincipalRef> out = new HashMap<>();
        if (ids.isEmpty()) {
            return out;
        }
        List<?> found = database.createNativeQuery("select 'user', u.id, u.email from app_user u join membership m"
                        + " on m.user_id = u.id where m.org_id = ?1 and u.id in (?2) union all"
                        + " select 'service_account', id, name from service_account where org_id = ?1 and id in (?2)")
                .setParameter(1, scope.orgId())
                .setParameter(2, ids)
                .getResultList();
        for (Object row : found) {
            Object[] fields = (Object[]) row;
            out.put((String) fields[1], new PrincipalRef((String) fields[0], (String) fields[1], (String) fields[2]));
        }
        return out;
    }

    Optional<PrincipalRef> find(Scope scope, String id) {
        return Optional.ofNullable(find(scope, List.of(id)).get(id));
    }

    Optional<PrincipalRef> memberByEmail(Scope scope, String email) {
        List<?> found = database.createNativeQuery("select u.id, u.email from app_user u join membership m"
                        + " on m.user_id = u.id where m.org_id = ?1 and lower(u.email) = lower(?2)")
                .setParameter(1, scope.orgId())
                .setParameter(2, email.strip())
                .getResultList();
        return found.stream()
                .map(row -> (Object[]) row)
                .map(row -> new PrincipalRef("user", (String) row[0], (String) row[1]))
                .findFirst();
    }
}
