package io.penstock.controlplane.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.operation.DueHandler;
import io.penstock.controlplane.operation.DueTasks;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Deleted streams until they are purged. The stream stays in the broker under its name, hidden here and closed there: it takes no more
 * messages (its subjects are exchanged for one that nobody publishes on, its sources are cut), it loses none (no age limit), and its
 * consumers are paused. A restore gives all of that back.
 */
@ApplicationScoped
public class Trash implements DueHandler {
    static final String KIND = "stream.purge";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Consumers of a deleted stream are paused until long after its purge. */
    private static final Duration PAUSE = Duration.ofDays(3650);

    @Inject
    Tenancy tenancy;

    @Inject
    StreamRecords records;

    @Inject
    JetStream jetStream;

    @Inject
    DueTasks due;

    @Inject
    ObjectMapper json;

    @Inject
    Clock clock;

    @ConfigProperty(name = "penstock.restore-window", defaultValue = "168h")
    Duration window;

    /** When a stream deleted now is purged. */
    Instant purgeAt() {
        return clock.instant().plus(window);
    }

    /** What a restore needs. It is noted before anything is changed, so that nothing can get lost between. */
    ObjectNode save(String account, JsonNode info) {
        ObjectNode saved = NODES.objectNode();
        saved.set("config", info.path("config"));
        ObjectNode paused = saved.putObject("consumers");
        for (JsonNode consumer :
                jetStream.consumers(account, info.at("/config/name").asText())) {
            paused.put(
                    consumer.path("name").asText(),
                    consumer.at("/config/pause_until").asText(""));
        }
        return saved;
    }

    /** Closes the stream in the broker. */
    JsonNode close(String account, JsonNode saved) {
        JsonNode config = saved.path("config");
        String name = config.path("name").asText();
        JsonNode info = config.path("sealed").asBoolean()
                ? jetStream.stream(account, name)
                : jetStream.call(account, "STREAM.UPDATE." + name, closed(config));
        String until = clock.instant().plus(PAUSE).toString();
        saved.path("consumers").fieldNames().forEachRemaining(consumer -> pause(account, name, consumer, until));
        return info;
    }

    static ObjectNode closed(JsonNode config) {
        ObjectNode out = config.deepCopy();
        if (!config.hasNonNull("mirror")) {
            out.putArray("subjects")
                    .add("$PENSTOCK.deleted." + config.path("name").asText());
        }
        out.remove("sources");
        out.remove("republish");
        out.put("max_age", 0);
        return out;
    }

    /** In the transaction of the event. */
    void note(Scope scope, String account, JsonNode info, ObjectNode saved, Instant purgeAt) {
        String name = info.at("/config/name").asText();
        records.delete(
                scope,
                new StreamRecord(
                        account,
                        name,
                        info.path("created").asText(),
                        false,
                        saved.toString(),
                        info.at("/state/messages").asLong(),
                        info.at("/state/bytes").asLong(),
                        clock.instant(),
                        purgeAt));
        due.add(scope, KIND, account + "/" + name, account, purgeAt);
    }

    /** Opens the stream again; the broker refuses when another one keeps its subjects by now. */
    JsonNode open(StreamRecord record) {
        JsonNode saved = saved(record);
        JsonNode info = saved.at("/config/sealed").asBoolean()
                ? jetStream.stream(record.account(), record.name())
                : jetStream.call(record.account(), "STREAM.UPDATE." + record.name(), saved.path("config"));
        for (JsonNode consumer : jetStream.consumers(record.account(), record.name())) {
            String name = consumer.path("name").asText();
            pause(
                    record.account(),
                    record.name(),
                    name,
                    saved.path("consumers").path(name).asText(""));
        }
        return info;
    }

    JsonNode savedConfig(StreamRecord record) {
        return saved(record).path("config");
    }

    /** In the transaction of the event. */
    void forget(String account, String name) {
        records.forget(account, name);
        due.remove(KIND, account + "/" + name);
    }

    private void pause(String account, String stream, String consumer, String until) {
        ObjectNode body = NODES.objectNode();
        if (!until.isEmpty()) {
            body.put("pause_until", until);
        }
        jetStream.call(account, "CONSUMER.PAUSE." + stream + "." + consumer, body);
    }

    private JsonNode saved(StreamRecord record) {
        try {
            return json.readTree(record.saved());
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("what a deleted stream had cannot be read", damaged);
        }
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void run(DueTasks.Task task) {
        String account = task.accountId();
        String name = task.ref().substring(account.length() + 1);
        Optional<StreamRecord> record = tenancy.runAs(task.orgId(), scope -> records.find(account, name));
        boolean over = record.isPresent()
                && record.get().purgeAt() != null
                && !record.get().purgeAt().isAfter(clock.instant());
        if (!over) {
            return;
        }
        purge(record.get());
        tenancy.runAs(task.orgId(), scope -> {
            records.forget(account, name);
            return null;
        });
    }

    /** Removes the stream from the broker, unless it was removed or another one has taken its name. */
    void purge(StreamRecord record) {
        try {
            if (record.deleted(jetStream.stream(record.account(), record.name()))) {
                jetStream.call(record.account(), "STREAM.DELETE." + record.name(), null);
            }
        } catch (ProblemException absent) {
            if (absent.code() != ErrorCode.NOT_FOUND) {
                throw absent;
            }
        }
    }
}
