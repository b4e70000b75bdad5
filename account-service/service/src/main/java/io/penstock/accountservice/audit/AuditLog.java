package io.penstock.accountservice.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.accountservice.statement.Statement;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hash-chained record of everything that was issued and changed. A link is written in the transaction of the
 * change it records; writers queue on a lock, so the chain has no forks.
 */
@ApplicationScoped
public class AuditLog {
    private static final long LOCK = 0x5053_5441_5544_4954L;
    private static final int PAGE = 500;

    private final EntityManager entities;
    private final ObjectMapper json;
    private final Clock clock;

    AuditLog(EntityManager entities, ObjectMapper json, Clock clock) {
        this.entities = entities;
        this.json = json;
        this.clock = clock;
    }

    /** Appends a link; call within the transaction of the change. Details must hold no secret. */
    public void append(Statement statement, String action, String accountId, Map<String, ?> details) {
        entities.createNativeQuery("select pg_advisory_xact_lock(:lock)")
                .setParameter("lock", LOCK)
                .getSingleResult();
        List<AuditEvent> last = entities.createQuery("from AuditEvent order by seq desc", AuditEvent.class)
                .setMaxResults(1)
                .getResultList();
        AuditEvent event = new AuditEvent();
        event.seq = last.isEmpty() ? 1 : last.getFirst().seq + 1;
        // PostgreSQL keeps microseconds, and the hash must survive the way there and back.
        event.at = Instant.now(clock).truncatedTo(ChronoUnit.MICROS);
        event.actor = statement.subject();
        event.action = action;
        event.requestId = statement.requestId();
        event.accountId = accountId;
        event.details = write(details);
        event.previousHash = last.isEmpty() ? AuditHash.GENESIS : last.getFirst().hash;
        event.hash = AuditHash.of(event);
        entities.persist(event);
        entities.flush();
    }

    /** The first link that does not fit, as a sentence; empty when the whole chain holds. Call in a transaction. */
    public Optional<String> firstBreak() {
        String previous = AuditHash.GENESIS;
        long seq = 0;
        while (true) {
            List<AuditEvent> page = entities.createQuery(
                            "from AuditEvent where seq > :seq order by seq", AuditEvent.class)
                    .setParameter("seq", seq)
                    .setMaxResults(PAGE)
                    .getResultList();
            for (AuditEvent event : page) {
                seq++;
                if (event.seq != seq) {
                    return Optional.of("audit event " + seq + " is missing");
                }
                if (!event.previousHash.equals(previous) || !event.hash.equals(AuditHash.of(event))) {
                    return Optional.of("audit event " + seq + " was changed");
                }
                previous = event.hash;
            }
            entities.clear();
            if (page.size() < PAGE) {
                return Optional.empty();
            }
        }
    }

    private String write(Map<String, ?> details) {
        try {
            return json.writeValueAsString(details);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("audit details cannot be written as JSON", e);
        }
    }
}
