package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import java.util.Map;

/** The fields that all buckets have, between a bucket's names and those of its stream. Pure. */
public final class BucketFields {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final long TWO_MINUTES = 120_000_000_000L;
    /** The same in a bucket and in its stream, with what null stands for. */
    private static final Map<String, JsonNode> SAME = Map.of(
            "description", TextNode.valueOf(""),
            "storage", TextNode.valueOf("file"),
            "num_replicas", LongNode.valueOf(1),
            "max_bytes", LongNode.valueOf(-1));

    private BucketFields() {}

    /** Moves what a body gives into the stream's configuration or patch. */
    public static void toStream(ObjectNode settings, ObjectNode stream) {
        SAME.forEach((field, unset) -> {
            if (settings.has(field)) {
                stream.set(field, settings.get(field).isNull() ? unset : settings.get(field));
            }
        });
        for (String field : new String[] {"placement", "metadata"}) {
            if (settings.has(field)) {
                stream.set(field, settings.get(field));
            }
        }
        if (settings.has("compression")) {
            stream.put("compression", settings.get("compression").asBoolean() ? "s2" : "none");
        }
        if (settings.has("ttl")) {
            long ttl = settings.get("ttl").asLong();
            if (ttl < 0 || (ttl > 0 && ttl < 100_000_000L)) {
                throw ProblemException.invalidField(
                        ErrorCode.VALIDATION_FAILED, "ttl", "range", "0s for ever, or from 100ms");
            }
            stream.put("max_age", ttl);
            stream.put("duplicate_window", ttl > 0 ? Math.min(ttl, TWO_MINUTES) : TWO_MINUTES);
        }
    }

    /** The bucket's fields of a stream, every one of them. */
    public static ObjectNode ofStream(JsonNode config) {
        ObjectNode out = NODES.objectNode();
        SAME.forEach((field, unset) -> out.set(field, config.hasNonNull(field) ? config.get(field) : unset));
        out.set("ttl", LongNode.valueOf(config.path("max_age").asLong()));
        out.set(
                "compression",
                BooleanNode.valueOf("s2".equals(config.path("compression").asText())));
        out.set("placement", orNull(config, "placement"));
        ObjectNode metadata = out.putObject("metadata");
        config.path("metadata").properties().forEach(entry -> {
            // The broker keeps notes of its own there.
            if (!entry.getKey().startsWith("_nats.")) {
                metadata.set(entry.getKey(), entry.getValue());
            }
        });
        return out;
    }

    public static JsonNode orNull(JsonNode config, String field) {
        return config.hasNonNull(field) ? config.get(field) : NODES.nullNode();
    }
}
