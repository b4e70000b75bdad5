package io.penstock.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journal and store alone, without a network, in a process that is killed or loses its disk's power under load. */
@Tag("faults")
class StorageCrashTest {
    private static final int CYCLES = Integer.getInteger("penstock.crash.cycles", 20);

    private final long seed = Long.getLong("penstock.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Written by the thread that reads the process. */
    private volatile long verified;

    private volatile long acked;
    private volatile String failure;

    private Run current;

    @AfterEach
    void leaveNoProcess() {
        if (current != null) {
            current.kill();
        }
    }

    @Test
    void killedAgainAndAgainLosesNothingAcknowledged(@TempDir Path folder) throws Exception {
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            Run run = start(folder);
            run.load();
            run.kill();
            run.end();
        }
        check(folder);
    }

    @Test
    void losingPowerAgainAndAgainLosesNothingAcknowledged(@TempDir Path folder) throws Exception {
        try (PowerLossDisk disk = new PowerLossDisk(folder)) {
            Path store = disk.folder().resolve("store");
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                Run run = start(store);
                run.load();
                disk.cut(run.process.pid());
                run.end();
                disk.restore(run.process.pid());
            }
            check(store);
        }
    }

    private void check(Path folder) throws Exception {
        Run last = start(folder);
        last.kill();
        last.end();
        System.out.println(
                "acknowledged " + acked + " messages in " + CYCLES + " cycles, none lost (seed " + seed + ")");
    }

    private Run start(Path folder) throws IOException {
        long before = acked;
        verified = -1;
        Run run = new Run(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StorageWriter.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        current = run;
        run.awaitVerified();
        assertThat(failure).as("seed %d", seed).isNull();
        assertThat(verified).as("seed %d: acknowledged %d", seed, before).isGreaterThanOrEqualTo(before);
        return run;
    }

    private final class Run {
        private final Process process;
        private final Thread reader;

        Run(Process process) {
            this.process = process;
            this.reader = Thread.ofPlatform().start(this::read);
        }

        private void read() {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line; (line = lines.readLine()) != null; ) {
                    take(line);
                }
            } catch (IOException e) {
                failure = e.toString();
            }
        }

        private void take(String line) {
            int space = line.indexOf(' ');
            switch (line.substring(0, Math.max(0, space))) {
                case "acked" -> acked = Long.parseLong(line.substring(space + 1));
                case "verified" -> verified = Long.parseLong(line.substring(space + 1));
                default -> failure = line;
            }
        }

        void awaitVerified() {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (verified < 0 && failure == null && System.nanoTime() < deadline) {
                LockSupport.parkNanos(5_000_000);
            }
        }

        void load() {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(900));
            while (System.nanoTime() < until) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
        }

        /** SIGKILL; unlike the process's own method this leaves its output to be read to the end. */
        void kill() {
            process.toHandle().destroyForcibly();
        }

        void end() throws InterruptedException {
            process.waitFor();
            reader.join();
        }
    }
}
