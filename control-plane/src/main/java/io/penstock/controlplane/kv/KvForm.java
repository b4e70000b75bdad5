package io.penstock.controlplane.kv;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.stream.BucketFields;
import io.penstock.controlplane.stream.Buckets;
import io.penstock.controlplane.stream.StreamKind;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;

/** A key-value bucket as a stream, by the conventions that all clients keep. Pure. */
final class KvForm implements Buckets.Form {
    static final KvForm KV = new KvForm();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int MOST_HISTORY = 64;

    private KvForm() {}

    @Override
    public StreamKind kind() {
        return StreamKind.KV_BUCKET;
    }

    @Override
    public ConfigCodec codec() {
        return Configs.KV_BUCKET;
    }

    @Override
    public ObjectNode stream(String name, ObjectNode settings) {
        ObjectNode out = NODES.objectNode();
        out.put("name", kind().stream(name));
        out.put("max_msgs_per_subject", 1);
        out.put("discard", "new");
        out.put("allow_rollup_hdrs", true);
        out.put("deny_delete", true);
        out.put("allow_direct", true);
        out.put("duplicate_window", 120_000_000_000L);
        BucketFields.toStream(settings, out);
        own(name, settings, out);
        if (settings.hasNonNull("mirror")) {
            out.put("mirror_direct", true);
        } else {
            out.putArray("subjects").add("$KV." + name + ".>");
        }
        return out;
    }

    @Override
    public ObjectNode patch(JsonNode current, ObjectNode settings) {
        ObjectNode out = NODES.objectNode();
        BucketFields.toStream(settings, out);
        String name = kind().name(current.path("name").asText());
        if (settings.hasNonNull("mirror") && !origin(settings.get("mirror")).equals(current.path("mirror"))) {
            throw ProblemException.invalidField(
                    ErrorCode.IMMUTABLE_FIELD, "mirror", "immutable", "a mirror can be ended (null), not changed");
        }
        own(name, settings, out);
        if (settings.has("mirror") && settings.get("mirror").isNull() && current.hasNonNull("mirror")) {
            out.putArray("subjects").add("$KV." + name + ".>");
        }
        return out;
    }

    private static void own(String name, ObjectNode settings, ObjectNode out) {
        if (settings.has("history")) {
            long history = settings.get("history").isNull()
                    ? 1
                    : settings.get("history").asLong();
            if (history > MOST_HISTORY) {
                throw ProblemException.invalidField(
                        ErrorCode.VALIDATION_FAILED, "history", "range", "from 1 to " + MOST_HISTORY);
            }
            out.put("max_msgs_per_subject", history);
        }
        if (settings.has("max_value_size")) {
            out.put("max_msg_size", settings.get("max_value_size").asLong(-1));
        }
        if (settings.has("limit_marker_ttl")) {
            long ttl = settings.get("limit_marker_ttl").asLong();
            out.put("subject_delete_marker_ttl", ttl);
            if (ttl > 0) {
                out.put("allow_msg_ttl", true);
            }
        }
        if (settings.has("republish")) {
            out.set("republish", settings.get("republish"));
        }
        if (settings.has("mirror")) {
            out.set("mirror", settings.get("mirror").isNull() ? NODES.nullNode() : origin(settings.get("mirror")));
        }
        if (settings.has("sources")) {
            ArrayNode sources = out.putArray("sources");
            settings.get("sources").forEach(source -> sources.add(source(source, name)));
        }
    }

    /** The stream of the bucket a body names. */
    private static ObjectNode origin(JsonNode given) {
        ObjectNode out = given.deepCopy();
        String name = given.path("name").asText();
        out.put("name", StreamKind.KV_BUCKET.holds(name) ? name : StreamKind.KV_BUCKET.stream(name));
        return out;
    }

    /** Keys of the other bucket become keys of this one, unless the body says how. */
    private static ObjectNode source(JsonNode given, String name) {
        ObjectNode out = origin(given);
        if (!out.hasNonNull("subject_transforms") && !out.hasNonNull("filter_subject")) {
            String from = StreamKind.KV_BUCKET.name(out.path("name").asText());
            out.putArray("subject_transforms")
                    .addObject()
                    .put("src", "$KV." + from + ".>")
                    .put("dest", "$KV." + name + ".>");
        }
        return out;
    }

    @Override
    public ObjectNode settings(JsonNode config) {
        ObjectNode out = BucketFields.ofStream(config);
        String name = kind().name(config.path("name").asText());
        out.put("history", Math.max(1, config.path("max_msgs_per_subject").asLong()));
        out.put("max_value_size", config.path("max_msg_size").asLong(-1));
        out.put("limit_marker_ttl", config.path("subject_delete_marker_ttl").asLong());
        out.set("mirror", config.hasNonNull("mirror") ? bucket(config.get("mirror"), name) : NODES.nullNode());
        ArrayNode sources = out.putArray("sources");
        config.path("sources").forEach(source -> sources.add(bucket(source, name)));
        out.set("republish", BucketFields.orNull(config, "republish"));
        return out;
    }

    private static ObjectNode bucket(JsonNode source, String name) {
        ObjectNode out = source.deepCopy();
        String stream = source.path("name").asText();
        if (StreamKind.KV_BUCKET.holds(stream)) {
            String from = StreamKind.KV_BUCKET.name(stream);
            out.put("name", from);
            JsonNode transforms = out.path("subject_transforms");
            boolean own = transforms.size() == 1
                    && transforms.at("/0/src").asText().equals("$KV." + from + ".>")
                    && transforms.at("/0/dest").asText().equals("$KV." + name + ".>");
            if (own) {
                out.remove("subject_transforms");
            }
        }
        return out;
    }

    @Override
    public void describe(JsonNode info, ObjectNode shown) {
        shown.put("values", info.at("/state/messages").asLong());
    }
}
