package io.penstock.storage.journal;

import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Appends of 256 B from one thread: rate and time to done, by policy, records an entry and entries in flight.
 *
 * <p>Run with the folder to write to and seconds a line.
 */
public final class JournalBench {
    private static final int RECORD = 256;

    private JournalBench() {}

    /** A folder, then seconds for each line. */
    public static void main(String[] args) throws IOException {
        Path folder = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("journal-bench");
        double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 3;
        System.out.println("policy    records/entry  in flight   records/s  forces/s    p50 us    p99 us");
        for (SyncPolicy policy : SyncPolicy.values()) {
            for (int[] shape : new int[][] {{1, 1}, {1, 64}, {1, 1000}, {500, 1}, {500, 4}}) {
                line(folder, policy, shape[0], shape[1], seconds / 2);
                System.out.println(line(folder, policy, shape[0], shape[1], seconds));
            }
        }
    }

    private static String line(Path folder, SyncPolicy policy, int records, int inFlight, double seconds)
            throws IOException {
        Path directory = Files.createTempDirectory(folder, "j");
        JournalOptions options = JournalOptions.DEFAULT.withSync(policy, 120_000_000_000L);
        long[] latencies = new long[4_000_000];
        try (Journal journal = Journal.open(FileDisk.INSTANCE, directory, options, new StorageMetrics())) {
            JournalGroup group = journal.group(0);
            Semaphore window = new Semaphore(inFlight);
            long[] started = new long[8192];
            long[] done = new long[1];
            group.listen(new JournalListener() {
                @Override
                public void done(long index) {
                    long now = System.nanoTime();
                    int count = (int) (index - done[0]);
                    for (long i = done[0] + 1; i <= index; i++) {
                        latencies[(int) (i % latencies.length)] = now - started[(int) (i & 8191)];
                    }
                    done[0] = index;
                    window.release(count);
                }

                @Override
                public void failed(long firstIndex, StorageException cause, boolean terminal) {
                    throw cause;
                }
            });
            byte[] payload = new byte[RECORD * records];
            long start = System.nanoTime();
            long end = start + (long) (seconds * 1e9);
            long index = 0;
            while (System.nanoTime() < end) {
                window.acquireUninterruptibly();
                index++;
                started[(int) (index & 8191)] = System.nanoTime();
                group.append(new JournalEntry(index, 1, (byte) 0, index, payload, payload.length), false);
                if (index % 1024 == 0) {
                    group.truncatePrefix(index - 512);
                }
            }
            window.acquireUninterruptibly(inFlight);
            double took = (System.nanoTime() - start) / 1e9;
            int kept = (int) Math.min(index, latencies.length - 1);
            long[] sorted = Arrays.copyOfRange(latencies, 1, kept + 1);
            Arrays.sort(sorted);
            return String.format(
                    "%-9s %13d %10d %11.0f %9.0f %9d %9d",
                    policy,
                    records,
                    inFlight,
                    index * records / took,
                    journal.forces() / took,
                    TimeUnit.NANOSECONDS.toMicros(sorted[sorted.length / 2]),
                    TimeUnit.NANOSECONDS.toMicros(sorted[(int) (sorted.length * 0.99)]));
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
