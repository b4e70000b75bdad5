package io.penstock.testkit.faults;

import io.penstock.consensus.CheckpointPolicy;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.Checkpointer;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.consensus.SoloLog;
import io.penstock.consensus.ThreadedGroupLoop;
import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.FileDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Random;

/**
 * A process that writes one stream through journal and store as fast as it can and prints what is acknowledged. When it
 * starts it verifies what it finds and prints {@code verified LAST}; then {@code acked N}, again and again.
 */
public final class StorageWriter implements ReplicatedLog.StateMachine, Checkpointed {
    private static final int KEPT = 20_000;
    private static final int IN_FLIGHT = 200;

    private final StreamStore store;
    private SoloLog log;
    private ThreadedGroupLoop loop;
    private long proposed;

    private StorageWriter(StreamStore store) {
        this.store = store;
    }

    /** A folder. */
    public static void main(String[] args) throws InterruptedException {
        Path folder = Path.of(args[0]);
        StorageMetrics metrics = new StorageMetrics();
        Journal journal = Journal.open(
                FileDisk.INSTANCE,
                folder.resolve("journal"),
                JournalOptions.DEFAULT.withSegmentBytes(1 << 20),
                metrics);
        StoreDirectory directory = StoreDirectory.open(
                FileDisk.INSTANCE, folder.resolve("streams"), StoreOptions.DEFAULT.withSegmentBytes(1 << 20), metrics);
        var found = directory.list();
        StreamStore store = found.isEmpty() ? directory.create("A", "S", 1) : directory.open(found.getFirst());
        StorageWriter writer = new StorageWriter(store);
        writer.loop = new ThreadedGroupLoop("loop", Clock.systemUTC());
        writer.log = new SoloLog(journal.group(0), writer.loop, "n1", store.checkpointIndex());
        Checkpointer checkpointer = new Checkpointer(
                writer.loop, writer.log, journal::writtenBytes, directory, new CheckpointPolicy(2 << 20, 300_000_000L));
        writer.loop.execute(() -> {
            try {
                checkpointer.add(writer);
                writer.log.start(writer, store.checkpointIndex());
                writer.verify();
                writer.proposeMore();
            } catch (RuntimeException e) {
                System.out.println("failed " + e);
            }
        });
        Thread.currentThread().join();
    }

    private static byte[] payload(long sequence) {
        Random random = new Random(sequence);
        byte[] bytes = new byte[random.nextInt(600)];
        random.nextBytes(bytes);
        return bytes;
    }

    private void verify() {
        var state = store.state();
        long expected = state.firstSequence();
        for (StoredMessage m = store.next(SubjectFilter.ALL, 1);
                m != null;
                m = store.next(SubjectFilter.ALL, m.sequence() + 1)) {
            if (m.sequence() != expected || !Arrays.equals(m.payload(), payload(expected))) {
                System.out.println("failed message " + m.sequence() + " where " + expected + " is due");
                return;
            }
            expected++;
        }
        if (expected != state.lastSequence() + 1 || state.lastSequence() != log.appliedIndex()) {
            System.out.println(
                    "failed last " + state.lastSequence() + ", read " + (expected - 1) + ", log " + log.appliedIndex());
            return;
        }
        proposed = state.lastSequence();
        System.out.println("verified " + state.lastSequence());
    }

    private void proposeMore() {
        while (proposed - log.appliedIndex() < IN_FLIGHT) {
            proposed++;
            byte[] entry = payload(proposed);
            log.propose(loop.now(), entry, entry.length, proposed);
        }
    }

    @Override
    public void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment) {
        if (index <= store.checkpointIndex()) {
            return;
        }
        store.append(index, timestampNanos, "s." + index % 50, entry, 0, 0, 0, length);
        if (index > KEPT) {
            store.remove(index - KEPT, false);
        }
    }

    @Override
    public void applied(long index) {
        if (log.role() == ReplicatedLog.Role.LEADER) {
            System.out.println("acked " + index);
            proposeMore();
        }
    }

    @Override
    public void failed(Object attachment, Throwable cause) {
        System.out.println("failed " + cause);
    }

    @Override
    public void roleChanged(ReplicatedLog.Role role, String leader, long term) {}

    @Override
    public String name() {
        return "S";
    }

    @Override
    public boolean dirty() {
        return store.dirty();
    }

    @Override
    public StreamStore.Checkpoint begin(long appliedIndex) {
        return store.beginCheckpoint(appliedIndex, new byte[0]);
    }

    @Override
    public long checkpointIndex() {
        return store.checkpointIndex();
    }
}
