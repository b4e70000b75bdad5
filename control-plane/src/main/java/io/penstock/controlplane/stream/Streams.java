package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.stream.StreamResource.SubjectCount;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Changes of streams and what they would do. */
@ApplicationScoped
public class Streams {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Fields the broker never changes; it says so less clearly. */
    private static final List<String> FIXED = List.of("name", "storage", "first_seq");

    @Inject
    JetStream jetStream;

    @Inject
    BrokerAudit audit;

    @Inject
    Clock clock;

    static String checked(String name) {
        if (!name.matches(Names.BROKER)) {
            throw ProblemException.notFound();
        }
        return name;
    }

    static String name(ObjectNode config) {
        JsonNode name = config.path("name");
        if (!name.isTextual() || !name.asText().matches(Names.BROKER)) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "name", "pattern", Names.BROKER_RULE);
        }
        return name.asText();
    }

    /** What the broker would fill in, spelled out, so that a dry run shows it. */
    static ObjectNode withDefaults(ObjectNode config) {
        ObjectNode defaults = NODES.objectNode();
        boolean ownSubjects = !config.hasNonNull("mirror") && !config.hasNonNull("sources");
        if (ownSubjects) {
            defaults.putArray("subjects").add(config.path("name"));
        }
        defaults.put("retention", "limits");
        defaults.put("storage", "file");
        defaults.put("num_replicas", 1);
        for (String limit : List.of("max_consumers", "max_msgs", "max_msgs_per_subject", "max_bytes", "max_msg_size")) {
            defaults.put(limit, -1);
        }
        defaults.put("max_age", 0);
        defaults.put("discard", "old");
        return ConfigCodec.merge(defaults, withoutNulls(config));
    }

    private static ObjectNode withoutNulls(ObjectNode config) {
        return ConfigCodec.merge(NODES.objectNode(), config);
    }

    ObjectNode create(String account, String name, ObjectNode config) {
        requireFree(account, name);
        JsonNode info = audited(
                account,
                "stream.created",
                name,
                Map.of("config", Configs.STREAM.toApi(config)),
                () -> jetStream.call(account, "STREAM.CREATE." + name, config));
        return Views.stream(account, info);
    }

    ObjectNode tryCreate(String account, String name, ObjectNode config) {
        requireFree(account, name);
        requireNoOverlap(account, name, config);
        ObjectNode info = NODES.objectNode();
        info.set("config", config);
        info.put("created", clock.instant().toString());
        ObjectNode out = dryRun(account, info, NODES.objectNode(), config);
        out.set("affected", affected(NODES.objectNode()));
        return out;
    }

    ObjectNode update(String account, JsonNode current, ObjectNode patch) {
        ObjectNode config = merged(current, patch);
        String name = config.path("name").asText();
        JsonNode info = audited(
                account,
                "stream.updated",
                name,
                Map.of("changes", changes(current.path("config"), config)),
                () -> jetStream.call(account, "STREAM.UPDATE." + name, config));
        return Views.stream(account, info);
    }

    ObjectNode tryUpdate(String account, JsonNode current, ObjectNode patch) {
        ObjectNode config = merged(current, patch);
        requireNoOverlap(account, config.path("name").asText(), config);
        ObjectNode info = current.deepCopy();
        info.set("config", config);
        ObjectNode out = dryRun(account, info, current.path("config"), config);
        out.set("affected", affected(NODES.objectNode()));
        return out;
    }

    void delete(String account, String name, JsonNode current) {
        audited(
                account,
                "stream.deleted",
                name,
                Map.of("affected", affected(current.path("state"))),
                () -> jetStream.call(account, "STREAM.DELETE." + name, null));
    }

    List<SubjectCount> subjects(String account, String stream, String filter) {
        List<SubjectCount> out = new ArrayList<>();
        Map<String, Long> batch;
        do {
            batch = jetStream.subjects(account, stream, filter, out.size());
            batch.forEach((subject, count) -> out.add(new SubjectCount(subject, Long.toString(count))));
        } while (batch.size() >= 100_000);
        out.sort(java.util.Comparator.comparing(SubjectCount::subject));
        return out;
    }

    static ObjectNode affected(JsonNode state) {
        ObjectNode out = NODES.objectNode();
        out.put("messages", state.path("messages").asText("0"));
        out.put("bytes", state.path("bytes").asLong());
        out.put("consumers", state.path("consumer_count").asLong());
        return out;
    }

    private void requireFree(String account, String name) {
        try {
            jetStream.stream(account, name);
        } catch (ProblemException absent) {
            if (absent.code() == ErrorCode.NOT_FOUND) {
                return;
            }
            throw absent;
        }
        throw ProblemException.of(ErrorCode.ALREADY_EXISTS, "A stream of this name exists. Choose another name.")
                .param("err_code", 10058);
    }

    private void requireNoOverlap(String account, String name, ObjectNode config) {
        for (JsonNode subject : config.path("subjects")) {
            List<String> holders = jetStream.streamNames(account, subject.asText()).stream()
                    .filter(holder -> !holder.equals(name))
                    .toList();
            if (!holders.isEmpty()) {
                throw ProblemException.invalidField(
                                ErrorCode.SUBJECT_OVERLAP,
                                "subjects",
                                "overlap",
                                subject.asText() + " belongs to " + String.join(", ", holders) + " already")
                        .param("err_code", 10065)
                        .param("streams", holders);
            }
        }
    }

    private static ObjectNode merged(JsonNode current, ObjectNode patch) {
        JsonNode config = current.path("config");
        for (String field : FIXED) {
            if (patch.has(field) && !patch.get(field).equals(config.get(field))) {
                throw ProblemException.invalidField(
                        ErrorCode.IMMUTABLE_FIELD, field, "immutable", "it cannot be changed after creation");
            }
        }
        return ConfigCodec.merge(config, patch);
    }

    private static ObjectNode dryRun(String account, JsonNode info, JsonNode before, ObjectNode after) {
        ObjectNode out = NODES.objectNode();
        out.put("valid", true);
        out.set("stream", Views.stream(account, info));
        out.set("changes", changes(before, after));
        return out;
    }

    private static JsonNode changes(JsonNode before, JsonNode after) {
        return Views.changes(Configs.STREAM.toApi(before), Configs.STREAM.toApi(after));
    }

    private JsonNode audited(
            String account, String action, String stream, Map<String, ?> details, Supplier<JsonNode> work) {
        return audit.around(account, action, "/v1/accounts/" + account + "/streams/" + stream, details, work);
    }
}
