package io.penstock.controlplane.consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changes of consumers and what they would do. */
@ApplicationScoped
public class Consumers {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> FIXED = List.of(
            "name",
            "durable_name",
            "deliver_policy",
            "opt_start_seq",
            "ack_policy",
            "replay_policy",
            "flow_control",
            "idle_heartbeat",
            "max_waiting",
            "mem_storage");

    @Inject
    JetStream jetStream;

    @Inject
    BrokerAudit audit;

    @Inject
    Clock clock;

    /** Checks the body and fills in what the API promises: explicit acks, from the first message, durable unless it may idle away. */
    static ObjectNode wanted(ObjectNode body) {
        if (body.has("durable_name")) {
            throw ProblemException.invalidField(
                    ErrorCode.UNKNOWN_FIELD,
                    "durable_name",
                    "known",
                    "a consumer is durable unless inactive_threshold is set");
        }
        ObjectNode given = ConfigCodec.merge(NODES.objectNode(), Configs.CONSUMER.toBroker(body));
        JsonNode name = given.path("name");
        if (!name.isTextual() || !name.asText().matches(Names.BROKER)) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "name", "pattern", Names.BROKER_RULE);
        }
        ObjectNode out = NODES.objectNode();
        out.put("deliver_policy", "all");
        out.put("ack_policy", "explicit");
        out.put("replay_policy", "instant");
        out.setAll(given);
        if (!given.has("inactive_threshold")) {
            out.put("durable_name", name.asText());
        }
        return out;
    }

    /** `earlier` is when a run of the same call began that may have made it. */
    ObjectNode create(String account, String stream, ObjectNode config, Optional<Instant> earlier) {
        requireFree(account, stream, config.path("name").asText(), earlier);
        JsonNode info = change(account, stream, config, "create", Map.of("config", Configs.CONSUMER.toApi(config)));
        return Views.consumer(account, info);
    }

    ObjectNode tryCreate(String account, String stream, ObjectNode config) {
        jetStream.stream(account, stream);
        requireFree(account, stream, config.path("name").asText(), Optional.empty());
        ObjectNode info = NODES.objectNode();
        info.put("stream_name", stream);
        info.set("name", config.path("name"));
        info.set("config", config);
        info.put("created", clock.instant().toString());
        return dryRun(account, info, NODES.objectNode(), config);
    }

    /** The broker heeds `pause_until` in its own call only, so a change of it takes two. */
    ObjectNode update(String account, JsonNode current, ObjectNode patch) {
        String stream = current.path("stream_name").asText();
        String name = current.path("name").asText();
        ObjectNode rest = patch.deepCopy();
        JsonNode until = rest.remove("pause_until");
        JsonNode info = current;
        if (!rest.isEmpty()) {
            ObjectNode config = merged(current, rest);
            Map<String, ?> details = Map.of("changes", changes(current.path("config"), config));
            info = change(account, stream, config, "update", details);
        }
        if (until == null || until.equals(current.at("/config/pause_until"))) {
            return Views.consumer(account, info);
        }
        return act(account, stream, name, new Action.Pause(until.isNull() ? null : Instant.parse(until.asText())));
    }

    /** What is done to a consumer beside its configuration. */
    sealed interface Action {
        /** Delivers nothing until then; null lets it go on. */
        record Pause(Instant until) implements Action {}

        /** Goes on at the sequence; null at the first message that is not acknowledged. */
        record Reset(String seq) implements Action {}

        /** Takes the pin from the client that holds it. */
        record Unpin(String group) implements Action {}
    }

    ObjectNode act(String account, String stream, String consumer, Action action) {
        ObjectNode body = NODES.objectNode();
        String api;
        String event;
        switch (action) {
            case Action.Pause(Instant until) -> {
                api = "PAUSE";
                event = until == null ? "consumer.resumed" : "consumer.paused";
                if (until != null) {
                    body.put("pause_until", until.toString());
                }
            }
            case Action.Reset(String seq) -> {
                api = "RESET";
                event = "consumer.reset";
                if (seq != null) {
                    body.put("seq", new BigInteger(seq));
                }
            }
            case Action.Unpin(String group) -> {
                api = "UNPIN";
                event = "consumer.unpinned";
                body.put("group", group);
            }
        }
        audit.around(
                account,
                event,
                path(account, stream, consumer),
                Map.of("request", body),
                () -> jetStream.call(account, "CONSUMER." + api + "." + stream + "." + consumer, body));
        return Views.consumer(account, jetStream.consumer(account, stream, consumer));
    }

    ObjectNode tryUpdate(String account, JsonNode current, ObjectNode patch) {
        ObjectNode config = merged(current, patch);
        ObjectNode info = current.deepCopy();
        info.set("config", config);
        return dryRun(account, info, current.path("config"), config);
    }

    void delete(String account, String stream, String consumer, JsonNode current) {
        audit.around(
                account,
                "consumer.deleted",
                path(account, stream, consumer),
                Map.of("affected", affected(current)),
                () -> jetStream.delete(account, "CONSUMER.DELETE." + stream + "." + consumer));
    }

    static ObjectNode affected(JsonNode info) {
        ObjectNode out = NODES.objectNode();
        out.put("num_pending", info.path("num_pending").asText("0"));
        out.put("num_ack_pending", info.path("num_ack_pending").asLong());
        out.put("num_waiting", info.path("num_waiting").asLong());
        return out;
    }

    private JsonNode change(String account, String stream, ObjectNode config, String action, Map<String, ?> details) {
        String name = config.path("name").asText();
        ObjectNode body = NODES.objectNode();
        body.put("stream_name", stream);
        body.set("config", config);
        body.put("action", action);
        return audit.around(
                account,
                "consumer." + action + "d",
                path(account, stream, name),
                details,
                () -> jetStream.ensure(account, "CONSUMER.CREATE." + stream + "." + name, body));
    }

    private void requireFree(String account, String stream, String name, Optional<Instant> earlier) {
        try {
            if (Views.madeSince(jetStream.consumer(account, stream, name), earlier)) {
                return;
            }
        } catch (ProblemException absent) {
            if (absent.code() == ErrorCode.NOT_FOUND) {
                return;
            }
            throw absent;
        }
        throw ProblemException.of(ErrorCode.ALREADY_EXISTS, "A consumer of this name exists. Choose another name.")
                .param("err_code", 10148);
    }

    private static ObjectNode merged(JsonNode current, ObjectNode patch) {
        JsonNode config = current.path("config");
        for (String field : FIXED) {
            if (patch.has(field) && !ConfigCodec.same(patch.get(field), config.get(field))) {
                throw ProblemException.invalidField(
                        ErrorCode.IMMUTABLE_FIELD, field, "immutable", "it cannot be changed after creation");
            }
        }
        ObjectNode out = ConfigCodec.merge(config, patch);
        out.set("name", current.path("name"));
        return out;
    }

    private static ObjectNode dryRun(String account, JsonNode info, JsonNode before, ObjectNode after) {
        ObjectNode out = NODES.objectNode();
        out.put("valid", true);
        out.set("consumer", Views.consumer(account, info));
        out.set("changes", changes(before, after));
        return out;
    }

    private static JsonNode changes(JsonNode before, JsonNode after) {
        return Views.changes(Configs.CONSUMER.toApi(before), Configs.CONSUMER.toApi(after));
    }

    private static String path(String account, String stream, String consumer) {
        return "/v1/accounts/" + account + "/streams/" + stream + "/consumers/" + consumer;
    }
}
