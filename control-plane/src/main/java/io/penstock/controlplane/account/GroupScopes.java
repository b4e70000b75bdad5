package io.penstock.controlplane.account;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.credential.ScopeTemplate;
import io.penstock.controlplane.credential.ScopeTemplate.SubjectPermission;
import io.penstock.controlplane.web.Durations;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;

/** Turns a group's template into the one account-service signs: `$SYS` closed, durations in seconds, every field there. */
@Singleton
public class GroupScopes {
    /** What a client may ask the system account through its own account: about itself. */
    private static final String OWN_INFO = "$SYS.REQ.USER.INFO";

    @Inject
    ObjectMapper json;

    /** Default permissions of an account, closed like a template. */
    ObjectNode permissions(PermissionSet given) {
        ObjectNode whole = forBroker(given.asTemplate());
        ObjectNode out = json.createObjectNode();
        for (String field : List.of("publish", "subscribe", "responses")) {
            if (whole.has(field)) {
                out.set(field, whole.get(field));
            }
        }
        return out;
    }

    public ObjectNode forBroker(ScopeTemplate given) {
        ScopeTemplate template = given.withDefaults();
        ObjectNode out = json.createObjectNode();
        out.set("publish", permission(template.publish(), true));
        out.set("subscribe", permission(template.subscribe(), false));
        if (template.responses() != null) {
            out.putObject("responses")
                    .put("max", template.responses().max())
                    .put(
                            "ttl_seconds",
                            Durations.parse(template.responses().ttl()).toSeconds());
        }
        out.put("subscriptions", template.subscriptions());
        out.put("data", template.dataBytes());
        out.put("payload_bytes", template.payloadBytes());
        out.set("connection_types", strings(template.connectionTypes()));
        out.set("source_cidrs", strings(template.sourceCidrs()));
        out.putArray("times");
        out.put("time_zone", "");
        out.put("bearer", template.bearer());
        return out;
    }

    /**
     * `$SYS` stays closed. An open publish list is spelled out, since a deny of `$SYS.>` would also close the client's question
     * about itself.
     */
    private ObjectNode permission(SubjectPermission given, boolean publish) {
        ObjectNode out = json.createObjectNode();
        ArrayNode allow = strings(given.allow());
        ArrayNode deny = strings(given.deny());
        if (publish) {
            for (String closed : List.of(
                    "$SYS.ACCOUNT.>",
                    "$SYS.SERVER.>",
                    "$SYS.REQ.SERVER.>",
                    "$SYS.REQ.ACCOUNT.>",
                    "$SYS.REQ.CLAIMS.>",
                    "$SYS.DEBUG.>")) {
                deny.add(closed);
            }
            if (!allow.isEmpty()) {
                allow.add(OWN_INFO);
            }
        } else {
            deny.add("$SYS.>");
        }
        out.set("allow", allow);
        out.set("deny", deny);
        return out;
    }

    private ArrayNode strings(List<String> values) {
        ArrayNode out = json.createArrayNode();
        values.forEach(out::add);
        return out;
    }
}
