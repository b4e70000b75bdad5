package io.penstock.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.Programs;
import io.penstock.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls the plug again and again under load. */
@Tag("faults")
class CrashCyclesTest {
    private static final int CYCLES = Integer.getInteger("penstock.crash.cycles", 20);
    private static final String CONFIGURATION = "jetstream { store_dir: \"@STORE@\" }\n";

    /** How long a cycle publishes before the crash; drawn anew each time so that the crash meets every moment. */
    private static final int MIN_LOAD_MILLIS = 200;

    private static final int MAX_LOAD_MILLIS = 1500;

    private final long seed = Long.getLong("penstock.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void killedTwentyTimesUnderLoadLosesNothingAcknowledged(@TempDir Path folder) throws Exception {
        CrashWorkload load = new CrashWorkload();
        try (ServerProcess server = ServerProcess.start(Programs.broker(), folder, CONFIGURATION)) {
            load.create(server.url());
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                List<Thread> threads = runFor(load, server);
                server.kill();
                join(load, threads);
                server.start();
                load.verify(server.url());
            }
        }
        report("SIGKILL", load);
    }

    @Test
    void powerCutTwentyTimesUnderLoadLosesNothingAcknowledged(@TempDir Path folder) throws Exception {
        CrashWorkload load = new CrashWorkload();
        try (PowerLossDisk disk = new PowerLossDisk(folder)) {
            ServerProcess server = ServerProcess.start(
                    Programs.broker(),
                    folder.resolve("node"),
                    CONFIGURATION.replace(
                            "@STORE@", disk.folder().resolve("store").toString()));
            try {
                load.create(server.url());
                for (int cycle = 0; cycle < CYCLES; cycle++) {
                    List<Thread> threads = runFor(load, server);
                    long pid = server.pid();
                    disk.cut(pid);
                    server.kill();
                    join(load, threads);
                    disk.restore(pid);
                    server.start();
                    load.verify(server.url());
                }
            } finally {
                server.close();
            }
        }
        report("power loss", load);
    }

    private List<Thread> runFor(CrashWorkload load, ServerProcess server) {
        List<Thread> threads = load.startLoad(server.url());
        long until =
                System.nanoTime() + (MIN_LOAD_MILLIS + random.nextInt(MAX_LOAD_MILLIS - MIN_LOAD_MILLIS)) * 1_000_000L;
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        return threads;
    }

    private static void join(CrashWorkload load, List<Thread> threads) throws InterruptedException {
        load.stopLoad();
        for (Thread thread : threads) {
            thread.join(90_000);
            assertThat(thread.isAlive())
                    .as("a load thread ends with its server")
                    .isFalse();
        }
    }

    private void report(String fault, CrashWorkload load) {
        assertThat(load.acknowledgedCount())
                .as("the load did something (seed %d)", seed)
                .isGreaterThan(CYCLES);
        System.out.printf(
                "%s: %d cycles, %d publishes acknowledged and found, %d acks kept, seed %d%n",
                fault, CYCLES, load.acknowledgedCount(), load.consumedCount(), seed);
    }
}
