package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.validation.constraints.Pattern;
import java.util.LinkedHashMap;
import java.util.Map;

/** Purges messages of a stream, and counts first what a purge would take. */
@ApplicationScoped
public class Purges {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Inject
    JetStream jetStream;

    @Inject
    BrokerAudit audit;

    /** What to purge; nothing given means everything. */
    public record PurgeRequest(
            String subject,

            @Pattern(regexp = "\\d{1,20}", message = "a sequence as a string of digits")
            String seq,

            @Pattern(regexp = "\\d{1,20}", message = "a count as a string of digits")
            String keep) {}

    /** What would go; null where the broker cannot tell. */
    public record WouldPurge(String messages, Long bytes) {}

    static void check(PurgeRequest form) {
        if (form.seq() != null && form.keep() != null) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "keep", "exclusive", "give `seq` or `keep`, not both");
        }
    }

    String purge(String account, String stream, PurgeRequest form) {
        ObjectNode body = NODES.objectNode();
        Map<String, Object> details = new LinkedHashMap<>();
        if (form.subject() != null) {
            body.put("filter", form.subject());
            details.put("subject", form.subject());
        }
        if (form.seq() != null) {
            body.put("seq", new java.math.BigInteger(form.seq()));
            details.put("seq", form.seq());
        }
        if (form.keep() != null) {
            body.put("keep", new java.math.BigInteger(form.keep()));
            details.put("keep", form.keep());
        }
        JsonNode answer = audit.around(
                account,
                "stream.purged",
                "/v1/accounts/" + account + "/streams/" + stream,
                details,
                () -> jetStream.call(account, "STREAM.PURGE." + stream, body));
        return answer.path("purged").asText("0");
    }

    WouldPurge count(String account, String stream, PurgeRequest form) {
        ObjectNode query = NODES.objectNode();
        if (form.seq() != null) {
            query.put("deleted_details", true);
        }
        JsonNode state = jetStream.call(account, "STREAM.INFO." + stream, query).path("state");
        if (form.subject() != null) {
            if (form.seq() != null) {
                return new WouldPurge(null, null);
            }
            long matching = jetStream.subjects(account, stream, form.subject()).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return new WouldPurge(Long.toString(kept(matching, form)), null);
        }
        if (form.seq() != null) {
            return new WouldPurge(Long.toString(before(state, Long.parseUnsignedLong(form.seq()))), null);
        }
        long messages = state.path("messages").asLong();
        long purged = kept(messages, form);
        return new WouldPurge(
                Long.toString(purged), purged == messages ? state.path("bytes").asLong() : null);
    }

    private static long kept(long messages, PurgeRequest form) {
        return form.keep() == null ? messages : Math.max(0, messages - Long.parseUnsignedLong(form.keep()));
    }

    private static long before(JsonNode state, long seq) {
        long first = state.path("first_seq").asLong();
        long last = state.path("last_seq").asLong();
        if (seq <= first || state.path("messages").asLong() == 0) {
            return 0;
        }
        if (seq > last) {
            return state.path("messages").asLong();
        }
        long deleted = 0;
        for (JsonNode gap : state.path("deleted")) {
            deleted += gap.asLong() < seq ? 1 : 0;
        }
        return seq - first - deleted;
    }
}
