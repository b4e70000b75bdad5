package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.ProblemException;
import java.util.List;

/** What bodies about streams have beside the broker's configuration. Pure. */
public final class StreamForms {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private StreamForms() {}

    /** Takes our own setting out of a body; null when it does not say. */
    public static Boolean takeProtection(ObjectNode body) {
        JsonNode given = body.remove("deletion_protection");
        if (given == null) {
            return null;
        }
        if (!given.isBoolean()) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "deletion_protection", "value", "true or false");
        }
        return given.asBoolean();
    }

    static void requireName(ObjectNode config) {
        JsonNode name = config.path("name");
        if (!name.isTextual() || !name.asText().matches(Names.BROKER)) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "name", "pattern", Names.BROKER_RULE);
        }
    }

    /**
     * What the broker would fill in, spelled out, so that a dry run shows it.
     *
     * @param replicas how many the stream has when the configuration does not say
     */
    public static ObjectNode withDefaults(ObjectNode config, int replicas) {
        ObjectNode defaults = NODES.objectNode();
        boolean ownSubjects = !config.hasNonNull("mirror") && !config.hasNonNull("sources");
        if (ownSubjects) {
            defaults.putArray("subjects").add(config.path("name"));
        }
        defaults.put("retention", "limits");
        defaults.put("storage", "file");
        defaults.put("num_replicas", replicas);
        for (String limit : List.of("max_consumers", "max_msgs", "max_msgs_per_subject", "max_bytes", "max_msg_size")) {
            defaults.put(limit, -1);
        }
        defaults.put("max_age", 0);
        defaults.put("discard", "old");
        return ConfigCodec.merge(defaults, ConfigCodec.merge(NODES.objectNode(), config));
    }
}
