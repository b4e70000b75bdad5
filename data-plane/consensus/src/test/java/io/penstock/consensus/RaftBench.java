package io.penstock.consensus;

import io.penstock.consensus.link.LinkOptions;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.consensus.link.TcpPeerLinks;
import io.penstock.consensus.raft.RaftNode;
import io.penstock.consensus.raft.RaftOptions;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.FileDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.journal.SyncPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/**
 * Three nodes in one JVM over loopback and files: records of 256 B, gathered as JetStream gathers them (one entry in
 * flight a group, at most 1,000 records), by groups, force, TLS and records in flight; then how long a group is without
 * a leader. CPU is that of the JVM, so of all three nodes and of the load.
 *
 * <p>Run with the folder to write to and seconds a line.
 */
public final class RaftBench implements AutoCloseable {
    private static final int RECORD = 256;
    private static final int MAX_RECORDS = 1_000;
    private static int runs;

    private final List<BenchNode> nodes = new ArrayList<>();
    private final Set<String> vanished = ConcurrentHashMap.newKeySet();
    private final List<String> names;

    /** One group on one node: applies, and as leader keeps so many records in flight. */
    private static final class Load implements ReplicatedLog.StateMachine, Snapshots {
        private final RaftGroup[] group = new RaftGroup[1];
        private final byte[] entry = new byte[RECORD * MAX_RECORDS];
        private final long[] latencies = new long[2_000_000];
        private volatile int measured;
        private volatile long lastAnswer = System.nanoTime();
        private volatile int keep;
        private long[] waiting = new long[MAX_RECORDS * 2];
        private int waits;
        private boolean inFlight;

        void begin(int records) {
            keep = records;
            while (waits < records) {
                waiting[waits++] = System.nanoTime();
            }
            pump();
        }

        private void pump() {
            if (inFlight || waits == 0 || group[0].role() != ReplicatedLog.Role.LEADER) {
                return;
            }
            int taken = Math.min(waits, MAX_RECORDS);
            long[] sent = Arrays.copyOf(waiting, taken);
            System.arraycopy(waiting, taken, waiting, 0, waits - taken);
            waits -= taken;
            inFlight = true;
            group[0].propose(System.nanoTime(), entry, taken * RECORD, sent);
        }

        @Override
        public void apply(long index, long timestampNanos, byte[] bytes, int length, Object attachment) {
            if (attachment instanceof long[] sent) {
                inFlight = false;
                long now = System.nanoTime();
                lastAnswer = now;
                int at = measured;
                for (long begun : sent) {
                    latencies[at % latencies.length] = now - begun;
                    at++;
                    if (waits < keep) {
                        waiting[waits++] = now;
                    }
                }
                measured = at;
            }
        }

        @Override
        public void applied(long index) {
            pump();
        }

        @Override
        public void failed(Object attachment, Throwable cause) {
            inFlight = false;
        }

        @Override
        public void roleChanged(ReplicatedLog.Role role, String leader, long term) {
            inFlight = false;
            if (role == ReplicatedLog.Role.LEADER && keep > 0) {
                begin(keep);
            }
        }

        @Override
        public byte[] manifest() {
            return new byte[0];
        }

        @Override
        public InputStream open(String file) throws IOException {
            throw new NoSuchFileException(file);
        }

        @Override
        public Staged fetch(Fetcher fetcher) throws IOException {
            throw new IOException("the bench takes no copies");
        }
    }

    private final class BenchNode {
        private final String name;
        private final Journal journal;
        private final TcpPeerLinks links;
        private final RaftNode engine;
        private final ThreadedGroupLoop loop;
        private final List<Load> loads = new ArrayList<>();

        BenchNode(String name, Path directory, boolean force, SSLContext tls, int election) {
            this.name = name;
            JournalOptions options =
                    JournalOptions.DEFAULT.withSync(force ? SyncPolicy.ALWAYS : SyncPolicy.INTERVAL, 120_000_000_000L);
            this.journal = Journal.open(FileDisk.INSTANCE, directory.resolve("journal"), options, new StorageMetrics());
            LinkOptions local = LinkOptions.local(name, "bench", "secret");
            this.links = TcpPeerLinks.open(tls == null ? local : local.withTls(() -> tls, true, false));
            PeerLinks seen =
                    new LossyLinks(links, (from, to, payload) -> vanished.contains(from) || vanished.contains(to));
            this.engine = RaftNode.open(new RaftOptions(
                            name, directory.resolve("raft"), FileDisk.INSTANCE, journal, seen, System.err::println)
                    .withElection(election, election / 4));
            this.loop = new ThreadedGroupLoop("loop-" + name, Clock.systemUTC());
        }

        void open(String group) {
            Load load = new Load();
            RaftGroup opened = engine.open(group, loop, names, load);
            load.group[0] = opened;
            loads.add(load);
            loop.execute(() -> opened.start(load, 0));
        }

        void close() {
            links.close();
            engine.close();
            loop.close();
            journal.close();
        }
    }

    private RaftBench(Path folder, int groups, boolean force, SSLContext tls, int election) throws IOException {
        runs++;
        names = List.of("a" + runs, "b" + runs, "c" + runs);
        for (String name : names) {
            nodes.add(new BenchNode(name, Files.createTempDirectory(folder, name), force, tls, election));
        }
        for (BenchNode one : nodes) {
            for (BenchNode other : nodes) {
                if (one != other) {
                    one.links.peer(other.name, "127.0.0.1", other.links.port());
                }
            }
        }
        for (int g = 0; g < groups; g++) {
            for (BenchNode node : nodes) {
                node.open("group" + g);
            }
        }
        for (int g = 0; g < groups; g++) {
            place(g, nodes.get(g % 3));
        }
    }

    private BenchNode leader(int group) {
        return nodes.stream()
                .filter(node -> node.loads.get(group).group[0].role() == ReplicatedLog.Role.LEADER
                        && !vanished.contains(node.name))
                .findFirst()
                .orElse(null);
    }

    private void place(int group, BenchNode wanted) {
        Await.until("a leader", () -> leader(group) != null);
        while (leader(group) != wanted) {
            BenchNode present = leader(group);
            if (present != null) {
                CompletableFuture<Void> asked = new CompletableFuture<>();
                present.loop.execute(() -> present.loads
                        .get(group)
                        .group[0]
                        .transferLeadership(wanted.name)
                        .whenComplete((done, failure) -> asked.complete(null)));
                asked.join();
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private String line(int inFlight, double seconds) {
        int groups = nodes.getFirst().loads.size();
        for (int g = 0; g < groups; g++) {
            BenchNode leader = leader(g);
            Load load = leader.loads.get(g);
            int share = Math.max(1, inFlight / groups);
            leader.loop.execute(() -> load.begin(share));
        }
        pause(Math.min(5, seconds));
        List<Load> loads = new ArrayList<>();
        nodes.forEach(node -> loads.addAll(node.loads));
        int[] before = loads.stream().mapToInt(load -> load.measured).toArray();
        long cpu = cpuNanos();
        long forces = forces();
        long begun = System.nanoTime();
        pause(seconds);
        double took = (System.nanoTime() - begun) / 1e9;
        cpu = cpuNanos() - cpu;
        forces = forces() - forces;
        long[] all = new long[0];
        long total = 0;
        for (int i = 0; i < before.length; i++) {
            Load load = loads.get(i);
            int count = load.measured - before[i];
            total += count;
            int kept = Math.min(count, load.latencies.length);
            int at = all.length;
            all = Arrays.copyOf(all, at + kept);
            for (int k = 0; k < kept; k++) {
                all[at + k] = load.latencies[(before[i] + k) % load.latencies.length];
            }
            load.keep = 0;
        }
        pause(0.3);
        Arrays.sort(all);
        return String.format(
                "%9d  %9.0f  %8.0f  %9.1f  %8.2f  %8.2f",
                inFlight,
                total / took,
                forces / took / 3,
                total == 0 ? 0 : cpu / 1e3 / total,
                all.length == 0 ? 0 : all[all.length / 2] / 1e6,
                all.length == 0 ? 0 : all[(int) (all.length * 0.99)] / 1e6);
    }

    private long forces() {
        return nodes.stream().mapToLong(node -> node.journal.forces()).sum();
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void pause(double seconds) {
        long until = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Time from the last answer of a leader that dies or vanishes to the first of the next, milliseconds. */
    private double failover(boolean process) {
        BenchNode leader = leader(0);
        Load load = leader.loads.getFirst();
        leader.loop.execute(() -> load.begin(1));
        nodes.forEach(node -> node.loads.getFirst().keep = 1);
        pause(1);
        long lost;
        if (process) {
            leader.links.close();
            lost = load.lastAnswer;
            nodes.remove(leader);
        } else {
            vanished.add(leader.name);
            lost = load.lastAnswer;
        }
        Await.until(
                "an answer",
                () -> nodes.stream()
                        .anyMatch(node -> node != leader
                                && node.loads.getFirst().lastAnswer > lost + 1_000_000
                                && node.loads.getFirst().measured > 0));
        double millis = nodes.stream()
                                .filter(node -> node != leader && node.loads.getFirst().measured > 0)
                                .mapToLong(node -> node.loads.getFirst().lastAnswer)
                                .min()
                                .orElseThrow()
                        / 1e6
                - lost / 1e6;
        if (process) {
            leader.close();
        }
        return millis;
    }

    private double transfer() {
        BenchNode leader = leader(0);
        BenchNode next = nodes.get((nodes.indexOf(leader) + 1) % nodes.size());
        long begun = System.nanoTime();
        place(0, next);
        return (System.nanoTime() - begun) / 1e6;
    }

    @Override
    public void close() {
        nodes.forEach(BenchNode::close);
    }

    /** A folder, then seconds for each line. */
    public static void main(String[] args) throws Exception {
        Path folder = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("raft-bench");
        double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 4;
        SSLContext tls = TestingTls.context(folder, "bench");
        System.out.println("groups  force  TLS  in flight  records/s  forces/s  CPU us/rec   p50 ms    p99 ms");
        for (int groups : new int[] {1, 3}) {
            for (boolean force : new boolean[] {true, false}) {
                for (boolean encrypted : new boolean[] {false, true}) {
                    try (RaftBench bench = new RaftBench(folder, groups, force, encrypted ? tls : null, 1_200)) {
                        bench.line(512, seconds);
                        for (int inFlight : new int[] {1, 64, 512, 2_000}) {
                            System.out.printf(
                                    "%6d  %5s  %3s  %s%n",
                                    groups,
                                    force ? "yes" : "no",
                                    encrypted ? "yes" : "no",
                                    bench.line(inFlight, seconds));
                        }
                    }
                }
            }
        }
        leaders(folder);
        System.exit(0);
    }

    private static void leaders(Path folder) throws IOException {
        List<Double> gone = new ArrayList<>();
        List<Double> vanished = new ArrayList<>();
        List<Double> handed = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            try (RaftBench bench = new RaftBench(folder, 1, true, null, 1_200)) {
                handed.add(bench.transfer());
                gone.add(bench.failover(true));
            }
        }
        for (int i = 0; i < 5; i++) {
            try (RaftBench bench = new RaftBench(folder, 1, true, null, 1_200)) {
                vanished.add(bench.failover(false));
            }
        }
        System.out.println("leader's process gone, ms: " + rounded(gone));
        System.out.println("leader's host silent, ms:  " + rounded(vanished));
        System.out.println("leadership handed on, ms:  " + rounded(handed));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }

    private static List<Long> rounded(List<Double> millis) {
        return millis.stream().sorted().map(Math::round).toList();
    }
}
