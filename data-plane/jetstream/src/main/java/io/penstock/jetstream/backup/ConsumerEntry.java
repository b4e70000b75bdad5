package io.penstock.jetstream.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.state.ConsumerProgress;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A consumer in an archive: its configuration and how far it has come, in the words of nats-server. What only this server
 * keeps stands in a field of its own, which others pass over.
 */
record ConsumerEntry(String name, ConsumerConfig config, ConsumerProgress progress) {
    private static final int MOST_NAME = 255;
    private static final String OURS = "penstock";
    private static final String CONSUMER = "consumer_seq";
    private static final String STREAM = "stream_seq";
    private static final String ACK_FLOOR = "ack_floor";
    private static final String DELIVERED = "delivered";
    private static final String PENDING = "pending";
    private static final String REDELIVERED = "redelivered";

    static ArchiveEntry write(ConsumerState consumer, long now) {
        ConsumerProgress progress = consumer.progress();
        ObjectNode node = JetStreamJson.object();
        ConsumerConfig named =
                consumer.config().toBuilder().name(consumer.name()).build();
        node.set("config", JetStreamJson.tree(named));
        ObjectNode state = node.putObject("state");
        state.putObject(DELIVERED).put(CONSUMER, progress.deliveredConsumer()).put(STREAM, progress.deliveredStream());
        state.putObject(ACK_FLOOR).put(CONSUMER, progress.floorConsumer()).put(STREAM, progress.floorStream());
        ObjectNode pending = JetStreamJson.object();
        ObjectNode redelivered = JetStreamJson.object();
        for (ConsumerProgress.Pending p : progress.pending()) {
            String key = Long.toString(p.sequence());
            pending.putObject(key).put("Sequence", p.consumerSequence()).put("Timestamp", p.deliveredAt());
            if (p.deliveries() > 1) {
                redelivered.put(key, p.deliveries() - 1);
            }
        }
        if (!pending.isEmpty()) {
            state.set(PENDING, pending);
        }
        if (!redelivered.isEmpty()) {
            state.set(REDELIVERED, redelivered);
        }
        if (!progress.exhausted().isEmpty() || !progress.initial().isEmpty()) {
            ObjectNode ours = node.putObject(OURS);
            progress.exhausted().forEach(ours.putArray("exhausted")::add);
            progress.initial().forEach(ours.putArray("initial")::add);
        }
        String name = ArchiveEntry.CONSUMERS + Subjects.fromUtf8(consumer.name());
        return new ArchiveEntry(name, now, 0, 0, JetStreamJson.write(node));
    }

    static ConsumerEntry read(ArchiveEntry entry) throws ArchiveException {
        if (!entry.name().startsWith(ArchiveEntry.CONSUMERS) || entry.sequence() != 0) {
            throw new ArchiveException("a consumer should follow, not \"" + Subjects.toUtf8(entry.name()) + "\"");
        }
        String wire = entry.name().substring(ArchiveEntry.CONSUMERS.length());
        String name = Subjects.toUtf8(wire);
        boolean plain = Subjects.isValidLiteral(wire) && wire.indexOf('.') < 0 && wire.length() <= MOST_NAME;
        if (!plain || name.contains("/") || name.contains("\\")) {
            throw new ArchiveException("\"" + name + "\" is not the name of a consumer");
        }
        try {
            JsonNode node = JetStreamJson.read(entry.body(), JsonNode.class, false);
            if (!node.path("config").isObject() || !node.path("state").isObject()) {
                throw new ArchiveException("consumer " + name + " has no configuration or no state");
            }
            ConsumerConfig config =
                    JetStreamJson.read(JetStreamJson.write(node.get("config")), ConsumerConfig.class, false);
            boolean same = (config.name().isEmpty() || config.name().equals(name))
                    && (config.durableName().isEmpty() || config.durableName().equals(name));
            if (!same) {
                throw new ArchiveException("consumer " + name + " has another name in its configuration");
            }
            // Its replicas are its stream's.
            ConsumerConfig stored = config.toBuilder().name(name).numReplicas(0).build();
            return new ConsumerEntry(name, stored, progress(node.get("state"), node.path(OURS)));
        } catch (InvalidJsonException | NumberFormatException e) {
            throw new ArchiveException("consumer " + name + " cannot be read: " + e.getMessage());
        }
    }

    private static ConsumerProgress progress(JsonNode state, JsonNode ours) {
        Map<Long, JsonNode> sorted = new TreeMap<>();
        state.path(PENDING).properties().forEach(e -> sorted.put(Long.parseLong(e.getKey()), e.getValue()));
        List<ConsumerProgress.Pending> pending = new ArrayList<>(sorted.size());
        JsonNode redelivered = state.path(REDELIVERED);
        sorted.forEach((sequence, p) -> pending.add(new ConsumerProgress.Pending(
                sequence,
                p.path("Sequence").asLong(),
                (int) Math.min(
                        Integer.MAX_VALUE,
                        1 + redelivered.path(Long.toString(sequence)).asLong()),
                p.path("Timestamp").asLong())));
        return new ConsumerProgress(
                state.path(DELIVERED).path(CONSUMER).asLong(),
                state.path(DELIVERED).path(STREAM).asLong(),
                state.path(ACK_FLOOR).path(CONSUMER).asLong(),
                state.path(ACK_FLOOR).path(STREAM).asLong(),
                pending,
                longs(ours.path("exhausted")),
                longs(ours.path("initial")));
    }

    private static List<Long> longs(JsonNode array) {
        List<Long> all = new ArrayList<>();
        if (array instanceof ArrayNode numbers) {
            numbers.forEach(n -> all.add(n.asLong()));
        }
        return all;
    }
}
