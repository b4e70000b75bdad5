package io.penstock.controlplane.org;

import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Tenancy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which organisations a person or service account belongs to. */
@ApplicationScoped
public class Organizations {
    @Inject
    Tenancy tenancy;

    @Inject
    EntityManager database;

    /** An organisation and the strongest role in the whole of it; null when there are roles in projects only. */
    public record Membership(String id, String name, String role) {}

    /** In order of ids. With a token only the organisation that the token works in. */
    public List<Membership> memberships(Principal who) {
        List<?> rows = tenancy.asUser(
                who,
                () -> database.createNativeQuery(
                                "select o.id, o.name, a.role from organization o left join role_assignment a"
                                        + " on a.org_id = o.id and a.principal_id = ?1 and a.project_id is null"
                                        + " where exists (select from membership m where m.org_id = o.id and m.user_id = ?1)"
                                        + " or exists (select from service_account s where s.org_id = o.id and s.id = ?1)"
                                        + " order by o.id")
                        .setParameter(1, who.userId())
                        .getResultList());
        Map<String, Membership> strongest = new LinkedHashMap<>();
        for (Object row : rows) {
            Object[] fields = (Object[]) row;
            String id = (String) fields[0];
            if (who.token() == null || who.token().orgId().equals(id)) {
                strongest.merge(
                        id, new Membership(id, (String) fields[1], (String) fields[2]), Organizations::stronger);
            }
        }
        return List.copyOf(strongest.values());
    }

    private static Membership stronger(Membership one, Membership other) {
        return Role.of(one.role()).compareTo(Role.of(other.role())) <= 0 ? one : other;
    }
}
