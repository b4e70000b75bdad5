package io.penstock.chaos;

import io.nats.client.Message;
import io.penstock.chaos.fault.Fault;
import io.penstock.chaos.fault.Scene;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Violations;
import io.penstock.chaos.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Start, quiet time, faults, healing, check. */
final class ChaosRun {
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration HEALTHY = Duration.ofMinutes(1);
    private static final Duration WRITES = Duration.ofSeconds(30);

    private final Path executable;
    private final Path folder;
    private final String jetStream;
    private final Duration quiet;
    private final Duration faults;

    /**
     * @param jetStream more of the jetstream block of each node's configuration
     * @param quiet load without faults before and after
     */
    ChaosRun(Path executable, Path folder, String jetStream, Duration quiet, Duration faults) {
        this.executable = executable;
        this.folder = folder;
        this.jetStream = jetStream;
        this.quiet = quiet;
        this.faults = faults;
    }

    RunReport run(Workload.Kind kind, Fault fault, long seed) throws Exception {
        Random random = new Random(seed);
        Violations violations = new Violations();
        try (ChaosCluster cluster = new ChaosCluster(3, folder, executable, jetStream)) {
            cluster.start();
            if (cluster.awaitHealthy(START) == null) {
                throw new IllegalStateException(
                        "the cluster is not healthy after " + START.toSeconds() + " s; the logs are in " + folder);
            }
            Workload workload = kind.create(cluster, random, violations);
            prepare(workload::prepare);
            AtomicLong foreign = new AtomicLong();
            try (Client other = cluster.connect("other");
                    Client client = cluster.connect("app")) {
                other.nats()
                        .createDispatcher(message -> foreign.addAndGet(strange(message)))
                        .subscribe(">");
                workload.start();
                workload.gap().restart();
                sleep(quiet);
                int strikes = fault.strike(new Scene(
                        cluster, random, client.nats(), workload.stream(), System.nanoTime() + faults.toNanos()));
                cluster.heal();
                Duration recovery = cluster.awaitHealthy(HEALTHY);
                if (recovery == null) {
                    violations.add(
                            "I13",
                            "not every node is healthy %d s after the last fault".formatted(HEALTHY.toSeconds()));
                }
                long acks = workload.gap().acks();
                if (ChaosCluster.await(WRITES, () -> workload.gap().acks() > acks) == null) {
                    violations.add("I13", "no write was acknowledged within %d s".formatted(WRITES.toSeconds()));
                }
                sleep(quiet);
                long gap = workload.gap().longestNanos() / 1_000_000;
                workload.stopWriting();
                check(workload, violations);
                if (foreign.get() > 0) {
                    violations.add("I12", "another account saw %d messages".formatted(foreign.get()));
                }
                return new RunReport(
                        kind.name(),
                        fault.name(),
                        seed,
                        strikes,
                        workload.acked(),
                        gap,
                        recovery == null ? -1 : recovery.toMillis(),
                        violations.count(),
                        violations.list());
            }
        }
    }

    /** Makes streams. */
    interface Preparation {
        void run() throws Exception;
    }

    /** A cluster that has just formed may not take a stream at once. */
    static void prepare(Preparation preparation) throws InterruptedException {
        Exception[] last = new Exception[1];
        Duration ready = ChaosCluster.await(START, () -> {
            try {
                preparation.run();
                return true;
            } catch (Exception e) {
                last[0] = e;
                return false;
            }
        });
        if (ready == null) {
            throw new IllegalStateException("the streams of the workload cannot be made", last[0]);
        }
    }

    /** A stream that cannot be read back is a finding as well. */
    private static void check(Workload workload, Violations violations) throws InterruptedException {
        try {
            workload.check();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            violations.add("I13", "what is stored cannot be read back: " + e);
        }
    }

    /** What the server tells an account of its own streams is not strange, and it has none. */
    private static int strange(Message message) {
        String subject = message.getSubject();
        return subject.startsWith("_INBOX.") || new String(message.getData(), StandardCharsets.UTF_8).isEmpty() ? 0 : 1;
    }

    static void sleep(Duration time) {
        Duration ignored = ChaosCluster.await(time, () -> false);
        assert ignored == null;
    }
}
