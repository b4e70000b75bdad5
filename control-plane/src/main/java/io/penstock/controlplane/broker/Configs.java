package io.penstock.controlplane.broker;

import io.penstock.controlplane.broker.ConfigCodec.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of stream and consumer configurations, by the broker's names. */
public final class Configs {
    private static final Kind TEXT = new Kind.Text(List.of());
    private static final Kind TEXTS = new Kind.Many(TEXT);
    private static final Kind FLAG = new Kind.Flag();
    private static final Kind SPAN = new Kind.Span();
    private static final Kind SEQUENCE = new Kind.Sequence();
    private static final Kind TIME = new Kind.Time();
    private static final Kind NUMBER = new Kind.Whole(0);
    private static final Kind LIMIT = new Kind.Whole(-1);

    private static final Kind TRANSFORM = group(Map.of("src", TEXT, "dest", TEXT));
    private static final Kind SOURCE = group(Map.of(
            "name", TEXT,
            "opt_start_seq", SEQUENCE,
            "opt_start_time", TIME,
            "filter_subject", TEXT,
            "subject_transforms", new Kind.Many(TRANSFORM),
            "external", group(Map.of("api", TEXT, "deliver", TEXT)),
            "consumer", group(Map.of("name", TEXT, "deliver_subject", TEXT))));

    /** A stream's configuration. */
    public static final ConfigCodec STREAM = new ConfigCodec(streamFields());

    /** A consumer's configuration. */
    public static final ConfigCodec CONSUMER = new ConfigCodec(consumerFields());

    /** A key-value bucket, by the names of the API. */
    public static final ConfigCodec KV_BUCKET = new ConfigCodec(kvFields());

    /** An object bucket, by the names of the API. */
    public static final ConfigCodec OBJECT_BUCKET = new ConfigCodec(bucketFields());

    private Configs() {}

    private static Map<String, Kind> bucketFields() {
        Map<String, Kind> fields = new LinkedHashMap<>();
        fields.put("name", TEXT);
        fields.put("description", TEXT);
        fields.put("storage", oneOf("file", "memory"));
        fields.put("num_replicas", new Kind.Whole(1));
        fields.put("max_bytes", LIMIT);
        fields.put("ttl", SPAN);
        fields.put("compression", FLAG);
        fields.put("placement", group(Map.of("cluster", TEXT, "tags", TEXTS)));
        fields.put("metadata", new Kind.TextMap());
        return fields;
    }

    private static Map<String, Kind> kvFields() {
        Map<String, Kind> fields = bucketFields();
        fields.put("history", new Kind.Whole(1));
        fields.put("max_value_size", LIMIT);
        fields.put("limit_marker_ttl", SPAN);
        fields.put("mirror", SOURCE);
        fields.put("sources", new Kind.Many(SOURCE));
        fields.put("republish", group(Map.of("src", TEXT, "dest", TEXT, "headers_only", FLAG)));
        return fields;
    }

    private static Map<String, Kind> streamFields() {
        Map<String, Kind> fields = new LinkedHashMap<>();
        fields.put("name", TEXT);
        fields.put("description", TEXT);
        fields.put("subjects", TEXTS);
        fields.put("retention", oneOf("limits", "interest", "workqueue"));
        fields.put("storage", oneOf("file", "memory"));
        fields.put("num_replicas", new Kind.Whole(1));
        for (String limit : List.of("max_consumers", "max_msgs", "max_msgs_per_subject", "max_bytes", "max_msg_size")) {
            fields.put(limit, LIMIT);
        }
        fields.put("max_age", SPAN);
        fields.put("discard", oneOf("old", "new"));
        fields.put("duplicate_window", SPAN);
        fields.put("compression", oneOf("none", "s2"));
        for (String flag : List.of(
                "discard_new_per_subject",
                "no_ack",
                "sealed",
                "deny_delete",
                "deny_purge",
                "allow_rollup_hdrs",
                "allow_direct",
                "mirror_direct",
                "allow_msg_ttl",
                "allow_atomic",
                "allow_batched",
                "allow_msg_counter",
                "allow_msg_schedules")) {
            fields.put(flag, FLAG);
        }
        fields.put("subject_delete_marker_ttl", SPAN);
        fields.put("persist_mode", oneOf("default", "async"));
        fields.put("first_seq", SEQUENCE);
        fields.put("placement", group(Map.of("cluster", TEXT, "tags", TEXTS)));
        fields.put("mirror", SOURCE);
        fields.put("sources", new Kind.Many(SOURCE));
        fields.put("subject_transform", TRANSFORM);
        fields.put("republish", group(Map.of("src", TEXT, "dest", TEXT, "headers_only", FLAG)));
        fields.put("consumer_limits", group(Map.of("inactive_threshold", SPAN, "max_ack_pending", LIMIT)));
        fields.put("metadata", new Kind.TextMap());
        return fields;
    }

    private static Map<String, Kind> consumerFields() {
        Map<String, Kind> fields = new LinkedHashMap<>();
        for (String text : List.of(
                "name",
                "durable_name",
                "description",
                "filter_subject",
                "sample_freq",
                "deliver_subject",
                "deliver_group")) {
            fields.put(text, TEXT);
        }
        fields.put(
                "deliver_policy",
                oneOf("all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject"));
        fields.put("opt_start_seq", SEQUENCE);
        fields.put("opt_start_time", TIME);
        fields.put("ack_policy", oneOf("explicit", "all", "none", "flow_control"));
        fields.put("ack_wait", SPAN);
        fields.put("max_deliver", LIMIT);
        fields.put("backoff", new Kind.Many(SPAN));
        fields.put("filter_subjects", TEXTS);
        fields.put("replay_policy", oneOf("instant", "original"));
        fields.put("max_ack_pending", LIMIT);
        for (String number : List.of("max_waiting", "max_batch", "max_bytes", "num_replicas", "rate_limit_bps")) {
            fields.put(number, NUMBER);
        }
        for (String span : List.of("max_expires", "inactive_threshold", "idle_heartbeat", "priority_timeout")) {
            fields.put(span, SPAN);
        }
        for (String flag : List.of("mem_storage", "headers_only", "flow_control")) {
            fields.put(flag, FLAG);
        }
        fields.put("priority_groups", TEXTS);
        fields.put("priority_policy", oneOf("none", "overflow", "pinned_client", "prioritized"));
        fields.put("pause_until", TIME);
        fields.put("metadata", new Kind.TextMap());
        return fields;
    }

    private static Kind oneOf(String... values) {
        return new Kind.Text(List.of(values));
    }

    private static Kind group(Map<String, Kind> fields) {
        return new Kind.Group(new ConfigCodec(fields));
    }
}
