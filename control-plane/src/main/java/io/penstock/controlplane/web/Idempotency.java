package io.penstock.controlplane.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.tenancy.Tenancy;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Makes a POST safe to repeat: the first call with a key runs, later ones with the same body get its answer again for 48 h.
 * Scope is the person and the route. Refusals that a repeat should try again (401, 403, 429) are forgotten. A call that ended without
 * an answer of its own (5xx, or its process died) leaves the key open: the next call with it goes on, and is told since when.
 */
@ApplicationScoped
public class Idempotency {
    static final Duration KEPT = Duration.ofDays(2);
    /** A running call renews its lease; without that its process is dead, and the next call goes on. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(Idempotency.class);
    private static final Set<Integer> NOT_FINAL = Set.of(401, 403, 429);
    private static final ScopedValue<Run> RUN = ScopedValue.newInstance();

    @Inject
    IdempotencyKeys keys;

    @Inject
    Tenancy tenancy;

    @Inject
    RequestInfo request;

    @Inject
    ObjectMapper json;

    @Inject
    Clock clock;

    private final Set<Run> running = ConcurrentHashMap.newKeySet();

    /** An answer: `stored` is what a repeat gets, which is the entity itself unless that holds a secret. */
    public record Answer(int status, Object entity, Object stored, String etag, String location) {
        public static Answer created(Object entity, String etag, String location) {
            return new Answer(201, entity, entity, etag, location);
        }

        /** An object was made whose address is `path` and its id. */
        public static Answer created(String path, Shown made) {
            return created(made, made.etag(), path + made.id());
        }
    }

    /** A call that has its key. Used by the thread of its request, but for the renewal, which reads what is final. */
    private static final class Run {
        private final IdempotencyKeys.Slot slot;
        private final int attempt;
        /** When the first run with this key began, if that left no answer. */
        private final Optional<Instant> earlier;

        private Answer settled;

        Run(IdempotencyKeys.Slot slot, int attempt, Optional<Instant> earlier) {
            this.slot = slot;
            this.attempt = attempt;
            this.earlier = earlier;
        }
    }

    /** Runs `work` at most once for the key of this request; without a key it just runs. */
    public Response once(byte[] body, Supplier<Answer> work) {
        return onceResuming(body, earlier -> work.get());
    }

    /**
     * As {@link #once}, for what is done elsewhere and may have been done by a run that left no answer: `work` is told when that began,
     * and takes what it made for its own.
     */
    public Response onceResuming(byte[] body, Function<Optional<Instant>, Answer> work) {
        String key = request.header("Idempotency-Key");
        return key == null ? respond(work.apply(Optional.empty())) : once(checked(key), body, work);
    }

    /** As {@link #once}, for calls that give a secret: the key is required. */
    public Response onceRequired(byte[] body, Supplier<Answer> work) {
        String key = request.header("Idempotency-Key");
        if (key == null) {
            throw ProblemException.of(
                    ErrorCode.IDEMPOTENCY_KEY_REQUIRED,
                    "Send a fresh random Idempotency-Key, and the same one when you repeat the call.");
        }
        return once(checked(key), body, earlier -> work.get());
    }

    /**
     * Within the transaction of a change: keeps its answer together with it, so that a process that dies after the commit leaves both
     * or neither.
     */
    public Answer settle(Answer answer) {
        if (RUN.isBound()) {
            Run run = RUN.get();
            requireOwn(keys.store(
                    run.slot, run.attempt, answer.status(), write(answer.stored()), answer.etag(), answer.location()));
            run.settled = answer;
        }
        return answer;
    }

    private Response once(String key, byte[] body, Function<Optional<Instant>, Answer> work) {
        IdempotencyKeys.Slot slot =
                new IdempotencyKeys.Slot(request.principal(), request.method() + " " + request.path(), key);
        Claim claim = claim(slot, Etags.sha256(body == null ? new byte[0] : body));
        if (claim.replay() != null) {
            return claim.replay();
        }
        Run run = claim.run();
        running.add(run);
        try {
            Answer answer = ScopedValue.where(RUN, run).call(() -> work.apply(run.earlier));
            if (run.settled != answer) {
                store(run, answer.status(), write(answer.stored()), answer.etag(), answer.location());
            }
            return respond(answer);
        } catch (ProblemException problem) {
            refused(run, problem);
            throw problem;
        } catch (RuntimeException | Error unexpected) {
            leaveOpen(run);
            throw unexpected;
        } finally {
            running.remove(run);
        }
    }

    private void refused(Run run, ProblemException problem) {
        int status = problem.code().status();
        if (status >= 500) {
            leaveOpen(run);
        } else if (NOT_FINAL.contains(status) || problem.code().retryable()) {
            tenancy.asUser(run.slot.who(), () -> {
                keys.forget(run.slot, run.attempt);
                return null;
            });
        } else {
            String text = write(Problems.body(problem, request.path(), request.requestId()));
            store(run, status, text, null, null);
        }
    }

    /** Either the right to run, or the answer of an earlier run. */
    private record Claim(Run run, Response replay) {}

    private Claim claim(IdempotencyKeys.Slot slot, byte[] hash) {
        Instant now = clock.instant();
        return tenancy.asUser(slot.who(), () -> {
            if (keys.insert(slot, hash, now, now.plus(LEASE))) {
                return new Claim(new Run(slot, 1, Optional.empty()), null);
            }
            IdempotencyKeys.Row row = keys.read(slot).orElseThrow(Idempotency::inProgress);
            boolean outlived = Duration.between(row.createdAt(), now).compareTo(KEPT) > 0;
            if (!outlived && !Arrays.equals(row.hash(), hash)) {
                throw ProblemException.of(
                        ErrorCode.IDEMPOTENCY_KEY_REUSED, "The same key came with another body. Use a fresh key.");
            }
            if (!outlived && row.status() != null) {
                return new Claim(null, replay(row));
            }
            if (!outlived && now.isBefore(row.leaseUntil())) {
                throw inProgress();
            }
            Instant began = outlived ? now : row.createdAt();
            keys.take(slot, hash, began, now.plus(LEASE), row.attempt() + 1);
            return new Claim(new Run(slot, row.attempt() + 1, outlived ? Optional.empty() : Optional.of(began)), null);
        });
    }

    private static ProblemException inProgress() {
        return ProblemException.of(ErrorCode.IDEMPOTENCY_IN_PROGRESS, "The first call with this key has not ended yet.")
                .header(HttpHeaders.RETRY_AFTER, "1");
    }

    private static void requireOwn(boolean stored) {
        if (!stored) {
            throw inProgress();
        }
    }

    private static Response replay(IdempotencyKeys.Row row) {
        Response.ResponseBuilder answer = Response.status(row.status())
                .entity(row.body().getBytes(StandardCharsets.UTF_8))
                .type(row.status() < 300 ? "application/json" : "application/problem+json")
                .header("Idempotent-Replayed", "true");
        return headers(answer, row.etag(), row.location()).build();
    }

    private void store(Run run, int status, String body, String etag, String location) {
        tenancy.asUser(run.slot.who(), () -> keys.store(run.slot, run.attempt, status, body, etag, location));
    }

    /** The next call with the key need not wait for the lease. */
    private void leaveOpen(Run run) {
        lease(run, clock.instant());
    }

    private void lease(Run run, Instant until) {
        tenancy.asUser(run.slot.who(), () -> {
            keys.lease(run.slot, run.attempt, until);
            return null;
        });
    }

    @Scheduled(every = "3s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void renew() {
        for (Run run : running) {
            try {
                lease(run, clock.instant().plus(LEASE));
            } catch (RuntimeException failed) {
                LOG.warnf("the lease of an idempotent call was not renewed: %s", failed.toString());
            }
        }
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
