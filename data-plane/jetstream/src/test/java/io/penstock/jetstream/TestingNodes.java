package io.penstock.jetstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.InternalClient;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.TestingCluster;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.api.StreamConfigRules;
import io.penstock.jetstream.runtime.Assignments;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.GroupSnapshots;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Three nodes with one replicated group, one account and clients, in one thread and virtual time, from a seed. */
final class TestingNodes {
    static final String GROUP = "S-R3F-1";
    static final long SECOND = 1_000_000_000L;
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);

    /** One node's present life. */
    final class Node {
        final String name;
        final Host host;
        final Engine engine;
        final RaftGroup log;
        final StoreDirectory stores;
        final Set<Checkpointed> parts = new LinkedHashSet<>();

        Node(String name) {
            this.name = name;
            JetStreamOptions options =
                    JetStreamOptions.builder(Path.of("unused"), name).build();
            host = new Host(cluster.loop(name), options, new Random(1), new JsApi(options));
            host.join(assignments, (call, tokens) -> false);
            stores = StoreDirectory.open(disks.get(name), Path.of("/js"), SMALL, metrics);
            GroupSnapshots snapshots = new GroupSnapshots(stores.transfer());
            log = cluster.engine(name).open(GROUP, cluster.loop(name), List.copyOf(cluster.nodes()), snapshots);
            engine = host.open(GROUP, log, stores, new Parts() {
                @Override
                public void add(Checkpointed part) {
                    parts.add(part);
                }

                @Override
                public void remove(Checkpointed part) {
                    parts.remove(part);
                }
            });
            snapshots.of(engine);
            host.serve();
            host.enable("A", router.client(name), TestingNode.UNLIMITED);
            engine.start();
        }

        /** Makes what changed durable and lets the log go. */
        void checkpoint() {
            log.beginCheckpoint(index -> {
                if (index < 0) {
                    return;
                }
                try {
                    log.force();
                    for (Checkpointed part : List.copyOf(parts)) {
                        if (part.dirty()) {
                            part.begin(log.appliedIndex()).write();
                        }
                    }
                    stores.syncDirectories();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                log.checkpointed(index);
            });
        }
    }

    /** Metadata that every node knows at once. */
    private static final class TestingAssignments implements Assignments {
        final Map<String, StreamAssignment> streams = new TreeMap<>();
        long index;

        @Override
        public StreamAssignment get(String account, String stream) {
            return streams.get(stream);
        }

        @Override
        public Collection<StreamAssignment> inGroup(String group) {
            return streams.values().stream()
                    .filter(a -> a.group().equals(group))
                    .toList();
        }

        @Override
        public long appliedIndex() {
            return index;
        }
    }

    final TestingCluster cluster;
    final TestingRouter router = new TestingRouter();
    final InternalClient client = router.client("outside");
    final StorageMetrics metrics = new StorageMetrics();
    final Map<String, TestingDisk> disks = new TreeMap<>();
    final Map<String, Node> nodes = new TreeMap<>();
    private final TestingAssignments assignments = new TestingAssignments();
    private int inboxes;

    TestingNodes(long seed) {
        cluster = new TestingCluster(seed, "n1", "n2", "n3");
        cluster.nodes().forEach(name -> disks.put(name, new TestingDisk()));
        cluster.nodes().forEach(this::begin);
        awaitLeader();
    }

    private void begin(String name) {
        nodes.put(name, new Node(name));
    }

    // --- faults ---------------------------------------------------------------------------------------------------

    /** The process of a node dies; the power with it when so wanted. */
    void crash(String name, boolean power) {
        cluster.crash(name);
        died(name, power);
    }

    /** Follows up on a node that the cluster let die. */
    void died(String name, boolean power) {
        if (nodes.remove(name) != null) {
            router.drop(name);
            TestingDisk disk = disks.get(name);
            disks.put(name, power ? disk.powerLoss(cluster.random()) : disk.processDeath());
        }
    }

    void restart(String name) {
        cluster.restart(name);
        begin(name);
    }

    void isolate(String name) {
        cluster.isolate(name);
        router.isolate(name);
    }

    void heal() {
        cluster.heal();
        router.heal();
    }

    /** Moves leadership to a node; waits until it leads. */
    void moveLeader(String name) {
        cluster.runUntil(() -> cluster.moveLeader(GROUP, name), 20 * SECOND);
        cluster.runUntil(() -> nodes.get(name).engine.leading(), 20 * SECOND);
    }

    // --- state ----------------------------------------------------------------------------------------------------

    Node leader() {
        String name = cluster.leader(GROUP);
        return name == null ? null : nodes.get(name);
    }

    Node awaitLeader() {
        cluster.runUntil(() -> leader() != null && leader().engine.leading(), 30 * SECOND);
        return leader();
    }

    /** A node that does not lead now. */
    String follower() {
        String leader = awaitLeader().name;
        return nodes.keySet().stream()
                .filter(n -> !n.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until nothing is on its way and all replicas have applied the same. */
    void settle() {
        awaitLeader();
        cluster.runUntil(
                () -> {
                    Node leader = leader();
                    return leader != null
                            && leader.engine.leading()
                            && leader.host.idle()
                            && nodes.values().stream().allMatch(n -> n.log.appliedIndex() == leader.log.appliedIndex());
                },
                120 * SECOND);
    }

    void create(String name, String more) {
        try {
            StreamConfig config = JetStreamJson.read(
                    ("{\"name\":\"" + name + "\",\"num_replicas\":3" + (more.isEmpty() ? "" : "," + more) + "}")
                            .getBytes(StandardCharsets.UTF_8),
                    StreamConfig.class,
                    true);
            JetStreamOptions options =
                    JetStreamOptions.builder(Path.of("unused"), "n1").build();
            StreamConfigRules rules = new StreamConfigRules(options, TestingNode.UNLIMITED, false);
            change(name, rules.check(config), ++assignments.index);
        } catch (InvalidJsonException e) {
            throw new IllegalArgumentException(e);
        }
        cluster.runUntil(() -> leader() != null && leader().host.account("A").stream(name) != null, 20 * SECOND);
    }

    private void change(String name, StreamConfig config, long index) {
        StreamAssignment before = assignments.streams.get(name);
        StreamAssignment next = new StreamAssignment(
                "A", config, GROUP, cluster.now(), before == null ? index : before.generation(), index, null);
        assignments.streams.put(name, next);
        nodes.values().forEach(n -> cluster.loop(n.name).execute(() -> n.host.streamAssigned(next)));
    }

    void delete(String name) {
        StreamAssignment gone = assignments.streams.remove(name);
        assignments.index++;
        nodes.values()
                .forEach(n -> cluster.loop(n.name).execute(() -> n.host.streamRemoved("A", name, gone.generation())));
    }

    // --- clients --------------------------------------------------------------------------------------------------

    final class Inbox {
        final String subject;
        final List<Message> messages = new ArrayList<>();
        private final InternalClient.InternalSubscription subscription;

        Inbox(String subject) {
            this.subject = subject;
            subscription = client.subscribe(subject, m -> messages.add(copy(m)));
        }

        void close() {
            subscription.close();
        }

        Message await(long nanos) {
            cluster.runUntil(() -> !messages.isEmpty(), nanos);
            return messages.removeFirst();
        }
    }

    private static Message copy(io.penstock.broker.internal.InboundMessage m) {
        byte[] headers = new byte[m.headersLength()];
        m.copyHeaders(headers, 0);
        byte[] payload = new byte[m.payloadLength()];
        m.copyPayload(payload, 0);
        return new Message(
                m.subject(),
                m.reply(),
                new String(headers, StandardCharsets.UTF_8),
                new String(payload, StandardCharsets.UTF_8));
    }

    Inbox inbox() {
        return new Inbox("_INBOX." + ++inboxes);
    }

    void send(String subject, String reply, String payload, String... headers) {
        client.publish(subject, reply, TestingNode.headers(headers), payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends and answers the first reply, or null when none comes in time. */
    Message request(long nanos, String subject, String payload, String... headers) {
        Inbox box = inbox();
        send(subject, box.subject, payload, headers);
        long end = cluster.now() + nanos;
        while (box.messages.isEmpty() && cluster.now() < end) {
            cluster.run(SECOND / 1000);
        }
        box.close();
        return box.messages.isEmpty() ? null : box.messages.getFirst();
    }

    JsonNode api(String subject, String body) {
        return TestingNode.json(request(5 * SECOND, "$JS.API." + subject, body));
    }

    /** Publishes until it is acknowledged; with the same message id each time. */
    JsonNode publish(String subject, String payload, String id) {
        for (int i = 0; i < 100; i++) {
            Message ack = request(SECOND, subject, payload, "Nats-Msg-Id", id);
            if (ack != null && !ack.payload().isEmpty()) {
                return TestingNode.json(ack);
            }
        }
        throw new AssertionError("never acknowledged: " + payload + "; seed " + cluster.seed());
    }

    JsonNode createConsumer(String stream, String name, String more) {
        for (int i = 0; i < 20; i++) {
            JsonNode made = api(
                    "CONSUMER.CREATE." + stream + "." + name,
                    "{\"stream_name\":\"" + stream + "\",\"config\":{\"durable_name\":\"" + name + "\""
                            + (more.isEmpty() ? "" : "," + more) + "}}");
            if (made != null) {
                return made;
            }
        }
        throw new AssertionError("no consumer; seed " + cluster.seed());
    }

    Inbox pull(String stream, String consumer, String body) {
        Inbox box = inbox();
        send("$JS.API.CONSUMER.MSG.NEXT." + stream + "." + consumer, box.subject, body);
        return box;
    }
}
