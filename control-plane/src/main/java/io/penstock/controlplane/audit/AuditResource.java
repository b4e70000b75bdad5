package io.penstock.controlplane.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The audit log of an organisation. */
@Path("/v1/orgs/{org}/audit-events")
@Produces("application/json")
@RunOnVirtualThread
public class AuditResource {
    private static final Set<String> PARAMETERS = Set.of(
            "page[size]", "page[after]", "filter[action]", "filter[resource]", "filter[time][gte]", "filter[time][lt]");

    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AuditRepository events;

    @Inject
    Paging paging;

    @Inject
    ObjectMapper json;

    /** Who did it. */
    public record AuditActor(String kind, String id, String name, String tokenId) {}

    /** An event as it is shown. */
    public record AuditEvent(
            String id,
            Instant time,
            AuditActor actor,
            String action,
            String resource,
            String result,
            String ip,
            String userAgent,
            String requestId,
            JsonNode details,
            String hash) {}

    @GET
    @Requires(Permission.AUDIT_READ)
    public Paging.Page<AuditEvent> list(@PathParam("org") String org, @Context UriInfo uri) {
        for (String name : uri.getQueryParameters().keySet()) {
            if (!PARAMETERS.contains(name)) {
                throw ProblemException.invalidQuery(name, "there is no such parameter; known are " + PARAMETERS);
            }
        }
        Paging.Window window = paging.window(uri);
        StringBuilder query = new StringBuilder("orgId = :org and id < :before");
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("before", window.after() == null ? "~" : window.after());
        equal(uri, "filter[action]", "action", query, parameters);
        equal(uri, "filter[resource]", "resource", query, parameters);
        time(uri, "filter[time][gte]", "time >= :from", "from", query, parameters);
        time(uri, "filter[time][lt]", "time < :to", "to", query, parameters);
        return tenancy.onOrganization(request.principal(), org, scope -> {
            scope.require(Permission.AUDIT_READ);
            parameters.put("org", scope.orgId());
            var rows = events.find(query + " order by id desc", parameters)
                    .page(0, window.size() + 1)
                    .list();
            return paging.page(window, rows, row -> row.id, this::view);
        });
    }

    private static void equal(
            UriInfo uri, String name, String field, StringBuilder query, Map<String, Object> parameters) {
        String value = uri.getQueryParameters().getFirst(name);
        if (value != null) {
            query.append(" and ").append(field).append(" = :").append(field);
            parameters.put(field, value);
        }
    }

    private static void time(
            UriInfo uri,
            String name,
            String condition,
            String key,
            StringBuilder query,
            Map<String, Object> parameters) {
        String value = uri.getQueryParameters().getFirst(name);
        if (value == null) {
            return;
        }
        try {
            parameters.put(key, Instant.parse(value));
            query.append(" and ").append(condition);
        } catch (DateTimeParseException malformed) {
            throw ProblemException.invalidQuery(name, "must be a time such as 2026-11-30T09:00:00Z");
        }
    }

    private AuditEvent view(AuditEntity row) {
        return new AuditEvent(
                row.id,
                row.time,
                new AuditActor(row.actorKind, row.actorId, row.actorName, row.tokenId),
                row.action,
                row.resource,
                row.result,
                row.ip,
                row.userAgent,
                row.requestId,
                details(row.details),
                row.hash);
    }

    private JsonNode details(String text) {
        try {
            return json.readTree(text);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("stored details cannot be read", damaged);
        }
    }
}
