package io.penstock.storage.store;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;
import io.penstock.storage.disk.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Rates of a file store on one thread, without the log. Run with the folder to write to and millions of messages. */
public final class StoreBench {
    private static final int SIZE = 256;

    private final StoreDirectory directory;
    private final byte[] payload = new byte[SIZE];
    private long incarnation;

    private StoreBench(Path root) {
        directory = StoreDirectory.open(FileDisk.INSTANCE, root, StoreOptions.DEFAULT, new StorageMetrics());
    }

    /** A folder, then millions of messages a line. */
    public static void main(String[] args) throws IOException {
        Path folder = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("store-bench");
        int count = (int) ((args.length > 1 ? Double.parseDouble(args[1]) : 1) * 1_000_000);
        StoreBench bench = new StoreBench(folder);
        bench.log(count / 4);
        bench.log(count);
        bench.text(count, false);
        bench.text(count, true);
        bench.workQueue(count);
        bench.keyValue(count, 100_000, 1);
        bench.keyValue(count, 100_000, 5);
        bench.keyValue(count, 1_000_000, 1);
    }

    private void line(String what, long count, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(
                "%-44s %,12.0f /s  heap %d MiB%n",
                what, count / seconds, (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }

    private StreamStore create(String name) {
        return directory.create("bench", name, ++incarnation);
    }

    private void log(int count) throws IOException {
        StreamStore store = create("log");
        long start = System.nanoTime();
        for (long sequence = 1; sequence <= count; sequence++) {
            store.append(sequence, sequence, "orders." + (sequence & 1023), payload, 0, 0, 0, SIZE);
        }
        line("append, 1,024 subjects", count, start);
        start = System.nanoTime();
        store.beginCheckpoint(1, new byte[0]).write();
        line("first checkpoint", count, start);
        start = System.nanoTime();
        long read = 0;
        for (StoredMessage m = store.next(SubjectFilter.ALL, 1);
                m != null;
                m = store.next(SubjectFilter.ALL, m.sequence() + 1)) {
            read++;
        }
        line("read all in order", read, start);
        start = System.nanoTime();
        read = 0;
        SubjectFilter some = SubjectFilter.of("orders.77");
        for (long s = store.nextSequence(some, 1); s != 0; s = store.nextSequence(some, s + 1)) {
            read++;
        }
        line("sequences of one subject of 1,024", read, start);
        store.close();
        start = System.nanoTime();
        StreamStore again = directory.open(directory.list().stream()
                .filter(stream -> stream.incarnation() == incarnation)
                .findFirst()
                .orElseThrow());
        line("open, messages", again.state().messages(), start);
        start = System.nanoTime();
        int random = 100_000;
        for (int i = 0; i < random; i++) {
            again.load(1 + (i * 7919L) % count);
        }
        line("read at random", random, start);
        again.delete();
        directory.syncDirectories();
    }

    private void text(int count, boolean compressed) throws IOException {
        StreamStore store = create("text");
        store.compress(compressed);
        java.util.Random random = new java.util.Random(1);
        String kind = compressed ? ", compressed" : ", plain";
        for (long sequence = 1; sequence <= count; sequence++) {
            byte[] json = ("{\"id\":\"" + Long.toHexString(random.nextLong()) + "\",\"customer\":"
                            + random.nextInt(10_000) + ",\"state\":\"accepted\",\"total\":" + random.nextInt(100_000)
                            + ",\"currency\":\"EUR\",\"items\":[{\"sku\":\"A-" + random.nextInt(1000)
                            + "\",\"count\":" + random.nextInt(9) + "}]}")
                    .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            store.append(sequence, sequence, "orders." + (sequence & 1023), json, 0, 0, 0, json.length);
        }
        long before = directory.usedBytes();
        long start = System.nanoTime();
        while (store.dirty()) {
            store.beginCheckpoint(1, new byte[0]).write();
            directory.syncDirectories();
        }
        line("JSON" + kind + ", checkpoints", count, start);
        System.out.printf("%,d bytes become %,d%n", before, directory.usedBytes());
        start = System.nanoTime();
        long read = 0;
        for (StoredMessage m = store.next(SubjectFilter.ALL, 1);
                m != null;
                m = store.next(SubjectFilter.ALL, m.sequence() + 1)) {
            read++;
        }
        line("JSON" + kind + ", read all in order", read, start);
        start = System.nanoTime();
        int gets = 100_000;
        for (int i = 0; i < gets; i++) {
            store.load(1 + (i * 7919L) % count);
        }
        line("JSON" + kind + ", read at random", gets, start);
        store.delete();
        directory.syncDirectories();
    }

    private void workQueue(int count) throws IOException {
        StreamStore store = create("work");
        long start = System.nanoTime();
        for (long sequence = 1; sequence <= count; sequence++) {
            store.append(sequence, sequence, "jobs", payload, 0, 0, 0, SIZE);
            if (sequence > 100) {
                store.load(sequence - 100);
                store.remove(sequence - 100, false);
            }
        }
        line("work queue: append, read, remove", count, start);
        store.delete();
        directory.syncDirectories();
    }

    private void keyValue(int count, int keys, int history) throws IOException {
        StreamStore store = create("kv");
        String[] subjects = new String[keys];
        for (int i = 0; i < keys; i++) {
            subjects[i] = "$KV.bucket.key" + i;
        }
        java.util.Random random = new java.util.Random(1);
        long start = System.nanoTime();
        for (long sequence = 1; sequence <= count; sequence++) {
            String subject = subjects[random.nextInt(keys)];
            store.append(sequence, sequence, subject, payload, 0, 0, 0, SIZE);
            SubjectState state = store.subject(subject);
            if (state.messages() > history) {
                store.remove(state.firstSequence(), false);
            }
            if (sequence % 250_000 == 0) {
                store.beginCheckpoint(sequence, new byte[0]).write();
            }
        }
        line("kv " + keys + " keys, history " + history + ", put", count, start);
        start = System.nanoTime();
        int gets = Math.min(count, 200_000);
        for (int i = 0; i < gets; i++) {
            store.load(store.lastSequence(SubjectFilter.of(subjects[random.nextInt(keys)]), Long.MAX_VALUE));
        }
        line("kv get", gets, start);
        store.delete();
        directory.syncDirectories();
    }
}
