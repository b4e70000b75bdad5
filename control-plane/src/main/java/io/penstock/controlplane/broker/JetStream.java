package io.penstock.controlplane.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The JetStream API as JSON. Documents pass as trees, so that what a newer broker knows more survives reading and writing.
 */
@ApplicationScoped
public class JetStream {
    /** Pages of a list that are followed; with 256 streams a page more than any account may have. */
    private static final int MOST_PAGES = 4_000;

    /** Subjects the broker tells at once. */
    private static final int SUBJECTS_PAGE = 100_000;

    private static final int NO_MESSAGE = 10037;

    /** Times that an unanswered change is asked for; with 5 s each it ends before clients give up. */
    private static final int ASKED = 4;

    private static final Duration ASKED_GAP = Duration.ofMillis(250);

    @Inject
    Broker broker;

    private final ObjectMapper json = new ObjectMapper();

    public JsonNode call(String accountId, String api, JsonNode body) {
        byte[] payload = body == null ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8);
        return parse(broker.request(accountId, "$JS.API." + api, payload));
    }

    /**
     * As {@link #call}, for what has the same outcome when it is done twice, such as a change to a given configuration. When the
     * answer does not come (a leader is being chosen, the node is gone), it may have been done or not, so it is asked for again.
     */
    public JsonNode ensure(String accountId, String api, JsonNode body) {
        return again(() -> call(accountId, api, body));
    }

    /** Deletes: what is gone when the call is repeated went with the first attempt. */
    public JsonNode delete(String accountId, String api) {
        boolean[] repeated = new boolean[1];
        return again(() -> {
            try {
                return call(accountId, api, null);
            } catch (ProblemException refused) {
                if (repeated[0] && refused.code() == ErrorCode.NOT_FOUND) {
                    return json.createObjectNode().put("success", true);
                }
                repeated[0] = true;
                throw refused;
            }
        });
    }

    private static JsonNode again(Supplier<JsonNode> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (ProblemException lost) {
                boolean unanswered = lost.code() == ErrorCode.BROKER_TIMEOUT || lost.code() == ErrorCode.UNAVAILABLE;
                if (!unanswered || attempt == ASKED) {
                    throw lost;
                }
                LockSupport.parkNanos(ASKED_GAP.toNanos());
            }
        }
    }

    /** Publishes a message that a stream keeps; returns its acknowledgement. */
    public JsonNode publish(String accountId, String subject, Map<String, String> headers, byte[] payload) {
        return parse(broker.request(accountId, subject, headers, payload));
    }

    private JsonNode parse(Broker.Reply reply) {
        JsonNode answer;
        try {
            answer = json.readTree(reply.data());
        } catch (IOException malformed) {
            throw ProblemException.of(ErrorCode.BROKER_ERROR, "The broker's answer cannot be read.");
        }
        if (answer == null || answer.isMissingNode()) {
            throw ProblemException.of(ErrorCode.BROKER_ERROR, "The broker's answer is empty.");
        }
        if (answer.hasNonNull("error")) {
            throw BrokerErrors.problem(answer.get("error"));
        }
        return answer;
    }

    /** All streams in order of names; with a subject only those that keep it. */
    public List<JsonNode> streams(String accountId, String subject) {
        ObjectNode query = json.createObjectNode();
        if (subject != null) {
            query.put("subject", subject);
        }
        return all(accountId, "STREAM.LIST", "streams", query);
    }

    public List<String> streamNames(String accountId, String subject) {
        List<JsonNode> names = all(
                accountId, "STREAM.NAMES", "streams", json.createObjectNode().put("subject", subject));
        return names.stream().map(JsonNode::asText).toList();
    }

    public List<JsonNode> consumers(String accountId, String stream) {
        return all(accountId, "CONSUMER.LIST." + stream, "consumers", json.createObjectNode());
    }

    public JsonNode stream(String accountId, String stream) {
        return call(accountId, "STREAM.INFO." + stream, null);
    }

    public JsonNode consumer(String accountId, String stream, String consumer) {
        return call(accountId, "CONSUMER.INFO." + stream + "." + consumer, null);
    }

    private Map<String, Long> subjects(String accountId, String stream, String filter, int offset) {
        ObjectNode query =
                json.createObjectNode().put("subjects_filter", filter).put("offset", offset);
        JsonNode counts =
                call(accountId, "STREAM.INFO." + stream, query).path("state").path("subjects");
        Map<String, Long> out = new java.util.TreeMap<>();
        counts.properties()
                .forEach(entry -> out.put(entry.getKey(), entry.getValue().asLong()));
        return out;
    }

    /** Every matching subject and how many messages it has, in order. */
    public Map<String, Long> subjects(String accountId, String stream, String filter) {
        Map<String, Long> out = new java.util.TreeMap<>();
        Map<String, Long> batch;
        do {
            batch = subjects(accountId, stream, filter, out.size());
            out.putAll(batch);
        } while (batch.size() >= SUBJECTS_PAGE);
        return out;
    }

    /** A stored message, or empty when there is none. */
    public Optional<JsonNode> message(String accountId, String stream, ObjectNode query) {
        try {
            return Optional.of(
                    call(accountId, "STREAM.MSG.GET." + stream, query).path("message"));
        } catch (ProblemException refused) {
            if (Integer.valueOf(NO_MESSAGE).equals(refused.params().get("err_code"))) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private List<JsonNode> all(String accountId, String api, String field, ObjectNode query) {
        List<JsonNode> out = new ArrayList<>();
        for (int page = 0; page < MOST_PAGES; page++) {
            JsonNode answer = call(accountId, api, query.put("offset", out.size()));
            JsonNode rows = answer.path(field);
            rows.forEach(out::add);
            if (rows.isEmpty() || out.size() >= answer.path("total").asInt()) {
                break;
            }
        }
        return out;
    }
}
