package io.penstock.controlplane.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.inject.IllegalProductException;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Writes audit events in the transaction of the change, so that there is never one without the other. */
@ApplicationScoped
public class Audit {
    @Inject
    EntityManager database;

    @Inject
    AuditRepository events;

    @Inject
    RequestInfo request;

    @Inject
    ObjectMapper json;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    public void success(Scope scope, String action, String resource, Map<String, ?> details) {
        record(scope, action, resource, "success", details);
    }

    public void failure(Scope scope, String action, String resource, Map<String, ?> details) {
        record(scope, action, resource, "failure", details);
    }

    private void record(Scope scope, String action, String resource, String result, Map<String, ?> details) {
        AuditEntity event = new AuditEntity();
        event.id = ids.next("evt");
        event.orgId = scope.orgId();
        event.time = clock.instant();
        Principal who = scope.principal();
        event.actorKind = who == null ? "system" : who.kind().code();
        event.actorId = who == null ? "system" : who.userId();
        event.actorName = who == null ? "Penstock" : who.label();
        event.tokenId = who == null || who.token() == null ? null : who.token().tokenId();
        event.action = action;
        event.resource = resource;
        event.result = result;
        event.details = write(details);
        addRequest(event);
        append(event);
    }

    /** One writer of an organisation's chain at a time; the lock ends with the transaction. */
    private void append(AuditEntity event) {
        database.createNativeQuery("select pg_advisory_xact_lock(hashtextextended('audit:' || ?1, 0))", Object.class)
                .setParameter(1, event.orgId)
                .getResultList();
        List<?> last = database.createNativeQuery(
                        "select seq, hash from audit_event where org_id = ?1 order by seq desc limit 1")
                .setParameter(1, event.orgId)
                .getResultList();
        Object[] previous = last.isEmpty() ? new Object[] {0L, AuditChain.GENESIS} : (Object[]) last.getFirst();
        event.seq = ((Number) previous[0]).longValue() + 1;
        event.hash = AuditChain.hash((String) previous[1], event);
        events.persistAndFlush(event);
    }

    private void addRequest(AuditEntity event) {
        try {
            event.ip = request.ip();
            event.userAgent = request.userAgent();
            event.requestId = request.requestId();
        } catch (ContextNotActiveException | IllegalProductException background) {
            event.requestId = ids.next("req");
        }
    }

    private String write(Map<String, ?> details) {
        try {
            return json.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).writeValueAsString(details);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
