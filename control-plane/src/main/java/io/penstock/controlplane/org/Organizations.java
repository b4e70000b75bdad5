package io.penstock.controlplane.org;

import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.util.List;

/** Which organisations a person belongs to. */
@ApplicationScoped
public class Organizations {
    @Inject
    Tenancy tenancy;

    @Inject
    EntityManager database;

    /** An organisation and the person's role in it. */
    public record Membership(String id, String name, String role) {}

    public List<Membership> memberships(Principal who) {
        List<?> rows = tenancy.asUser(
                who,
                () -> database.createNativeQuery(
                                "select o.id, o.name, m.role from membership m join organization o on o.id = m.org_id"
                                        + " where m.user_id = ?1 order by o.id")
                        .setParameter(1, who.userId())
                        .getResultList());
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Membership((String) row[0], (String) row[1], (String) row[2]))
                .toList();
    }
}
