package io.penstock.controlplane.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Makes a POST safe to repeat: the first call with a key runs, later ones with the same body get its answer again for 48 h.
 * Scope is the person and the route. Answers that a repeat should try again (5xx, 401, 403, 429) are forgotten.
 */
@ApplicationScoped
public class Idempotency {
    static final Duration KEPT = Duration.ofDays(2);
    /** A call that has not ended after this time died with its process; the next one runs again. */
    static final Duration ABANDONED = Duration.ofMinutes(2);

    private static final Set<Integer> NOT_FINAL = Set.of(401, 403, 429);

    @Inject
    EntityManager database;

    @Inject
    Tenancy tenancy;

    @Inject
    RequestInfo request;

    @Inject
    ObjectMapper json;

    @Inject
    Clock clock;

    /** An answer: `stored` is what a repeat gets, which is the entity itself unless that holds a secret. */
    public record Answer(int status, Object entity, Object stored, String etag, String location) {
        public static Answer created(Object entity, String etag, String location) {
            return new Answer(201, entity, entity, etag, location);
        }
    }

    private record Stored(Integer status, String body, String etag, String location, byte[] hash, Instant createdAt) {}

    /** Runs `work` at most once for the key of this request; without a key it just runs. */
    public Response once(byte[] body, Supplier<Answer> work) {
        String key = request.header("Idempotency-Key");
        return key == null ? respond(work.get()) : once(checked(key), body, work);
    }

    /** As {@link #once}, for calls that give a secret: the key is required. */
    public Response onceRequired(byte[] body, Supplier<Answer> work) {
        String key = request.header("Idempotency-Key");
        if (key == null) {
            throw ProblemException.of(
                    ErrorCode.IDEMPOTENCY_KEY_REQUIRED,
                    "Send a fresh random Idempotency-Key, and the same one when you repeat the call.");
        }
        return once(checked(key), body, work);
    }

    private Response once(String key, byte[] body, Supplier<Answer> work) {
        Principal who = request.principal();
        String route = request.method() + " " + request.path();
        byte[] hash = Etags.sha256(body == null ? new byte[0] : body);
        Response earlier = claim(who, route, key, hash);
        if (earlier != null) {
            return earlier;
        }
        try {
            Answer answer = work.get();
            store(who, route, key, answer.status(), write(answer.stored()), answer.etag(), answer.location());
            return respond(answer);
        } catch (ProblemException problem) {
            int status = problem.code().status();
            if (status >= 500 || NOT_FINAL.contains(status) || problem.code().retryable()) {
                forget(who, route, key);
            } else {
                String text = write(Problems.body(problem, request.path(), request.requestId()));
                store(who, route, key, status, text, null, null);
            }
            throw problem;
        } catch (RuntimeException | Error unexpected) {
            forget(who, route, key);
            throw unexpected;
        }
    }

    /** Null when this call may run; else the answer of the earlier one. */
    private Response claim(Principal who, String route, String key, byte[] hash) {
        Instant now = clock.instant();
        return tenancy.asUser(who, () -> {
            int inserted = database.createNativeQuery(
                            "insert into idempotency_key (user_id, route, key, request_hash, created_at)"
                                    + " values (?1, ?2, ?3, ?4, ?5) on conflict do nothing")
                    .setParameter(1, who.userId())
                    .setParameter(2, route)
                    .setParameter(3, key)
                    .setParameter(4, hash)
                    .setParameter(5, now)
                    .executeUpdate();
            if (inserted == 1) {
                return null;
            }
            Stored stored = read(who, route, key);
            Duration age = Duration.between(stored.createdAt(), now);
            if (age.compareTo(KEPT) > 0 || (stored.status() == null && age.compareTo(ABANDONED) > 0)) {
                take(who, route, key, hash, now);
                return null;
            }
            return replay(stored, hash);
        });
    }

    private Response replay(Stored stored, byte[] hash) {
        if (!Arrays.equals(stored.hash(), hash)) {
            throw ProblemException.of(
                    ErrorCode.IDEMPOTENCY_KEY_REUSED, "The same key came with another body. Use a fresh key.");
        }
        if (stored.status() == null) {
            throw ProblemException.of(
                            ErrorCode.IDEMPOTENCY_IN_PROGRESS, "The first call with this key has not ended yet.")
                    .header(HttpHeaders.RETRY_AFTER, "1");
        }
        Response.ResponseBuilder answer = Response.status(stored.status())
                .entity(stored.body().getBytes(StandardCharsets.UTF_8))
                .type(stored.status() < 300 ? "application/json" : "application/problem+json")
                .header("Idempotent-Replayed", "true");
        return headers(answer, stored.etag(), stored.location()).build();
    }

    private Stored read(Principal who, String route, String key) {
        List<?> rows = keyed(
                        "select status, body, etag, location, request_hash, created_at from idempotency_key",
                        who,
                        route,
                        key)
                .getResultList();
        Object[] row = (Object[]) rows.getFirst();
        return new Stored(
                (Integer) row[0], (String) row[1], (String) row[2], (String) row[3], (byte[]) row[4], (Instant) row[5]);
    }

    private void take(Principal who, String route, String key, byte[] hash, Instant now) {
        keyed(
                        "update idempotency_key set status = null, body = null, request_hash = ?4, created_at = ?5",
                        who,
                        route,
                        key)
                .setParameter(4, hash)
                .setParameter(5, now)
                .executeUpdate();
    }

    private void store(Principal who, String route, String key, int status, String body, String etag, String location) {
        tenancy.asUser(
                who,
                () -> keyed(
                                "update idempotency_key set status = ?4, body = ?5, etag = ?6, location = ?7",
                                who,
                                route,
                                key)
                        .setParameter(4, status)
                        .setParameter(5, body)
                        .setParameter(6, etag)
                        .setParameter(7, location)
                        .executeUpdate());
    }

    private void forget(Principal who, String route, String key) {
        tenancy.asUser(
                who, () -> keyed("delete from idempotency_key", who, route, key).executeUpdate());
    }

    private jakarta.persistence.Query keyed(String statement, Principal who, String route, String key) {
        return database.createNativeQuery(statement + " where user_id = ?1 and route = ?2 and key = ?3")
                .setParameter(1, who.userId())
                .setParameter(2, route)
                .setParameter(3, key);
    }

    private static Response respond(Answer answer) {
        return headers(
                        Response.status(answer.status()).entity(answer.entity()).type("application/json"),
                        answer.etag(),
                        answer.location())
                .build();
    }

    private static Response.ResponseBuilder headers(Response.ResponseBuilder answer, String etag, String location) {
        if (etag != null) {
            answer.header(HttpHeaders.ETAG, etag);
        }
        if (location != null) {
            answer.location(URI.create(location));
        }
        return answer;
    }

    private static String checked(String key) {
        boolean visible = key.chars().allMatch(c -> c > 0x20 && c < 0x7f);
        if (key.isEmpty() || key.length() > 255 || !visible) {
            throw ProblemException.of(
                    ErrorCode.INVALID_REQUEST, "Idempotency-Key must be 1 to 255 visible ASCII characters.");
        }
        return key;
    }

    private String write(Object value) {
        try {
            return json.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
