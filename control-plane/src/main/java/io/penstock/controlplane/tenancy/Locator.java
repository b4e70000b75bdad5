package io.penstock.controlplane.tenancy;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;

/** Keeps which organisation and project an id belongs to, in the transaction that makes or deletes the object. */
@ApplicationScoped
public class Locator {
    @Inject
    EntityManager database;

    /** Of the organisation itself: roles and tokens that are confined to projects do not reach it. */
    public void add(String id, String orgId) {
        insert(id, orgId, null);
    }

    /** In the project of `parentId`, which is a project or anything within one. */
    public void add(String id, String orgId, String parentId) {
        Object project = database.createNativeQuery("select project_id from resource_locator where id = ?1")
                .setParameter(1, parentId)
                .getSingleResult();
        insert(id, orgId, (String) project);
    }

    public void addProject(String id, String orgId) {
        insert(id, orgId, id);
    }

    private void insert(String id, String orgId, String projectId) {
        database.createNativeQuery("insert into resource_locator (id, org_id, project_id) values (?1, ?2, ?3)")
                .setParameter(1, id)
                .setParameter(2, orgId)
                .setParameter(3, projectId)
                .executeUpdate();
    }

    public void remove(String id) {
        database.createNativeQuery("delete from resource_locator where id = ?1")
                .setParameter(1, id)
                .executeUpdate();
    }
}
