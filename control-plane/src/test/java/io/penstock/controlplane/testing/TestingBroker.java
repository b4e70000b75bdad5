package io.penstock.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.Broker;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The JetStream API over maps: accounts apart, streams with messages and consumers, no delivery. */
@Alternative
@Unremovable
@ApplicationScoped
public class TestingBroker implements Broker {
    private static final String EPOCH = "2026-11-30T09:00:00.123456789Z";
    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, Map<String, Stream>> accounts = new ConcurrentHashMap<>();

    private static final class Stream {
        private final String created = Instant.now().toString();
        private ObjectNode config;
        private final NavigableMap<Long, ObjectNode> messages = new TreeMap<>();
        private final Map<String, ObjectNode> consumers = new TreeMap<>();
        private long last;
    }

    /** Stores a message as a publish would. */
    public synchronized void publish(String account, String subject, String payload) {
        Stream stream = streams(account).values().stream()
                .filter(one -> keeps(one, subject))
                .findFirst()
                .orElseThrow();
        ObjectNode message = json.createObjectNode();
        message.put("subject", subject);
        message.put("seq", ++stream.last);
        message.put("data", base64(payload));
        message.put("hdrs", base64("NATS/1.0\r\nX-Test: one\r\nX-Test: two\r\n\r\n"));
        message.put("time", EPOCH);
        stream.messages.put(stream.last, message);
    }

    @Override
    public synchronized Reply request(String account, String subject, Map<String, String> headers, byte[] payload) {
        ObjectNode ack = json.createObjectNode();
        Stream stream = streams(account).values().stream()
                .filter(one -> keeps(one, subject))
                .findFirst()
                .orElseThrow();
        long last = stream.messages.values().stream()
                .filter(message -> message.path("subject").asText().equals(subject))
                .mapToLong(message -> message.path("seq").asLong())
                .max()
                .orElse(0);
        String expected = headers.get("Nats-Expected-Last-Subject-Sequence");
        if (expected != null && Long.parseLong(expected) != last) {
            ack.putObject("error").put("code", 400).put("err_code", 10071).put("description", "wrong last sequence");
        } else {
            StringBuilder lines = new StringBuilder("NATS/1.0\r\n");
            headers.forEach((name, value) ->
                    lines.append(name).append(": ").append(value).append("\r\n"));
            if (headers.containsKey("Nats-Rollup")) {
                stream.messages
                        .values()
                        .removeIf(message -> message.path("subject").asText().equals(subject));
            }
            ObjectNode message = json.createObjectNode();
            message.put("subject", subject).put("seq", ++stream.last).put("time", EPOCH);
            message.put("data", Base64.getEncoder().encodeToString(payload));
            message.put("hdrs", base64(lines + "\r\n"));
            stream.messages.put(stream.last, message);
            ack.set("stream", stream.config.path("name"));
            ack.put("seq", stream.last);
        }
        return new Reply(Map.of(), ack.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized Reply request(String account, String subject, byte[] payload) {
        String[] parts = subject.substring("$JS.API.".length()).split("\\.");
        ObjectNode body = parse(payload);
        ObjectNode answer = json.createObjectNode();
        try {
            answer(account, parts, body, answer);
            if (lateAnswers > 0 && subject.contains(".CREATE.")) {
                lateAnswers--;
                throw ProblemException.of(ErrorCode.BROKER_TIMEOUT, "late");
            }
        } catch (Refusal refusal) {
            answer.putObject("error")
                    .put("code", refusal.status)
                    .put("err_code", refusal.code)
                    .put("description", refusal.getMessage());
        }
        return new Reply(Map.of(), answer.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Optional<Long> connections(String account) {
        return Optional.of(2L);
    }

    private volatile List<Node> nodes = List.of();

    /** The nodes that answer from now on, in every account. */
    public void nodes(List<Node> answering) {
        nodes = List.copyOf(answering);
    }

    @Override
    public List<Node> nodes(String account) {
        return nodes;
    }

    @Override
    public Optional<String> serverVersion() {
        return Optional.of("2.15.0");
    }

    private void answer(String account, String[] parts, ObjectNode body, ObjectNode answer) {
        String call = parts[0] + (parts.length > 1 ? "." + parts[1] : "");
        switch (call) {
            case "INFO" ->
                answer.put("streams", streams(account).size())
                        .put("consumers", 0)
                        .put("storage", 0)
                        .put("memory", 0);
            case "STREAM.LIST" ->
                list(
                        answer,
                        "streams",
                        streams(account).values().stream()
                                .filter(one -> !body.hasNonNull("subject")
                                        || keeps(one, body.path("subject").asText()))
                                .map(this::info)
                                .toList());
            case "STREAM.NAMES" -> {
                ArrayNode names = answer.putArray("streams");
                streams(account).values().stream()
                        .filter(one -> keeps(one, body.path("subject").asText()))
                        .forEach(one -> names.add(one.config.path("name")));
                answer.put("total", names.size());
            }
            case "STREAM.CREATE" -> answer.setAll(create(account, body));
            case "STREAM.UPDATE" -> {
                Stream stream = stream(account, parts[2]);
                stream.config = body;
                answer.setAll(info(stream));
            }
            case "STREAM.INFO" -> {
                ObjectNode info = info(stream(account, parts[2]));
                if (body.hasNonNull("subjects_filter") && body.path("offset").asInt() == 0) {
                    ObjectNode subjects = ((ObjectNode) info.path("state")).putObject("subjects");
                    stream(account, parts[2]).messages.values().stream()
                            .map(message -> message.path("subject").asText())
                            .filter(one -> matches(body.path("subjects_filter").asText(), one))
                            .forEach(one -> subjects.put(one, subjects.path(one).asLong() + 1));
                }
                answer.setAll(info);
            }
            case "STREAM.DELETE" -> {
                stream(account, parts[2]);
                streams(account).remove(parts[2]);
                answer.put("success", true);
            }
            case "STREAM.PURGE" ->
                answer.put("purged", purge(stream(account, parts[2]), body)).put("success", true);
            case "STREAM.MSG" -> message(stream(account, parts[3]), parts[2], body, answer);
            case "CONSUMER.CREATE" -> answer.setAll(consumer(account, parts, body));
            case "CONSUMER.INFO" -> answer.setAll(consumer(stream(account, parts[2]), parts[3]));
            case "CONSUMER.LIST" ->
                list(
                        answer,
                        "consumers",
                        List.copyOf(stream(account, parts[2]).consumers.values()));
            case "CONSUMER.PAUSE" -> {
                ObjectNode paused = consumer(stream(account, parts[2]), parts[3]);
                ObjectNode config = (ObjectNode) paused.path("config");
                config.remove("pause_until");
                if (body.hasNonNull("pause_until")) {
                    config.set("pause_until", body.get("pause_until"));
                }
                paused.put("paused", body.hasNonNull("pause_until"));
                answer.put("paused", body.hasNonNull("pause_until"));
            }
            case "CONSUMER.RESET", "CONSUMER.UNPIN" -> answer.setAll(consumer(stream(account, parts[2]), parts[3]));
            case "CONSUMER.DELETE" -> {
                consumer(stream(account, parts[2]), parts[3]);
                stream(account, parts[2]).consumers.remove(parts[3]);
                answer.put("success", true);
            }
            default -> throw new IllegalArgumentException(String.join(".", parts));
        }
    }

    private int lateAnswers;

    /** So many of the next creates are done, but their answers do not come in time. */
    public synchronized void answerLate(int times) {
        lateAnswers = times;
    }

    private ObjectNode create(String account, ObjectNode body) {
        Stream there = streams(account).get(body.path("name").asText());
        if (there != null) {
            if (!configured(body).equals(there.config)) {
                throw new Refusal(400, 10058, "stream name already in use with a different configuration");
            }
            return info(there);
        }
        for (JsonNode subject : body.path("subjects")) {
            if (streams(account).values().stream().anyMatch(one -> keeps(one, subject.asText()))) {
                throw new Refusal(400, 10065, "subjects overlap with an existing stream");
            }
        }
        if (body.path("num_replicas").asInt() > 1) {
            throw new Refusal(500, 10074, "replicas > 1 not supported in non-clustered mode");
        }
        Stream stream = new Stream();
        stream.config = configured(body);
        streams(account).put(body.path("name").asText(), stream);
        return info(stream);
    }

    private static ObjectNode configured(ObjectNode body) {
        ObjectNode config = body.deepCopy();
        config.put("duplicate_window", 120_000_000_000L);
        config.put("a_field_of_tomorrow", "kept");
        return config;
    }

    private static long purge(Stream stream, ObjectNode body) {
        String filter = body.path("filter").asText(">");
        List<Long> hit = stream.messages.values().stream()
                .filter(message -> matches(filter, message.path("subject").asText()))
                .map(message -> message.path("seq").asLong())
                .filter(seq -> !body.hasNonNull("seq") || seq < body.path("seq").asLong())
                .sorted(Comparator.naturalOrder())
                .toList();
        int keep = Math.min(body.path("keep").asInt(), hit.size());
        hit.subList(0, hit.size() - keep).forEach(stream.messages::remove);
        return hit.size() - (long) keep;
    }

    private void message(Stream stream, String verb, ObjectNode body, ObjectNode answer) {
        long seq = body.path("seq").asLong();
        if ("DELETE".equals(verb)) {
            if (stream.messages.remove(seq) == null) {
                throw new Refusal(400, 10043, "no message found");
            }
            answer.put("success", true);
            return;
        }
        String filter = body.path("next_by_subj").asText("");
        ObjectNode found = body.hasNonNull("last_by_subj")
                ? stream.messages.descendingMap().values().stream()
                        .filter(message -> message.path("subject")
                                .asText()
                                .equals(body.path("last_by_subj").asText()))
                        .findFirst()
                        .orElse(null)
                : filter.isEmpty()
                        ? stream.messages.get(seq)
                        : stream.messages.tailMap(seq).values().stream()
                                .filter(message ->
                                        matches(filter, message.path("subject").asText()))
                                .findFirst()
                                .orElse(null);
        if (found == null) {
            throw new Refusal(404, 10037, "no message found");
        }
        answer.set("message", found);
    }

    private ObjectNode consumer(String account, String[] parts, ObjectNode body) {
        Stream stream = stream(account, parts[2]);
        ObjectNode there = stream.consumers.get(parts[3]);
        if (there != null && "create".equals(body.path("action").asText())) {
            if (!there.path("config").equals(body.path("config"))) {
                throw new Refusal(400, 10148, "consumer already exists");
            }
            return there;
        }
        ObjectNode info = json.createObjectNode();
        info.put("stream_name", parts[2])
                .put("name", parts[3])
                .put("created", Instant.now().toString());
        info.set("config", body.path("config"));
        info.putObject("delivered").put("consumer_seq", 0).put("stream_seq", 0);
        info.putObject("ack_floor").put("consumer_seq", 0).put("stream_seq", 0);
        info.put("num_pending", stream.messages.size());
        stream.consumers.put(parts[3], info);
        return info;
    }

    private static ObjectNode consumer(Stream stream, String name) {
        ObjectNode consumer = stream.consumers.get(name);
        if (consumer == null) {
            throw new Refusal(404, 10014, "consumer not found");
        }
        return consumer;
    }

    private ObjectNode info(Stream stream) {
        ObjectNode info = json.createObjectNode();
        info.set("config", stream.config);
        info.put("created", stream.created);
        ObjectNode state = info.putObject("state");
        state.put("messages", stream.messages.size());
        state.put("bytes", 100L * stream.messages.size());
        state.put("first_seq", stream.messages.isEmpty() ? stream.last + 1 : stream.messages.firstKey());
        state.put("first_ts", stream.messages.isEmpty() ? "0001-01-01T00:00:00Z" : EPOCH);
        state.put("last_seq", stream.last);
        state.put("last_ts", stream.last == 0 ? "0001-01-01T00:00:00Z" : EPOCH);
        state.put("consumer_count", stream.consumers.size());
        return info;
    }

    private void list(ObjectNode answer, String field, List<ObjectNode> rows) {
        ArrayNode out = answer.putArray(field);
        rows.forEach(out::add);
        answer.put("total", rows.size());
    }

    private Map<String, Stream> streams(String account) {
        return accounts.computeIfAbsent(account, id -> new TreeMap<>());
    }

    private Stream stream(String account, String name) {
        Stream stream = streams(account).get(name);
        if (stream == null) {
            throw new Refusal(404, 10059, "stream not found");
        }
        return stream;
    }

    private static boolean keeps(Stream stream, String subject) {
        for (JsonNode own : stream.config.path("subjects")) {
            if (matches(own.asText(), subject) || matches(subject, own.asText())) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String filter, String subject) {
        String[] wanted = filter.split("\\.");
        String[] given = subject.split("\\.");
        for (int i = 0; i < wanted.length; i++) {
            if (">".equals(wanted[i])) {
                return given.length > i;
            }
            if (i >= given.length || !("*".equals(wanted[i]) || wanted[i].equals(given[i]))) {
                return false;
            }
        }
        return wanted.length == given.length;
    }

    private ObjectNode parse(byte[] payload) {
        try {
            return payload.length == 0 ? json.createObjectNode() : (ObjectNode) json.readTree(payload);
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;
        private final int code;

        Refusal(int status, int code, String message) {
            super(message);
            this.status = status;
            this.code = code;
        }
    }
}
