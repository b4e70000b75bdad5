package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Inbox;
import io.penstock.jetstream.TestingNodes.Node;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random operations against three nodes in virtual time, while nodes die at any moment something gets to their disk, are
 * cut off, fall behind the log and lead in turn. What was promised to clients must hold, and the replicas must be equal.
 */
class ReplicatedSimulationTest {
    private static final int STEPS = 150;
    private static final long MILLI = 1_000_000L;
    private static final String[] RETENTIONS = {"limits", "interest", "workqueue"};

    @Test
    void keepsItsPromises() {
        Seeds.play("replicated", 1_000, seed -> new Run(seed).play());
    }

    /** One stream with its consumers, and what clients know of it. */
    private static final class Model {
        final String name;
        final String retention;
        /** Sequence to value of every acknowledged publish. */
        final TreeMap<Long, String> acked = new TreeMap<>();
        /** Values that were sent, acknowledged or not. */
        final Set<String> sent = new HashSet<>();
        /** Batches that were sent, by their values in order. */
        final List<List<String>> batches = new ArrayList<>();

        /** Values of batches whose refusal was told. */
        final Set<String> refused = new HashSet<>();

        /** Everything below may have been purged. */
        long purgedBelow;

        /** Sequences clients removed, or tried to. */
        final Set<Long> removed = new HashSet<>();
        /** Consumer to sequences whose acknowledgement was answered. */
        final Map<String, Set<Long>> done = new HashMap<>();
        /** Consumer to sequences whose acknowledgement was sent. */
        final Map<String, Set<Long>> answered = new HashMap<>();
        /** Consumer to messages received and not answered. */
        final Map<String, List<Message>> open = new HashMap<>();

        Model(String name, String retention) {
            this.name = name;
            this.retention = retention;
        }
    }

    private static final class Run {
        private final TestingNodes nodes;
        private final Random random;
        private final Map<String, Model> models = new TreeMap<>();
        private int values;
        private boolean dangerous;
        private String cutOff;

        Run(int seed) {
            nodes = new TestingNodes(seed);
            random = nodes.cluster.random();
            nodes.cluster.onPersist((node, what) -> dangerous && allUp() && cutOff == null && random.nextInt(60) == 0);
        }

        void play() {
            for (int i = 0; i < 3; i++) {
                String name = "S" + i;
                models.put(name, new Model(name, RETENTIONS[i]));
                nodes.create(
                        name,
                        "\"subjects\":[\"" + name + ".>\"],\"allow_atomic\":true,\"retention\":\"" + RETENTIONS[i]
                                + "\"");
                consumer(models.get(name), "c0", "");
            }
            for (int step = 0; step < STEPS; step++) {
                dangerous = true;
                try {
                    step(models.get("S" + random.nextInt(3)));
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("step " + step + ": " + e.getMessage(), e);
                }
                bury();
            }
            end();
        }

        private boolean allUp() {
            return nodes.cluster.nodes().stream().allMatch(nodes.cluster::up);
        }

        /** Follows up on nodes that died at a moment of the dice's choice. */
        private void bury() {
            for (String name : nodes.cluster.nodes()) {
                if (!nodes.cluster.up(name)) {
                    nodes.died(name, random.nextBoolean());
                }
            }
        }

        private void step(Model model) {
            switch (random.nextInt(36)) {
                case 0, 1, 2, 3, 4, 5, 6 -> publish(model);
                case 7, 8, 9, 10 -> pull(model);
                case 11, 12, 13, 14 -> ack(model);
                case 15 -> nak(model);
                case 16 -> nodes.cluster.run(random.nextLong(2 * SECOND));
                case 17, 18 -> checkpoint();
                case 19 -> crash();
                case 20, 21, 26, 27, 28 -> restart();
                case 22 -> isolate();
                case 23 -> nodes.cluster.disturb(TestingNodes.GROUP);
                case 24 -> remove(model);
                case 29 -> move(model);
                case 30 -> compare();
                case 31, 32, 33 -> batch(model);
                case 34 -> late();
                case 35 -> nodes.cluster.disturb(TestingNodes.OTHER);
                default -> {
                    if (!model.retention.equals("workqueue") && model.open.size() < 3) {
                        String filter = random.nextBoolean() ? "" : ",\"filter_subject\":\"" + model.name + ".1\"";
                        consumer(model, "c" + model.open.size(), filter);
                    }
                }
            }
        }

        // --- faults -----------------------------------------------------------------------------------------------

        private String anyNode() {
            List<String> names = List.copyOf(nodes.nodes.keySet());
            return names.get(random.nextInt(names.size()));
        }

        private void checkpoint() {
            String name = anyNode();
            nodes.cluster.loop(name).execute(() -> nodes.nodes.get(name).checkpoint());
            nodes.cluster.run(MILLI);
        }

        private void crash() {
            if (allUp() && cutOff == null) {
                nodes.crash(anyNode(), random.nextBoolean());
            }
        }

        private void restart() {
            for (String name : nodes.cluster.nodes()) {
                if (!nodes.cluster.up(name) && !nodes.nodes.containsKey(name)) {
                    nodes.restart(name);
                }
            }
            if (cutOff != null) {
                nodes.heal();
                cutOff = null;
            }
        }

        private void isolate() {
            if (allUp() && cutOff == null) {
                cutOff = anyNode();
                nodes.isolate(cutOff);
            }
        }

        /** One node hears late of where streams are, the others at once. */
        private void late() {
            nodes.lateness.clear();
            nodes.lateness.put(anyNode(), random.nextLong(5 * SECOND));
        }

        /** The replicas compare: they are equal all the time, so nothing may come of it. */
        private void compare() {
            nodes.nodes
                    .values()
                    .forEach(node -> node.groups.forEach(
                            group -> nodes.cluster.loop(node.name).execute(group.engine::compareReplicas)));
        }

        private void move(Model model) {
            String[] groups = {TestingNodes.GROUP, TestingNodes.OTHER, "solo:n1", "solo:n3"};
            String target = groups[random.nextInt(groups.length)];
            // To where it is means to stay.
            nodes.move(model.name, target.equals(nodes.group(model.name)) ? "" : target);
        }

        // --- operations -------------------------------------------------------------------------------------------

        private void consumer(Model model, String name, String more) {
            // The stream may lie at one node alone, and that one be down.
            dangerous = false;
            bury();
            restart();
            JsonNode made = nodes.createConsumer(
                    model.name, name, "\"ack_policy\":\"explicit\",\"ack_wait\":3000000000" + more);
            assertThat(made.get("error")).isNull();
            model.done.computeIfAbsent(name, n -> new HashSet<>());
            model.answered.computeIfAbsent(name, n -> new HashSet<>());
            model.open.computeIfAbsent(name, n -> new ArrayList<>());
        }

        private void publish(Model model) {
            String value = "v" + values++;
            model.sent.add(value);
            JsonNode ack = null;
            for (int tries = 0; ack == null; tries++) {
                Message answer =
                        nodes.request(SECOND, model.name + "." + random.nextInt(3), value, "Nats-Msg-Id", "id" + value);
                ack = answer == null || answer.payload().isEmpty() ? null : TestingNode.json(answer);
                bury();
                if (tries == 20) {
                    // A majority is not there, or cannot be had: it is time to mend.
                    dangerous = false;
                    restart();
                }
                assertThat(tries)
                        .as(() -> "tries to publish " + value + nodes.describe())
                        .isLessThan(100);
            }
            assertThat(ack.get("error")).isNull();
            long sequence = ack.get("seq").asLong();
            assertThat(model.acked.put(sequence, value))
                    .as("two values at " + sequence)
                    .isNull();
        }

        /** Sends a batch once; whatever becomes of it becomes of all of it. */
        private void batch(Model model) {
            String id = "b" + values++;
            List<String> batch = new ArrayList<>();
            Message answer = null;
            int count = 1 + random.nextInt(5);
            for (int i = 1; i <= count; i++) {
                batch.add(id + "." + i);
                model.sent.add(batch.getLast());
                String[] headers = {"Nats-Batch-Id", id, "Nats-Batch-Sequence", "" + i};
                String[] ending = {"Nats-Batch-Id", id, "Nats-Batch-Sequence", "" + i, "Nats-Batch-Commit", "1"};
                String subject = model.name + "." + random.nextInt(3);
                answer = nodes.request(300 * MILLI, subject, batch.getLast(), i == count ? ending : headers);
                bury();
            }
            model.batches.add(batch);
            JsonNode ack = answer == null || answer.payload().isEmpty() ? null : TestingNode.json(answer);
            if (ack == null) {
                return;
            }
            if (ack.has("error")) {
                model.refused.addAll(batch);
                return;
            }
            assertThat(ack.get("count").asInt()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
                assertThat(model.acked.put(ack.get("seq").asLong() - count + 1 + i, batch.get(i)))
                        .isNull();
            }
        }

        private void checkBatches(Model model, Map<Long, String> held) {
            assertThat(held.values()).as("values of refused batches").noneMatch(model.refused::contains);
            if (!model.retention.equals("limits")) {
                return;
            }
            Map<String, Long> where = new HashMap<>();
            held.forEach((sequence, value) -> where.put(value, sequence));
            for (List<String> batch : model.batches) {
                for (int i = 0; i < batch.size(); i++) {
                    Long at = where.get(batch.get(i));
                    for (int j = 0; at != null && j < batch.size(); j++) {
                        long sequence = at - i + j;
                        if (sequence >= model.purgedBelow && !model.removed.contains(sequence)) {
                            assertThat(held.get(sequence))
                                    .as("batch of " + batch.get(i))
                                    .isEqualTo(batch.get(j));
                        }
                    }
                }
            }
        }

        private String consumerOf(Model model) {
            List<String> names = List.copyOf(model.open.keySet());
            return names.get(random.nextInt(names.size()));
        }

        private void pull(Model model) {
            String consumer = consumerOf(model);
            Inbox box =
                    nodes.pull(model.name, consumer, "{\"no_wait\":true,\"batch\":" + (1 + random.nextInt(8)) + "}");
            nodes.cluster.run(random.nextLong(300 * MILLI));
            take(model, consumer, box);
            box.close();
        }

        private void take(Model model, String consumer, Inbox box) {
            for (Message message : box.messages) {
                if (message.reply() != null) {
                    received(model, consumer, message);
                    model.open.get(consumer).add(message);
                }
            }
            box.messages.clear();
        }

        private void received(Model model, String consumer, Message message) {
            long sequence = sequence(message);
            assertThat(model.done.get(consumer))
                    .as(consumer + " of " + model.name + " redelivered after its ack was answered")
                    .doesNotContain(sequence);
            String known = model.acked.get(sequence);
            if (known != null) {
                assertThat(message.payload()).as("value at " + sequence).isEqualTo(known);
            } else {
                assertThat(model.sent).contains(message.payload());
            }
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
            model.answered.get(consumer).add(sequence(message));
            if (random.nextInt(3) == 0) {
                nodes.send(message.reply(), null, random.nextBoolean() ? "+TERM" : "");
            } else if (nodes.request(300 * MILLI, message.reply(), "+ACK") != null) {
                model.done.get(consumer).add(sequence(message));
            }
        }

        private void nak(Model model) {
            String consumer = consumerOf(model);
            Message message = takeOpen(model, consumer);
            if (message != null) {
                nodes.send(message.reply(), null, "-NAK");
            }
        }

        private void remove(Model model) {
            if (random.nextInt(3) != 0 || model.acked.isEmpty()) {
                return;
            }
            long sequence = model.acked.firstKey() + random.nextInt(5);
            if (random.nextBoolean()) {
                nodes.api("STREAM.MSG.DELETE." + model.name, "{\"seq\":" + sequence + "}");
                model.removed.add(sequence);
            } else {
                nodes.api("STREAM.PURGE." + model.name, "{\"seq\":" + sequence + "}");
                model.removed.addAll(model.acked.headMap(sequence).keySet());
                model.purgedBelow = Math.max(model.purgedBelow, sequence);
            }
        }

        // --- the end ----------------------------------------------------------------------------------------------

        private void end() {
            dangerous = false;
            bury();
            restart();
            nodes.lateness.clear();
            nodes.cluster.runUntil(() -> models.keySet().stream().noneMatch(nodes::moving), 300 * SECOND);
            nodes.cluster.runUntil(nodes::informed, 60 * SECOND);
            nodes.cluster.run(3 * SECOND);
            nodes.settle();
            equal("after the faults");
            for (Model model : models.values()) {
                check(model);
                for (String consumer : model.open.keySet()) {
                    model.open.get(consumer).clear();
                    drain(model, consumer);
                }
            }
            nodes.cluster.run(SECOND);
            nodes.settle();
            equal("in the end");
            compare();
            nodes.cluster.run(10 * SECOND);
            nodes.nodes
                    .values()
                    .forEach(node -> assertThat(node.host.repairCounts().diverged())
                            .as("replicas found to differ")
                            .isZero());
            StreamMachine queue = machine("S2");
            assertThat(queue.store().state().messages())
                    .as("left in the workqueue")
                    .isZero();
        }

        private StreamMachine machine(String name) {
            nodes.cluster.runUntil(() -> nodes.stream(name) != null, 30 * SECOND);
            return nodes.stream(name).machine();
        }

        private void equal(String when) {
            Map<Long, List<String>> byHash = new HashMap<>();
            for (Node node : nodes.nodes.values()) {
                long hash = node.groups.get(0).engine.streams().stateHash()
                        ^ Long.rotateLeft(node.groups.get(1).engine.streams().stateHash(), 7);
                byHash.computeIfAbsent(hash, h -> new ArrayList<>()).add(node.name);
            }
            assertThat(byHash.values()).as("replicas " + when).hasSize(1);
        }

        private void check(Model model) {
            StreamMachine machine = machine(model.name);
            Map<Long, String> held = new HashMap<>();
            for (StoredMessage m = machine.store().next(SubjectFilter.ALL, 1);
                    m != null;
                    m = machine.store().next(SubjectFilter.ALL, m.sequence() + 1)) {
                held.put(m.sequence(), new String(m.payload(), StandardCharsets.UTF_8));
            }
            Set<String> values = new HashSet<>(held.values());
            assertThat(values).as("values stored once").hasSameSizeAs(held.values());
            held.forEach((sequence, value) -> {
                String known = model.acked.get(sequence);
                if (known == null) {
                    assertThat(model.sent).as("value at " + sequence).contains(value);
                } else {
                    assertThat(value).as("value at " + sequence).isEqualTo(known);
                }
            });
            checkBatches(model, held);
            model.acked.forEach((sequence, value) -> {
                boolean mayBeGone = model.removed.contains(sequence)
                        || (!model.retention.equals("limits")
                                && model.answered.values().stream().anyMatch(set -> set.contains(sequence)));
                boolean interestless = model.retention.equals("interest");
                if (!mayBeGone && !interestless) {
                    assertThat(held).as("acknowledged " + value).containsKey(sequence);
                }
            });
        }

        private void drain(Model model, String consumer) {
            int idle = 0;
            while (idle < 3) {
                Inbox box = nodes.pull(model.name, consumer, "{\"batch\":50,\"expires\":2000000000}");
                nodes.cluster.run(2 * SECOND);
                List<Message> all = List.copyOf(box.messages);
                box.close();
                boolean any = false;
                for (Message message : all) {
                    if (message.reply() != null) {
                        any = true;
                        received(model, consumer, message);
                        nodes.send(message.reply(), null, "");
                    }
                }
                idle = any ? 0 : idle + 1;
            }
            nodes.cluster.run(SECOND);
            ConsumerState state = machine(model.name).consumer(consumer);
            assertThat(state.pending().size())
                    .as("pending of " + consumer + " of " + model.name)
                    .isZero();
            assertThat(nodes.stream(model.name).consumer(consumer).numPending()).isZero();
        }
    }
}
