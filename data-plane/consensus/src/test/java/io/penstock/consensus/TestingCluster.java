package io.penstock.consensus;

import io.penstock.consensus.link.PeerLinks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Nodes with replicated groups over a network that delays, reorders and loses, all in the calling thread, by virtual
 * time and the dice of a seed: the same seed and calls give the same run. A state machine under test runs here as on
 * the real engine, with leaders that change, entries that are lost or committed after all, nodes that crash at any
 * moment something gets to their disk and lose what did not, and replicas that must catch up with a copy.
 *
 * <p>Elections are decided by an all-seeing referee by the rules of Raft: whoever wins has the newest log of a majority
 * that can be reached. A deposed leader learns of it as late as the network lets it. Not thread-safe.
 */
public final class TestingCluster {
    private static final long MILLI = 1_000_000L;

    /** Ends the task of a node that has just died. */
    static final class NodeCrashed extends Error {
        private static final long serialVersionUID = 1L;

        NodeCrashed() {
            super("the node died here, as the test wants it", null, false, false);
        }
    }

    /** A moment at which something is about to get to a node's disk, or just did. */
    public interface PersistListener {
        /** @return true to crash the node at this moment */
        boolean boundary(String node, String what);
    }

    private record Event(long time, long order, Runnable task) {}

    /** A node: what is on its disk, and its present life. */
    final class Node {
        final String name;

        /** Survives crashes. */
        final Map<String, TestingReplica.Stored> disk = new TreeMap<>();

        final Map<String, TestingReplica> replicas = new TreeMap<>();
        boolean up = true;
        int life;
        Loop loop;
        TestingLinks links;

        Node(String name) {
            this.name = name;
            this.loop = new Loop(this);
            this.links = new TestingLinks(TestingCluster.this, this);
        }
    }

    private final long seed;
    private final Random random;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.time != b.time ? Long.compare(a.time, b.time) : Long.compare(a.order, b.order));
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Long> terms = new HashMap<>();
    private final Set<String> cutPairs = new HashSet<>();

    /** Nodes and groups of which they hear nothing. */
    private final Set<String> deaf = new HashSet<>();

    private long now = 1_700_000_000_000_000_000L;
    private long order;
    private double loss = 0.01;
    private PersistListener persistListener = (node, what) -> false;

    public TestingCluster(long seed, String... names) {
        this.seed = seed;
        this.random = new Random(seed);
        for (String name : names) {
            nodes.put(name, new Node(name));
        }
    }

    public long seed() {
        return seed;
    }

    /** The dice; whoever shares them keeps the run reproducible. */
    public Random random() {
        return random;
    }

    public Set<String> nodes() {
        return nodes.keySet();
    }

    /** The loop of a node in its present life. */
    public GroupLoop loop(String node) {
        return node(node).loop;
    }

    public PeerLinks links(String node) {
        return node(node).links;
    }

    public boolean up(String node) {
        return node(node).up;
    }

    /** The engine of a node in its present life. */
    public RaftEngine engine(String name) {
        Node node = node(name);
        int life = node.life;
        return new RaftEngine() {
            @Override
            public String node() {
                return name;
            }

            @Override
            public RaftGroup open(String group, GroupLoop loop, List<String> voters, Snapshots snapshots) {
                if (node.life != life || !node.up) {
                    throw new IllegalStateException("this life of node " + name + " is over");
                }
                TestingReplica replica = new TestingReplica(TestingCluster.this, node, group, voters, snapshots);
                if (node.replicas.putIfAbsent(group, replica) != null) {
                    throw new IllegalStateException("group " + group + " is open");
                }
                return replica;
            }

            @Override
            public List<String> stored() {
                return List.copyOf(node.disk.keySet());
            }

            @Override
            public void remove(String group) {
                TestingReplica replica = node.replicas.remove(group);
                if (replica != null) {
                    replica.close();
                }
                node.disk.remove(group);
            }

            @Override
            public void close() {
                List.copyOf(node.replicas.values()).forEach(TestingReplica::close);
            }
        };
    }

    // --- time -----------------------------------------------------------------------------------------------------

    public long now() {
        return now;
    }

    /** Lets time pass. */
    public void run(long nanos) {
        long end = now + nanos;
        while (!events.isEmpty() && events.peek().time <= end) {
            step();
        }
        now = end;
    }

    /** Lets time pass until something holds; fails with the seed when it does not within {@code nanos}. */
    public void runUntil(BooleanSupplier condition, long nanos) {
        long end = now + nanos;
        while (!condition.getAsBoolean()) {
            if (events.isEmpty() || events.peek().time > end) {
                throw new AssertionError(
                        "it did not come about within " + nanos / MILLI + " ms; seed " + seed + "; " + describe());
            }
            step();
        }
    }

    /** All replicas, for a failure's message. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        for (Node node : nodes.values()) {
            text.append(node.up ? "" : node.name + " down; ");
            node.replicas.values().forEach(replica -> text.append(replica).append("; "));
        }
        return text.toString();
    }

    private void step() {
        Event event = events.remove();
        now = Math.max(now, event.time);
        try {
            event.task.run();
        } catch (NodeCrashed crashed) {
            // The node is down already; what it was about to do does not happen.
        }
    }

    void at(long delayNanos, Runnable task) {
        events.add(new Event(now + Math.max(0, delayNanos), order++, task));
    }

    // --- faults ---------------------------------------------------------------------------------------------------

    /** Share of messages that vanish; default 0.01. */
    public void loss(double share) {
        loss = share;
    }

    /** Asked at every moment something gets to a disk. */
    public void onPersist(PersistListener listener) {
        persistListener = listener;
    }

    /** The node dies now: everything in memory is lost, and of what was not forced as much as the dice say. */
    public void crash(String name) {
        Node node = node(name);
        if (!node.up) {
            return;
        }
        node.up = false;
        node.life++;
        node.replicas.values().forEach(TestingReplica::died);
        node.replicas.clear();
        node.loop.dead = true;
        notifyLinks();
    }

    /** The node is back, with what was on its disk and nothing open. */
    public void restart(String name) {
        Node node = node(name);
        if (node.up) {
            throw new IllegalStateException("node " + name + " is up");
        }
        node.up = true;
        node.loop = new Loop(node);
        node.links = new TestingLinks(this, node);
        notifyLinks();
    }

    /** Everything on the disk of a node that is down is lost. */
    public void wipe(String name) {
        Node node = node(name);
        if (node.up) {
            throw new IllegalStateException("node " + name + " is up");
        }
        node.disk.clear();
    }

    /** Cuts the way between two nodes. */
    public void cut(String a, String b) {
        cutPairs.add(pair(a, b));
        notifyLinks();
    }

    /** Cuts a node off from all others. */
    public void isolate(String name) {
        for (String other : nodes.keySet()) {
            if (!other.equals(name)) {
                cutPairs.add(pair(name, other));
            }
        }
        notifyLinks();
    }

    /** What is sent to a node's replica of a group gets lost, and nothing else does. */
    public void deafen(String name, String group) {
        deaf.add(name + " " + group);
    }

    boolean hears(String name, String group) {
        return !deaf.contains(name + " " + group);
    }

    /** Takes all cuts back. */
    public void heal() {
        cutPairs.clear();
        deaf.clear();
        notifyLinks();
    }

    /** Name of the node that leads by the newest term, or null. */
    public String leader(String group) {
        for (Node node : nodes.values()) {
            TestingReplica replica = node.replicas.get(group);
            if (replica != null && replica.leads() && replica.term() == terms.getOrDefault(group, 0L)) {
                return node.name;
            }
        }
        return null;
    }

    /** Has another voter elected, if the rules allow it now; answers whether. */
    public boolean disturb(String group) {
        String present = leader(group);
        List<TestingReplica> eligible = eligible(group);
        eligible.removeIf(replica -> replica.node.name.equals(present));
        return !eligible.isEmpty() && elect(eligible.get(random.nextInt(eligible.size())));
    }

    /** Has this node elected, if the rules allow it now; answers whether. */
    public boolean moveLeader(String group, String name) {
        TestingReplica replica = node(name).replicas.get(group);
        return replica != null && eligible(group).contains(replica) && elect(replica);
    }

    // --- for the replicas and links -------------------------------------------------------------------------------

    Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no node " + name);
        }
        return node;
    }

    boolean knows(String name) {
        return nodes.containsKey(name);
    }

    boolean reachable(String a, String b) {
        return knows(a) && knows(b) && node(a).up && node(b).up && !cutPairs.contains(pair(a, b));
    }

    private static String pair(String a, String b) {
        return a.compareTo(b) < 0 ? a + " " + b : b + " " + a;
    }

    /** Delivers a message, perhaps. */
    void send(String from, String to, Runnable delivery) {
        if (!reachable(from, to) || random.nextDouble() < loss) {
            return;
        }
        int life = node(to).life;
        long delay = random.nextInt(20) == 0 ? random.nextInt(30_000_000) : 50_000 + random.nextInt(1_000_000);
        at(delay, () -> {
            if (reachable(from, to) && node(to).life == life) {
                delivery.run();
            }
        });
    }

    /** As {@link #send}, but it arrives unless the way is cut or a node dies. */
    void sendSurely(String from, String to, Runnable delivery, Runnable lost) {
        int toLife = knows(to) ? node(to).life : 0;
        at(50_000 + random.nextInt(1_000_000), () -> {
            if (reachable(from, to) && node(to).life == toLife) {
                delivery.run();
            } else {
                lost.run();
            }
        });
    }

    /** A moment of something getting to the disk: the node may die here. */
    void boundary(Node node, String what) {
        if (node.up && persistListener.boundary(node.name, what)) {
            crash(node.name);
            throw new NodeCrashed();
        }
    }

    private void notifyLinks() {
        nodes.values().forEach(node -> node.links.changed());
    }

    // --- elections ------------------------------------------------------------------------------------------------

    /** Keeps a group led while it is open anywhere; called once for each replica's start. */
    void watch(TestingReplica replica) {
        int life = replica.node.life;
        at(200 * MILLI + random.nextInt(800) * MILLI, () -> {
            if (replica.node.life != life || replica.closed()) {
                return;
            }
            if (replica.leads() && !replica.hasQuorum() && random.nextBoolean()) {
                replica.stepDown(replica.term(), "");
            }
            String leader = leader(replica.name());
            boolean led =
                    leader != null && node(leader).replicas.get(replica.name()).hasQuorum();
            if (!led && eligible(replica.name()).contains(replica)) {
                elect(replica);
            }
            watch(replica);
        });
    }

    private List<TestingReplica> eligible(String group) {
        List<TestingReplica> eligible = new ArrayList<>();
        for (Node node : nodes.values()) {
            TestingReplica replica = node.replicas.get(group);
            if (node.up && replica != null && replica.mayWin()) {
                eligible.add(replica);
            }
        }
        return eligible;
    }

    private boolean elect(TestingReplica winner) {
        long term = terms.merge(winner.name(), 1L, Long::sum);
        try {
            winner.electedBy(term);
        } catch (NodeCrashed crashed) {
            return false;
        }
        return winner.leads();
    }

    long newestTerm(String group) {
        return terms.getOrDefault(group, 0L);
    }

    /** A node's loop: tasks in order, each turn a little later. */
    final class Loop implements GroupLoop {
        private final Node node;
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private boolean turning;
        private boolean running;
        private boolean dead;

        Loop(Node node) {
            this.node = node;
        }

        @Override
        public void execute(Runnable task) {
            if (dead) {
                return;
            }
            tasks.add(task);
            if (!turning) {
                turning = true;
                at(random.nextInt(50_000), this::turn);
            }
        }

        private void turn() {
            turning = false;
            running = true;
            try {
                // What comes up meanwhile has its own turn.
                for (int left = tasks.size(); left > 0 && !dead; left--) {
                    tasks.remove().run();
                }
            } finally {
                running = false;
                if (!dead && !tasks.isEmpty() && !turning) {
                    turning = true;
                    at(random.nextInt(50_000), this::turn);
                }
            }
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            boolean[] cancelled = {false};
            int life = node.life;
            at(delayNanos, () -> {
                if (!cancelled[0] && node.life == life) {
                    execute(() -> {
                        if (!cancelled[0]) {
                            task.run();
                        }
                    });
                }
            });
            return () -> cancelled[0] = true;
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public long steady() {
            return now;
        }

        @Override
        public boolean idle() {
            return tasks.isEmpty();
        }

        @Override
        public boolean inLoop() {
            return running;
        }
    }
}
