package io.penstock.consensus;

import io.penstock.consensus.link.LinkOptions;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.consensus.link.TcpPeerLinks;
import io.penstock.consensus.raft.RaftNode;
import io.penstock.consensus.raft.RaftOptions;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Nodes on the Raft engine in this JVM: real sockets, disks that lose power. */
final class RaftRig implements LogRig {
    private static final AtomicInteger RIGS = new AtomicInteger();
    private static final JournalOptions JOURNAL = JournalOptions.DEFAULT.withSegmentBytes(64 << 10);

    /** A node in its present life. */
    final class Node {
        final String name;
        final TestingMachine.Saved saved;
        final TestingDisk disk;
        final Journal journal;
        final TcpPeerLinks links;
        final RaftNode engine;
        final ThreadedGroupLoop loop;
        volatile TestingMachine machine;
        volatile RaftGroup group;

        Node(String name, TestingDisk disk, TestingMachine.Saved saved, List<String> voters) {
            this.name = name;
            this.disk = disk;
            this.saved = saved;
            this.journal = Journal.open(disk, Path.of("/journal"), JOURNAL, new StorageMetrics());
            this.links = TcpPeerLinks.open(LinkOptions.local(name, "test", "secret"));
            PeerLinks seen = wrapper.apply(links);
            this.engine = RaftNode.open(new RaftOptions(name, Path.of("/raft"), disk, journal, seen, halts::add)
                    .withElection(election, spread));
            this.loop = new ThreadedGroupLoop("loop-" + name, Clock.systemUTC());
            this.machine = new TestingMachine(saved);
            this.group = engine.open("g", loop, voters, machine);
            loop.execute(() -> group.start(machine, 0));
        }

        void stop() {
            links.close();
            engine.close();
            loop.close();
            journal.close();
        }
    }

    final List<String> halts = new CopyOnWriteArrayList<>();
    private final Set<Long> repeated = ConcurrentHashMap.newKeySet();
    private final List<String> names;
    private final Random random = new Random(7);
    private final Map<String, Node> running = new ConcurrentHashMap<>();
    private final Map<String, Node> stopped = new ConcurrentHashMap<>();
    private final Map<String, TestingDisk> disks = new ConcurrentHashMap<>();
    private final UnaryOperator<PeerLinks> wrapper;
    private final int election;
    private final int spread;

    RaftRig() {
        this(UnaryOperator.identity());
    }

    /** @param wrapper stands between the engine and its links */
    RaftRig(UnaryOperator<PeerLinks> wrapper) {
        this(wrapper, 200);
    }

    /** @param spread of the engine's own timers, milliseconds: a long one leaves elections to what comes before them */
    RaftRig(UnaryOperator<PeerLinks> wrapper, int spread) {
        this(wrapper, 500, spread);
    }

    /** @param election silence after which others stand, milliseconds; so long a leader waits for who was to take over */
    RaftRig(UnaryOperator<PeerLinks> wrapper, int election, int spread) {
        this.wrapper = wrapper;
        this.election = election;
        this.spread = spread;
        // The engine keeps its nodes in a table of the whole JVM: names must not come twice.
        int rig = RIGS.incrementAndGet();
        names = List.of("a." + rig, "b." + rig, "c." + rig);
        names.forEach(name -> start(name, new TestingDisk(), new TestingMachine.Saved(), names));
    }

    Node node(String name) {
        return running.get(name);
    }

    Node start(String name, TestingDisk disk, TestingMachine.Saved saved, List<String> voters) {
        Node node = new Node(name, disk, saved, voters);
        for (Node other : running.values()) {
            other.links.peer(name, "127.0.0.1", node.links.port());
            node.links.peer(other.name, "127.0.0.1", other.links.port());
        }
        running.put(name, node);
        return node;
    }

    String startFourth() {
        String name = "d." + names.getFirst().substring(2);
        start(name, new TestingDisk(), new TestingMachine.Saved(), List.of());
        return name;
    }

    @Override
    public Set<Long> repeated() {
        return repeated;
    }

    @Override
    public List<String> nodes() {
        return names;
    }

    @Override
    public List<String> everybody() {
        return List.copyOf(running.keySet());
    }

    @Override
    public ReplicatedLog log(String name) {
        Node node = running.get(name);
        return node == null ? null : node.group;
    }

    @Override
    public TestingMachine machine(String name) {
        return running.getOrDefault(name, stopped.get(name)).machine;
    }

    @Override
    public void on(String name, Runnable task) {
        CompletableFuture.runAsync(task, running.get(name).loop).join();
    }

    @Override
    public void until(String what, BooleanSupplier condition) {
        Await.until(() -> what + "; " + describe(), condition);
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        for (Node node : running.values()) {
            text.append(node.name).append(' ').append(node.group.role());
            text.append(" of ").append(node.group.leader()).append(" term ").append(node.group.term());
            text.append(" last ")
                    .append(node.group.lastIndex())
                    .append(" applied ")
                    .append(node.group.appliedIndex());
            text.append(' ').append(node.group.replicas()).append("; ");
        }
        return text.toString();
    }

    @Override
    public void kill(String name) {
        Node node = running.remove(name);
        node.links.close();
        disks.put(name, node.disk.processDeath());
        node.stop();
        stopped.put(name, node);
    }

    @Override
    public void powerLoss() {
        List<Node> dying = List.copyOf(running.values());
        running.clear();
        dying.forEach(node -> disks.put(node.name, node.disk.powerLoss(random)));
        dying.forEach(node -> node.links.close());
        dying.forEach(Node::stop);
        dying.forEach(node -> stopped.put(node.name, node));
    }

    @Override
    public void revive(String name) {
        Node before = stopped.remove(name);
        TestingDisk disk = disks.remove(name);
        boolean wiped = disk == null;
        start(
                name,
                wiped ? new TestingDisk() : disk,
                wiped ? new TestingMachine.Saved() : before.saved,
                wiped ? List.of() : names);
    }

    /** Opens the group with nothing behind it on a node that had removed it. */
    void openAnew(String name) {
        Node node = running.get(name);
        node.machine = new TestingMachine(new TestingMachine.Saved());
        node.group = node.engine.open("g", node.loop, names, node.machine);
        node.loop.execute(() -> node.group.start(node.machine, 0));
    }

    void wipe(String name) {
        disks.remove(name);
    }

    @Override
    public void close() {
        List.copyOf(running.values()).forEach(Node::stop);
    }
}
