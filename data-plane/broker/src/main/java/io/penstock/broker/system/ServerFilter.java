package io.penstock.broker.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Broker;
import io.penstock.broker.ServerIdentity;
import java.util.List;
import java.util.Locale;

/** Whether a question to all servers is meant for this one. */
final class ServerFilter {
    private ServerFilter() {}

    static boolean accepts(ObjectNode options, Broker broker) {
        ServerIdentity identity = broker.identity();
        boolean exact = options.path("exact_match").asBoolean();
        return matches(options.path("server_name"), identity.name(), exact)
                && matches(options.path("host"), broker.options().host(), exact)
                && matches(options.path("cluster"), identity.cluster(), exact)
                && matches(options.path("domain"), identity.domain(), exact)
                && hasAll(options.path("tags"), broker.options().tags());
    }

    private static boolean hasAll(JsonNode wanted, List<String> have) {
        for (JsonNode tag : wanted) {
            if (!have.contains(tag.asText().toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(JsonNode wanted, String have, boolean exact) {
        String text = wanted.asText("");
        if (text.isEmpty()) {
            return true;
        }
        return have != null && (exact ? have.equals(text) : have.contains(text));
    }
}
