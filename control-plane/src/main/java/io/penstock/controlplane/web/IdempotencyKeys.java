package io.penstock.controlplane.web;

import io.penstock.controlplane.tenancy.Principal;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows behind {@link Idempotency}. Each call runs in its caller's transaction, which has to be one of the key's owner. */
@ApplicationScoped
class IdempotencyKeys {
    @Inject
    EntityManager database;

    /** Whose key it is, and for which call. */
    record Slot(Principal who, String route, String key) {}

    /** A row; `status` null: no answer yet. */
    record Row(
            Integer status,
            String body,
            String etag,
            String location,
            byte[] hash,
            Instant createdAt,
            Instant leaseUntil,
            int attempt) {}

    /** Whether the key was free. */
    boolean insert(Slot slot, byte[] hash, Instant now, Instant leaseUntil) {
        return database.createNativeQuery("insert into idempotency_key"
                                + " (user_id, route, key, request_hash, created_at, lease_until)"
                                + " values (?1, ?2, ?3, ?4, ?5, ?6) on conflict do nothing")
                        .setParameter(1, slot.who().userId())
                        .setParameter(2, slot.route())
                        .setParameter(3, slot.key())
                        .setParameter(4, hash)
                        .setParameter(5, now)
                        .setParameter(6, leaseUntil)
                        .executeUpdate()
                == 1;
    }

    /** Locked until the transaction ends; empty when it was forgotten meanwhile. */
    Optional<Row> read(Slot slot) {
        List<?> rows = at(
                        "select status, body, etag, location, request_hash, created_at, lease_until, attempt"
                                + " from idempotency_key",
                        " for update",
                        slot)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Row(
                        (Integer) row[0],
                        (String) row[1],
                        (String) row[2],
                        (String) row[3],
                        (byte[]) row[4],
                        (Instant) row[5],
                        (Instant) row[6],
                        (Integer) row[7]))
                .findFirst();
    }

    void take(Slot slot, byte[] hash, Instant createdAt, Instant leaseUntil, int attempt) {
        at(
                        "update idempotency_key set status = null, body = null, request_hash = ?4, created_at = ?5,"
                                + " lease_until = ?6, attempt = ?7",
                        "",
                        slot)
                .setParameter(4, hash)
                .setParameter(5, createdAt)
                .setParameter(6, leaseUntil)
                .setParameter(7, attempt)
                .executeUpdate();
    }

    /** Whether the answer was taken: not when another run has the key by now. */
    boolean store(Slot slot, int attempt, int status, String body, String etag, String location) {
        return at(
                                "update idempotency_key set status = ?5, body = ?6, etag = ?7, location = ?8",
                                " and attempt = ?4 and status is null",
                                slot)
                        .setParameter(4, attempt)
                        .setParameter(5, status)
                        .setParameter(6, body)
                        .setParameter(7, etag)
                        .setParameter(8, location)
                        .executeUpdate()
                == 1;
    }

    void lease(Slot slot, int attempt, Instant until) {
        at("update idempotency_key set lease_until = ?5", " and attempt = ?4 and status is null", slot)
                .setParameter(4, attempt)
                .setParameter(5, until)
                .executeUpdate();
    }

    void forget(Slot slot, int attempt) {
        at("delete from idempotency_key", " and attempt = ?4 and status is null", slot)
                .setParameter(4, attempt)
                .executeUpdate();
    }

    private Query at(String statement, String more, Slot slot) {
        return database.createNativeQuery(statement + " where user_id = ?1 and route = ?2 and key = ?3" + more)
                .setParameter(1, slot.who().userId())
                .setParameter(2, slot.route())
                .setParameter(3, slot.key());
    }
}
