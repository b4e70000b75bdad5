package io.penstock.accountservice.store;

import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Signing-key groups and their key versions in the database. */
@ApplicationScoped
public class Groups implements PanacheRepository<GroupEntity> {
    private final EntityManager entities;

    Groups(EntityManager entities) {
        this.entities = entities;
    }

    /** The group, only as part of this account. */
    public Optional<GroupEntity> ofAccount(String accountId, String groupId) {
        return find("accountId = ?1 and groupId = ?2", accountId, groupId).firstResultOptional();
    }

    /** All groups of an account in the order they were made, removed ones included. */
    public List<GroupEntity> allOf(String accountId) {
        return list("accountId = ?1 order by id", accountId);
    }

    /** All versions of a group, oldest first. */
    public List<KeyVersionEntity> versions(GroupEntity group) {
        return entities.createQuery(
                        "from KeyVersionEntity where groupPk = :group order by version", KeyVersionEntity.class)
                .setParameter("group", group.id)
                .getResultList();
    }

    /** The version that signs. */
    public Optional<KeyVersionEntity> activeVersion(GroupEntity group) {
        return versions(group).stream()
                .filter(version -> version.state == KeyState.ACTIVE)
                .findFirst();
    }

    public void persist(KeyVersionEntity version) {
        entities.persist(version);
    }

    /** Ids of accounts with retiring keys whose time has come. */
    public List<String> accountsWithKeysToRetire(Instant now) {
        return entities.createQuery(
                        "select distinct g.accountId from GroupEntity g, KeyVersionEntity v where v.groupPk = g.id"
                                + " and v.state = :retiring and v.retireAt <= :now",
                        String.class)
                .setParameter("retiring", KeyState.RETIRING)
                .setParameter("now", now)
                .getResultList();
    }
}
