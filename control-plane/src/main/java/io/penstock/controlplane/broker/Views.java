package io.penstock.controlplane.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.penstock.controlplane.web.Durations;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.JsonSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Shows what the broker says of streams and consumers in the API's form. Pure. */
public final class Views {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** The broker writes year 1 where there is no time. */
    private static final Instant NO_TIME = Instant.parse("1970-01-01T00:00:00Z");

    /** How far the broker's clock may be behind ours. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    private Views() {}

    /** Whether the broker made it after a call began; false without one. */
    public static boolean madeSince(JsonNode info, Optional<Instant> began) {
        JsonNode made = time(info.path("created"));
        return began.isPresent()
                && made.isTextual()
                && !Instant.parse(made.asText()).isBefore(began.get().minus(SKEW));
    }

    public static ObjectNode stream(String accountId, JsonNode info, boolean deletionProtection) {
        JsonNode config = info.path("config");
        ObjectNode out = NODES.objectNode();
        out.put("account_id", accountId);
        out.set("name", config.path("name"));
        out.setAll(Configs.STREAM.toApi(config));
        absent(out, "subjects", NODES.arrayNode());
        absent(out, "duplicate_window", TextNode.valueOf("0s"));
        absent(out, "max_age", TextNode.valueOf("0s"));
        out.set("state", streamState(info.path("state")));
        out.set("created_at", time(info.path("created")));
        out.set("cluster", cluster(info.get("cluster")));
        out.put("deletion_protection", deletionProtection);
        out.put("etag", etag(info, deletionProtection));
        return out;
    }

    public static ObjectNode consumer(String accountId, JsonNode info) {
        JsonNode config = info.path("config");
        ObjectNode out = NODES.objectNode();
        out.put("account_id", accountId);
        out.set("stream_name", info.path("stream_name"));
        out.set("name", info.path("name"));
        ObjectNode shown = Configs.CONSUMER.toApi(config);
        shown.remove("name");
        out.setAll(shown);
        absent(out, "durable_name", NODES.nullNode());
        out.put("type", config.hasNonNull("deliver_subject") ? "push" : "pull");
        out.set("created_at", time(info.path("created")));
        out.set("delivered", pair(info.path("delivered")));
        out.set("ack_floor", pair(info.path("ack_floor")));
        out.put("num_pending", info.path("num_pending").asText("0"));
        out.put("num_ack_pending", info.path("num_ack_pending").asLong());
        out.put("num_redelivered", info.path("num_redelivered").asLong());
        out.put("num_waiting", info.path("num_waiting").asLong());
        out.put("paused", info.path("paused").asBoolean());
        out.set(
                "pause_remaining",
                info.hasNonNull("pause_remaining")
                        ? TextNode.valueOf(
                                Durations.format(info.get("pause_remaining").asLong()))
                        : NODES.nullNode());
        out.put("push_bound", info.path("push_bound").asBoolean());
        out.set("cluster", cluster(info.get("cluster")));
        out.put("etag", etag(info));
        return out;
    }

    /** Of a stream with our own setting. */
    public static String etag(JsonNode info, boolean deletionProtection) {
        String content = info.path("created").asText() + sorted(info.path("config"));
        return Etags.ofContent(deletionProtection ? content + " protected" : content);
    }

    /** Of the configuration and the birth, not of the messages: a stream that fills has not changed. */
    public static String etag(JsonNode info) {
        return Etags.ofContent(info.path("created").asText() + sorted(info.path("config")));
    }

    /** Fields that differ between two configurations in the API's form. */
    public static ArrayNode changes(JsonNode before, JsonNode after) {
        ArrayNode out = NODES.arrayNode();
        TreeMap<String, JsonNode> fields = new TreeMap<>();
        before.properties().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        after.properties().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        for (String field : fields.keySet()) {
            if (!Objects.equals(before.get(field), after.get(field))) {
                ObjectNode change = out.addObject();
                change.put("field", field);
                change.set("from", Objects.requireNonNullElse(before.get(field), NullNode.instance));
                change.set("to", Objects.requireNonNullElse(after.get(field), NullNode.instance));
            }
        }
        return out;
    }

    public static ObjectNode streamState(JsonNode state) {
        ObjectNode out = NODES.objectNode();
        out.put("messages", state.path("messages").asText("0"));
        out.put("bytes", state.path("bytes").asLong());
        out.put("first_seq", state.path("first_seq").asText("0"));
        out.put("last_seq", state.path("last_seq").asText("0"));
        out.set("first_time", time(state.path("first_ts")));
        out.set("last_time", time(state.path("last_ts")));
        out.put("num_subjects", state.path("num_subjects").asLong());
        out.put("num_deleted", state.path("num_deleted").asLong());
        out.put("consumer_count", state.path("consumer_count").asLong());
        return out;
    }

    /** Null when there is none. */
    public static JsonNode time(JsonNode broker) {
        try {
            Instant time = OffsetDateTime.parse(broker.asText()).toInstant();
            return time.isBefore(NO_TIME) ? NODES.nullNode() : TextNode.valueOf(JsonSettings.format(time));
        } catch (DateTimeParseException notATime) {
            return NODES.nullNode();
        }
    }

    private static ObjectNode pair(JsonNode pair) {
        ObjectNode out = NODES.objectNode();
        out.put("consumer_seq", pair.path("consumer_seq").asText("0"));
        out.put("stream_seq", pair.path("stream_seq").asText("0"));
        out.set("last_active", time(pair.path("last_active")));
        return out;
    }

    /** Null for a single node. */
    public static JsonNode cluster(JsonNode cluster) {
        if (cluster == null || !cluster.isObject()) {
            return NODES.nullNode();
        }
        ObjectNode out = NODES.objectNode();
        for (String field : new String[] {"name", "leader", "raft_group"}) {
            out.set(field, cluster.hasNonNull(field) ? cluster.get(field) : NODES.nullNode());
        }
        ArrayNode replicas = out.putArray("replicas");
        for (JsonNode peer : cluster.path("replicas")) {
            ObjectNode shown = replicas.addObject();
            shown.set("name", peer.path("name"));
            shown.put("current", peer.path("current").asBoolean());
            shown.put("offline", peer.path("offline").asBoolean());
            shown.put("active", Durations.format(peer.path("active").asLong()));
            shown.put("lag", peer.path("lag").asText("0"));
        }
        return out;
    }

    private static void absent(ObjectNode out, String field, JsonNode value) {
        if (!out.hasNonNull(field)) {
            out.set(field, value);
        }
    }

    private static String sorted(JsonNode node) {
        if (node.isObject()) {
            TreeMap<String, String> fields = new TreeMap<>();
            node.properties().forEach(entry -> fields.put(entry.getKey(), sorted(entry.getValue())));
            return fields.toString();
        }
        return node.toString();
    }
}
