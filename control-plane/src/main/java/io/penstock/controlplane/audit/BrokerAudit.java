package io.penstock.controlplane.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Audits changes whose truth is in the broker. The event follows the broker's answer, refusals and lost answers included, since a
 * lost answer may be a change.
 */
@ApplicationScoped
public class BrokerAudit {
    @Inject
    Audit audit;

    @Inject
    Tenancy tenancy;

    @Inject
    RequestInfo request;

    public JsonNode around(
            String accountId, String action, String resource, Map<String, ?> details, Supplier<JsonNode> work) {
        return around(accountId, action, resource, details, work, (scope, answer) -> {});
    }

    /** As the other one; `then` notes what succeeded, in the transaction of the event. */
    public JsonNode around(
            String accountId,
            String action,
            String resource,
            Map<String, ?> details,
            Supplier<JsonNode> work,
            BiConsumer<Scope, JsonNode> then) {
        JsonNode answer;
        try {
            answer = work.get();
        } catch (ProblemException refused) {
            Map<String, Object> more = new LinkedHashMap<>(details);
            more.put("code", refused.code().code());
            more.putAll(refused.params());
            tenancy.onResource(request.principal(), accountId, scope -> {
                audit.failure(scope, action, resource, more);
                return null;
            });
            throw refused;
        }
        JsonNode given = answer;
        tenancy.onResource(request.principal(), accountId, scope -> {
            then.accept(scope, given);
            audit.success(scope, action, resource, details);
            return null;
        });
        return answer;
    }
}
