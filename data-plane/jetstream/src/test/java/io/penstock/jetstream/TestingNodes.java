package io.penstock.jetstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.InternalClient;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.TestingCluster;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.api.StreamConfigRules;
import io.penstock.jetstream.runtime.Copies;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.GroupSnapshots;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import io.penstock.storage.store.StoreTransfer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Three nodes with two replicated groups and a log of its own for each, one account and clients, in one thread and
 * virtual time, from a seed.
 */
final class TestingNodes {
    static final String GROUP = "S-R3F-1";
    static final String OTHER = "S-R3F-2";
    static final long SECOND = 1_000_000_000L;
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);

    /** One node's present life. */
    final class Node {
        final String name;
        final Host host;

        /** Of the first group, as the log. */
        final Engine engine;

        final RaftGroup log;
        final List<Part> groups = new ArrayList<>();
        final TestingView view;

        Node(String name) {
            this.name = name;
            JetStreamOptions options =
                    JetStreamOptions.builder(Path.of("unused"), name).build();
            host = new Host(cluster.loop(name), options, new Random(1), new JsApi(options));
            view = new TestingView(TestingNodes.this, name);
            host.join(view, (call, tokens) -> false);
            host.reach((node, request) -> ask(name, node, request));
            List<String> all = List.copyOf(cluster.nodes());
            groups.add(new Part(this, GROUP, GROUP, all));
            groups.add(new Part(this, OTHER, OTHER, all));
            groups.add(new Part(this, Host.SOLO, "solo-" + name, List.of(name)));
            engine = groups.getFirst().engine;
            log = groups.getFirst().log;
            host.serve();
            host.enable("A", router.client(name), TestingNode.UNLIMITED);
            groups.forEach(group -> group.engine.start());
        }

        /** Makes what changed durable and lets the logs go. */
        void checkpoint() {
            groups.forEach(group -> group.checkpoint(() -> {}));
        }
    }

    /** One group at one node. */
    final class Part {
        final Engine engine;
        final RaftGroup log;
        final StoreDirectory stores;
        final Set<Checkpointed> parts = new LinkedHashSet<>();

        Part(Node node, String group, String logName, List<String> voters) {
            DamagedStreams damage = new DamagedStreams(metrics);
            stores = StoreDirectory.open(disks.get(node.name), Path.of("/js", group), SMALL, damage);
            GroupSnapshots snapshots = new GroupSnapshots(stores.transfer());
            log = cluster.engine(node.name).open(logName, cluster.loop(node.name), voters, snapshots);
            engine = node.host.open(group, log, stores, new Parts() {
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
            damage.of(engine);
            engine.copies(new DirectCopies(node.name));
        }

        /** Copies straight from the leader's disk. */
        private final class DirectCopies implements Copies {
            private final String name;
            private final GroupLoop loop;

            DirectCopies(String name) {
                this.name = name;
                this.loop = cluster.loop(name);
            }

            @Override
            public void fetch(long id, long index, BiConsumer<String, Exception> done) {
                boolean[] told = {false};
                BiConsumer<String, Exception> once = (where, failure) -> {
                    if (!told[0]) {
                        told[0] = true;
                        done.accept(where, failure);
                    }
                };
                // Not at once: meanwhile the log goes on.
                loop.schedule(5 * SECOND, () -> once.accept(null, new IOException("no answer")));
                Part leader = leading();
                if (leader == null || leader.log.appliedIndex() < index) {
                    loop.schedule(SECOND / 10, () -> once.accept(null, new IOException("nobody has it")));
                } else {
                    leader.checkpoint(() -> loop.execute(() -> copy(leader, id, once)));
                }
            }

            private Part leading() {
                return nodes.values().stream()
                        .filter(n -> !n.name.equals(name))
                        .flatMap(n -> n.groups.stream())
                        .filter(g -> g.engine.group().equals(engine.group()) && g.engine.leading())
                        .findFirst()
                        .orElse(null);
            }

            private void copy(Part leader, long id, BiConsumer<String, Exception> done) {
                try {
                    if (nodes.values().stream().noneMatch(n -> n.groups.contains(leader))) {
                        throw new IOException("the leader died");
                    }
                    String where = stores.transfer().fetchOne(new StoreTransfer.Source() {
                        @Override
                        public byte[] manifest() throws IOException {
                            byte[] manifest = leader.stores.transfer().manifest(id);
                            if (StoreTransfer.isEmpty(manifest)
                                    && leader.engine.streams().get(id) != null) {
                                throw new IOException("no checkpoint yet");
                            }
                            return manifest;
                        }

                        @Override
                        public InputStream open(String file) throws IOException {
                            return leader.stores.transfer().open(file);
                        }
                    });
                    loop.schedule(SECOND / 10, () -> done.accept(where, null));
                } catch (IOException e) {
                    loop.schedule(SECOND / 10, () -> done.accept(null, e));
                }
            }

            @Override
            public void install(String where) throws IOException {
                stores.transfer().installOne(where);
            }

            @Override
            public CompletionStage<byte[]> describe(long id, long index) {
                throw new UnsupportedOperationException("copies are taken directly");
            }

            @Override
            public byte[] read(String file, long offset) {
                throw new UnsupportedOperationException("copies are taken directly");
            }
        }

        private void checkpoint(Runnable done) {
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
                done.run();
            });
        }
    }

    /** One node asks another over the clients' network. */
    private CompletionStage<byte[]> ask(String from, String node, byte[] request) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        var _ = cluster.loop(from)
                .schedule(5 * SECOND, () -> answer.completeExceptionally(new IOException("no answer")));
        if (!cluster.up(node) || !nodes.containsKey(node)) {
            answer.completeExceptionally(new IOException("node " + node + " is not there"));
            return answer;
        }
        cluster.loop(node).execute(() -> {
            var _ = nodes.get(node).host.answer(request).whenComplete((bytes, failure) -> {
                if (failure == null) {
                    answer.complete(bytes);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        });
        return answer;
    }

    final TestingCluster cluster;
    final TestingRouter router = new TestingRouter();
    final InternalClient client = router.client("outside");
    final StorageMetrics metrics = new StorageMetrics();
    final Map<String, TestingDisk> disks = new TreeMap<>();
    final Map<String, Node> nodes = new TreeMap<>();
    final TestingAssignments assignments = new TestingAssignments();

    /** Where the streams are. */
    static final class TestingAssignments {
        final Map<String, StreamAssignment> streams = new TreeMap<>();
        long index;
    }

    /** How much later than others a node hears of assignments, nanoseconds. */
    final Map<String, Long> lateness = new TreeMap<>();

    /** What streams take once they have moved; null for what they took before. */
    List<String> subjectsOnceMoved;

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

    /** Moves leadership of the second group to a node; waits until it leads. */
    void moveOther(String name) {
        cluster.runUntil(() -> cluster.moveLeader(OTHER, name), 20 * SECOND);
        cluster.runUntil(() -> nodes.get(name).groups.get(1).engine.leading(), 20 * SECOND);
    }

    /** Waits until nothing is on its way and all replicas have applied the same. */
    void settle() {
        awaitLeader();
        cluster.runUntil(
                () -> {
                    Node leader = leader();
                    return leader != null
                            && leader.engine.leading()
                            && nodes.values().stream().allMatch(n -> n.host.idle() && level(leader, n));
                },
                120 * SECOND);
    }

    /** Whether two nodes have applied the same of the groups they share. */
    private static boolean level(Node a, Node b) {
        return a.groups.get(0).log.appliedIndex() == b.groups.get(0).log.appliedIndex()
                && a.groups.get(1).log.appliedIndex() == b.groups.get(1).log.appliedIndex();
    }

    /** The stream at work, wherever it is led; null when it is led nowhere. */
    StreamRuntime stream(String name) {
        for (Node node : nodes.values()) {
            StreamRuntime stream = node.host.account("A").stream(name);
            if (stream != null && !router.isCutOff(node.name)) {
                return stream;
            }
        }
        return null;
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
            assign(name, rules.check(config), GROUP, "");
        } catch (InvalidJsonException e) {
            throw new IllegalArgumentException(e);
        }
        cluster.runUntil(() -> stream(name) != null, 20 * SECOND);
    }

    /** Sends a stream to another group. */
    void move(String name, String target) {
        StreamAssignment present = assignments.streams.get(name);
        assign(name, present.config(), present.group(), target);
    }

    /** The group a stream lies in. */
    String group(String name) {
        return assignments.streams.get(name).group();
    }

    /** Where the streams are, for the message of a failure. */
    String describe() {
        StringBuilder out = new StringBuilder();
        assignments
                .streams
                .values()
                .forEach(a -> out.append("\n" + a.stream() + " in " + a.group() + " to " + a.target() + " generation "
                        + a.generation() + " version " + a.version()));
        nodes.values()
                .forEach(n -> n.groups.forEach(g -> {
                    out.append("\n" + n.name + " " + g.engine.group() + " leading " + g.engine.leading());
                    g.engine
                            .streams()
                            .all()
                            .forEach(s -> out.append(", " + s.config().name() + " " + s.phase() + " " + s.generation()
                                    + "/" + s.version() + " last "
                                    + s.store().state().lastSequence() + " failure " + s.failure()
                                    + (n.host.account("A").stream(s.config().name()) == null ? "" : " led")));
                }));
        return out.toString();
    }

    /** Whether every node has heard where the streams are. */
    boolean informed() {
        return nodes.values().stream().allMatch(n -> n.view.appliedIndex() == assignments.index);
    }

    boolean moving(String name) {
        return !assignments.streams.get(name).target().isEmpty();
    }

    void assign(String name, StreamConfig config, String group, String target) {
        StreamAssignment before = assignments.streams.get(name);
        long index = ++assignments.index;
        StreamAssignment next = new StreamAssignment(
                "A", config, group, cluster.now(), before == null ? index : before.generation(), index, null, target);
        assignments.streams.put(name, next);
        nodes.values()
                .forEach(n -> n.view.hear(index, () -> {
                    n.view.streams.put(name, next);
                    n.host.streamAssigned(next);
                }));
    }

    void delete(String name) {
        StreamAssignment gone = assignments.streams.remove(name);
        long index = ++assignments.index;
        nodes.values()
                .forEach(n -> n.view.hear(index, () -> {
                    n.view.streams.remove(name);
                    n.host.streamRemoved("A", name, gone.generation());
                }));
    }

    // --- clients --------------------------------------------------------------------------------------------------

    final class Inbox {
        final String subject;
        final List<Message> messages = new ArrayList<>();
        private final InternalClient.InternalSubscription subscription;

        Inbox(String subject) {
            this.subject = subject;
            subscription = client.subscribe(subject, m -> messages.add(Message.of(m)));
        }

        void close() {
            subscription.close();
        }

        Message await(long nanos) {
            cluster.runUntil(() -> !messages.isEmpty(), nanos);
            return messages.removeFirst();
        }
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
