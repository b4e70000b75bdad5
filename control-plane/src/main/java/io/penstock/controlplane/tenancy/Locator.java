package io.penstock.controlplane.tenancy;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;

/** Keeps which organisation an id belongs to, in the transaction that makes or deletes the object. */
@ApplicationScoped
public class Locator {
    @Inject
    EntityManager database;

    public void add(String id, String orgId) {
        database.createNativeQuery("insert into resource_locator (id, org_id) values (?1, ?2)")
                .setParameter(1, id)
                .setParameter(2, orgId)
                .executeUpdate();
    }

    public void remove(String id) {
        database.createNativeQuery("delete from resource_locator where id = ?1")
                .setParameter(1, id)
                .executeUpdate();
    }
}
