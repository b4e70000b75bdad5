package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.PendingSet;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random operations, crashes and checkpoints against one node in virtual time; after each step what was promised to
 * clients is compared with what is there.
 */
class SimulationTest {
    private static final int STEPS = 400;
    private static final long SECOND = 1_000_000_000L;
    private static final String[] RETENTIONS = {"limits", "interest", "workqueue"};

    @Test
    void keepsItsPromises() {
        Seeds.play("stream", 1_000, seed -> new Run(seed).play());
    }

    /** One stream with its consumers, and what clients know of it. */
    private static final class Model {
        final String name;
        final String retention;
        final int maxMsgs;
        /** Sequence to value of every acknowledged publish. */
        final TreeMap<Long, String> acked = new TreeMap<>();
        /** Sequences that clients removed themselves. */
        final Set<Long> removed = new HashSet<>();
        /** Message id to sequence. */
        final Map<String, Long> ids = new HashMap<>();
        /** Consumer to sequences whose acknowledgement was answered. */
        final Map<String, Set<Long>> done = new HashMap<>();
        /** Consumer to messages received and not answered. */
        final Map<String, List<Message>> open = new HashMap<>();

        final Map<String, Integer> maxPending = new HashMap<>();
        long highest;

        Model(String name, String retention, int maxMsgs) {
            this.name = name;
            this.retention = retention;
            this.maxMsgs = maxMsgs;
        }
    }

    private static final class Run {
        private final Random random;
        private final TestingNode node = new TestingNode().start();
        private final Map<String, Model> models = new TreeMap<>();
        private int values;

        Run(int seed) {
            random = new Random(seed);
        }

        void play() {
            for (int i = 0; i < 3; i++) {
                create("S" + i, RETENTIONS[i], i == 0 && random.nextBoolean() ? 20 : -1);
            }
            for (int step = 0; step < STEPS; step++) {
                Model model = models.get("S" + random.nextInt(3));
                try {
                    step(model);
                    models.values().forEach(this::check);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("step " + step + ": " + e.getMessage(), e);
                }
            }
            drain();
        }

        private void create(String name, String retention, int maxMsgs) {
            models.put(name, new Model(name, retention, maxMsgs));
            JsonNode made = node.createStream(
                    name,
                    "\"subjects\":[\"" + name + ".>\"],\"allow_atomic\":true,\"retention\":\"" + retention
                            + "\",\"max_msgs\":" + maxMsgs);
            assertThat(made.get("error")).isNull();
            consumer(name, "c0", "");
        }

        private void consumer(String stream, String name, String more) {
            int max = 1 + random.nextInt(20);
            JsonNode made = node.createConsumer(
                    stream,
                    name,
                    "\"ack_policy\":\"explicit\",\"ack_wait\":3000000000,\"max_ack_pending\":" + max + more);
            if (made.get("error") == null) {
                Model model = models.get(stream);
                model.done.computeIfAbsent(name, n -> new HashSet<>());
                model.open.computeIfAbsent(name, n -> new java.util.ArrayList<>());
                model.maxPending.put(name, max);
            }
        }

        private void step(Model model) {
            switch (random.nextInt(27)) {
                case 0, 1, 2, 3, 4, 5, 6, 7 -> publish(model);
                case 8, 9, 10, 11 -> pull(model);
                case 12, 13, 14, 15 -> ack(model);
                case 16 -> nak(model);
                case 17 -> node.loop.advance(random.nextLong(2 * SECOND));
                case 18 -> crash();
                case 19 -> node.checkpoint();
                case 20 -> crashInFlight(model);
                case 21 -> purge(model);
                case 22 -> delete(model);
                case 23, 24 -> batch(model);
                case 25 -> crashInBatch(model);
                default -> addConsumer(model);
            }
        }

        private void publish(Model model) {
            String value = "v" + values++;
            String subject = model.name + "." + random.nextInt(3);
            boolean old = random.nextInt(4) == 0 && !model.ids.isEmpty();
            String id = old ? model.ids.keySet().iterator().next() : "id" + values;
            JsonNode ack = node.publish(subject, value, "Nats-Msg-Id", id);
            assertThat(ack).as("ack of " + value).isNotNull();
            assertThat(ack.get("error")).isNull();
            long sequence = ack.get("seq").asLong();
            if (ack.has("duplicate")) {
                assertThat(sequence).as("duplicate of " + id).isEqualTo(model.ids.get(id));
            } else {
                assertThat(model.ids).as("id stored twice").doesNotContainKey(id);
                assertThat(sequence).as("sequence rises").isGreaterThan(model.highest);
                model.highest = sequence;
                model.ids.put(id, sequence);
                model.acked.put(sequence, value);
            }
        }

        private static String[] batchHeaders(int id, int sequence, boolean last) {
            String[] headers = {"Nats-Batch-Id", "b" + id, "Nats-Batch-Sequence", "" + sequence};
            String[] ending = {"Nats-Batch-Id", "b" + id, "Nats-Batch-Sequence", "" + sequence, "Nats-Batch-Commit", "1"
            };
            return last ? ending : headers;
        }

        private void batch(Model model) {
            int id = values++;
            int count = 1 + random.nextInt(5);
            boolean refused = random.nextInt(4) == 0;
            for (int i = 1; i < count; i++) {
                JsonNode staged = node.publish(
                        model.name + "." + random.nextInt(3), "v" + id + "." + i, batchHeaders(id, i, false));
                assertThat(staged.isMissingNode()).as("answer to " + i).isTrue();
            }
            // A gap: nothing of it may be stored.
            int last = refused ? count + 1 : count;
            JsonNode ack = node.publish(model.name + ".0", "v" + id + "." + count, batchHeaders(id, last, true));
            if (refused) {
                assertThat(ack.at("/error/err_code").asInt()).isEqualTo(10176);
                return;
            }
            assertThat(ack.get("error")).isNull();
            assertThat(ack.get("count").asInt()).isEqualTo(count);
            long end = ack.get("seq").asLong();
            assertThat(end - count).as("sequence rises").isGreaterThanOrEqualTo(model.highest);
            model.highest = end;
            for (int i = 1; i <= count; i++) {
                model.acked.put(end - count + i, "v" + id + "." + i);
            }
        }

        /** The node dies with a batch on its way: all of it is in the log or nothing. */
        private void crashInBatch(Model model) {
            int id = values++;
            node.publish(model.name + ".0", "lost" + id + ".1", batchHeaders(id, 1, false));
            node.publish(model.name + ".1", "lost" + id + ".2", batchHeaders(id, 2, false));
            node.log.hold();
            node.send(model.name + ".2", node.inbox().subject, "lost" + id + ".3", batchHeaders(id, 3, true));
            node.loop.runAll();
            long before = machine(model).store().state().lastSequence();
            if (random.nextBoolean()) {
                node.log.failPending(new java.io.IOException("power lost"), random.nextBoolean());
            }
            node.crash();
            long last = machine(model).store().state().lastSequence();
            assertThat(last - before).as("messages of the batch").isIn(0L, 3L);
            model.highest = Math.max(model.highest, last);
        }

        private String consumerOf(Model model) {
            List<String> names = List.copyOf(model.open.keySet());
            return names.get(random.nextInt(names.size()));
        }

        private void pull(Model model) {
            String consumer = consumerOf(model);
            Inbox box = node.inbox();
            int batch = 1 + random.nextInt(8);
            node.send(
                    "$JS.API.CONSUMER.MSG.NEXT." + model.name + "." + consumer,
                    box.subject,
                    "{\"no_wait\":true,\"batch\":" + batch + "}");
            node.loop.runAll();
            for (Message message : box.messages) {
                if (message.reply() != null) {
                    received(model, consumer, message);
                }
            }
            box.close();
        }

        private void received(Model model, String consumer, Message message) {
            long sequence = sequence(message);
            assertThat(model.done.get(consumer))
                    .as(consumer + " redelivered after its ack was answered")
                    .doesNotContain(sequence);
            String known = model.acked.get(sequence);
            if (known != null) {
                assertThat(message.payload()).as("value at " + sequence).isEqualTo(known);
            }
            model.open.get(consumer).add(message);
        }

        private static long sequence(Message message) {
            return Long.parseLong(message.reply().split("\\.")[5]);
        }

        private Message takeOpen(Model model, String consumer) {
            List<Message> open = model.open.get(consumer);
            return open.isEmpty() ? null : open.remove(random.nextInt(open.size()));
        }

        private void ack(Model model) {
            String consumer = consumerOf(model);
            Message message = takeOpen(model, consumer);
            if (message == null) {
                return;
            }
            if (random.nextInt(3) == 0) {
                node.answer(message, null, random.nextBoolean() ? "+TERM" : "");
                return;
            }
            Inbox box = node.inbox();
            node.answer(message, box, "+ACK");
            if (!box.messages.isEmpty()) {
                model.done.get(consumer).add(sequence(message));
            }
            box.close();
        }

        private void nak(Model model) {
            String consumer = consumerOf(model);
            Message message = takeOpen(model, consumer);
            if (message != null) {
                node.answer(message, null, "-NAK");
            }
        }

        private void crash() {
            node.crash();
        }

        /** The node dies while entries are on their way: they may be in the log or not, nobody was told. */
        private void crashInFlight(Model model) {
            node.log.hold();
            for (int i = 0; i < 3; i++) {
                node.send(model.name + ".0", node.inbox().subject, "lost" + values++);
            }
            node.loop.runAll();
            if (random.nextBoolean()) {
                node.log.failPending(new java.io.IOException("power lost"), true);
            }
            node.crash();
            model.highest =
                    Math.max(model.highest, machine(model).store().state().lastSequence());
        }

        private void purge(Model model) {
            if (random.nextInt(4) != 0) {
                return;
            }
            long below = machine(model).store().state().firstSequence() + random.nextInt(5);
            node.api("STREAM.PURGE." + model.name, "{\"seq\":" + below + "}");
            model.removed.addAll(model.acked.headMap(below).keySet());
        }

        private void delete(Model model) {
            long sequence = machine(model).store().state().firstSequence() + random.nextInt(4);
            node.api("STREAM.MSG.DELETE." + model.name, "{\"seq\":" + sequence + "}");
            model.removed.add(sequence);
        }

        private void addConsumer(Model model) {
            if (!model.retention.equals("workqueue") && model.open.size() < 4) {
                consumer(
                        model.name,
                        "c" + model.open.size(),
                        random.nextBoolean() ? "" : ",\"filter_subject\":\"" + model.name + ".1\"");
            }
        }

        private StreamMachine machine(Model model) {
            return node.stream(model.name).machine();
        }

        private void check(Model model) {
            StreamMachine machine = machine(model);
            long last = machine.store().state().lastSequence();
            assertThat(last).as("last sequence").isGreaterThanOrEqualTo(model.highest);
            if (model.maxMsgs > 0) {
                assertThat(machine.store().state().messages()).as("max_msgs").isLessThanOrEqualTo(model.maxMsgs);
            }
            checkMessages(model, machine);
            for (ConsumerState consumer : machine.consumers()) {
                ConsumerState live =
                        node.stream(model.name).consumer(consumer.name()).live();
                assertThat(live.pending().size())
                        .as("max_ack_pending of " + consumer.name())
                        .isLessThanOrEqualTo(model.maxPending.get(consumer.name()));
                long pending = machine.store().pending(live.filter(), live.nextSequence(), false);
                assertThat(node.stream(model.name).consumer(consumer.name()).numPending())
                        .as("num_pending of " + consumer.name())
                        .isEqualTo(pending);
                for (PendingSet.Entry e = live.pending().first(); e != null; e = e.next()) {
                    assertThat(e.streamSequence()).isLessThanOrEqualTo(live.deliveredStream());
                }
            }
        }

        private void checkMessages(Model model, StreamMachine machine) {
            Map<Long, String> held = new HashMap<>();
            for (StoredMessage m = machine.store().next(SubjectFilter.ALL, 1);
                    m != null;
                    m = machine.store().next(SubjectFilter.ALL, m.sequence() + 1)) {
                held.put(m.sequence(), new String(m.payload(), java.nio.charset.StandardCharsets.UTF_8));
            }
            held.forEach((sequence, value) -> {
                String known = model.acked.get(sequence);
                if (known == null) {
                    assertThat(value).as("nobody was told of " + sequence).startsWith("lost");
                } else {
                    assertThat(value).as("value at " + sequence).isEqualTo(known);
                }
            });
            if (!model.retention.equals("limits")) {
                return;
            }
            long first = machine.store().state().firstSequence();
            model.acked.forEach((sequence, value) -> {
                boolean gone = model.removed.contains(sequence) || (model.maxMsgs > 0 && sequence < first);
                if (!gone) {
                    assertThat(held).as("acknowledged " + value).containsKey(sequence);
                }
            });
        }

        /** In the end everything left is delivered and the state survives another life unchanged. */
        private void drain() {
            for (Model model : models.values()) {
                for (String consumer : List.copyOf(model.open.keySet())) {
                    model.open.get(consumer).clear();
                    drain(model, consumer);
                }
            }
            node.loop.advance(SECOND);
            long hash = node.engine.streams().stateHash();
            node.crash();
            assertThat(node.engine.streams().stateHash())
                    .as("state after replay")
                    .isEqualTo(hash);
            node.checkpoint();
            node.crash();
            assertThat(node.engine.streams().stateHash())
                    .as("state after checkpoint and replay")
                    .isEqualTo(hash);
            for (Model model : models.values()) {
                if (model.retention.equals("workqueue")) {
                    assertThat(machine(model).store().state().messages())
                            .as("left in the workqueue")
                            .isZero();
                }
            }
        }

        private boolean ackAll(Model model, String consumer, Inbox box) {
            boolean any = false;
            while (!box.messages.isEmpty()) {
                Message message = box.take();
                if (message.reply() != null) {
                    any = true;
                    received(model, consumer, message);
                    node.answer(message, null, "");
                }
            }
            return any;
        }

        private void drain(Model model, String consumer) {
            int idle = 0;
            while (idle < 3) {
                Inbox box = node.inbox();
                node.send(
                        "$JS.API.CONSUMER.MSG.NEXT." + model.name + "." + consumer,
                        box.subject,
                        "{\"batch\":50,\"expires\":2000000000}");
                node.loop.runAll();
                boolean any = ackAll(model, consumer, box);
                node.loop.advance(2 * SECOND);
                any |= ackAll(model, consumer, box);
                box.close();
                idle = any ? 0 : idle + 1;
            }
            ConsumerState live = node.stream(model.name).consumer(consumer).live();
            assertThat(live.pending().size())
                    .as("pending of " + consumer + " after drain")
                    .isZero();
            assertThat(node.stream(model.name).consumer(consumer).numPending()).isZero();
        }
    }
}
