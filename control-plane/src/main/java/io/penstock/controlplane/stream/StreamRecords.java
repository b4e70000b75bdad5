package io.penstock.controlplane.stream;

import io.penstock.controlplane.tenancy.Scope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Records of streams. Runs in its caller's transaction; row-level security shows those of its organisation. */
@ApplicationScoped
public class StreamRecords {
    private static final String COLUMNS =
            "account_id, name, created, deletion_protection, saved, messages, bytes, deleted_at, purge_at";

    @Inject
    EntityManager database;

    Map<String, StreamRecord> ofAccount(String account) {
        return read(database.createNativeQuery("select " + COLUMNS + " from stream_record where account_id = ?1")
                        .setParameter(1, account)
                        .getResultList())
                .stream()
                .collect(Collectors.toMap(StreamRecord::name, Function.identity()));
    }

    Optional<StreamRecord> find(String account, String name) {
        return read(database.createNativeQuery(
                                "select " + COLUMNS + " from stream_record where account_id = ?1 and name = ?2")
                        .setParameter(1, account)
                        .setParameter(2, name)
                        .getResultList())
                .stream()
                .findFirst();
    }

    List<StreamRecord> deleted(String account, String after, int most) {
        return read(database.createNativeQuery(
                        "select " + COLUMNS
                                + " from stream_record where account_id = ?1 and deleted_at is not null and name > ?2 order by name")
                .setParameter(1, account)
                .setParameter(2, after)
                .setMaxResults(most)
                .getResultList());
    }

    /** Notes our own setting; a record that would say nothing is removed. */
    void protect(Scope scope, String account, String name, boolean deletionProtection) {
        if (!deletionProtection) {
            forget(account, name);
            return;
        }
        database.createNativeQuery(
                        "insert into stream_record (account_id, name, org_id, deletion_protection) values (?1, ?2, ?3, true)"
                                + " on conflict (account_id, name) do update set deletion_protection = true, created = null,"
                                + " saved = null, deleted_at = null, purge_at = null")
                .setParameter(1, account)
                .setParameter(2, name)
                .setParameter(3, scope.orgId())
                .executeUpdate();
    }

    void delete(Scope scope, StreamRecord row) {
        database.createNativeQuery("insert into stream_record"
                        + " (account_id, name, org_id, created, deletion_protection, saved, messages, bytes, deleted_at, purge_at)"
                        + " values (?1, ?2, ?3, ?4, false, ?5, ?6, ?7, ?8, ?9) on conflict (account_id, name) do update set"
                        + " created = excluded.created, deletion_protection = false, saved = excluded.saved,"
                        + " messages = excluded.messages, bytes = excluded.bytes, deleted_at = excluded.deleted_at,"
                        + " purge_at = excluded.purge_at")
                .setParameter(1, row.account())
                .setParameter(2, row.name())
                .setParameter(3, scope.orgId())
                .setParameter(4, row.created())
                .setParameter(5, row.saved())
                .setParameter(6, row.messages())
                .setParameter(7, row.bytes())
                .setParameter(8, row.deletedAt())
                .setParameter(9, row.purgeAt())
                .executeUpdate();
    }

    void forget(String account, String name) {
        database.createNativeQuery("delete from stream_record where account_id = ?1 and name = ?2")
                .setParameter(1, account)
                .setParameter(2, name)
                .executeUpdate();
    }

    private static List<StreamRecord> read(List<?> rows) {
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new StreamRecord(
                        (String) row[0],
                        (String) row[1],
                        (String) row[2],
                        (Boolean) row[3],
                        (String) row[4],
                        ((Number) row[5]).longValue(),
                        ((Number) row[6]).longValue(),
                        (Instant) row[7],
                        (Instant) row[8]))
                .toList();
    }
}
