package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoreFactory.StoredStream;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Random changes against the model; the seed is in every failure. */
@ParameterizedClass
@CsvSource({"PLAIN, false", "ENCRYPTED, false", "PLAIN, true", "ENCRYPTED, true"})
class StreamStoreModelTest {
    private static final Path ROOT = Path.of("/store/jetstream");
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 2, 6);

    @Parameter(0)
    private TestingDisk.Kind kind;

    /** Compression is on most of the time. */
    @Parameter(1)
    private boolean compressed;

    private final StorageMetrics metrics = new StorageMetrics();

    private StoreDirectory open(TestingDisk disk) {
        return StoreDirectory.open(kind.over(disk, ROOT), ROOT, SMALL, metrics);
    }

    private static void described(long seed, Runnable test) {
        try {
            test.run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void memoryStoreDoesWhatTheModelDoes() {
        for (long seed = 0; seed < 60; seed++) {
            long at = seed;
            described(seed, () -> {
                Random random = new Random(at);
                StoreModel model = new StoreModel(false);
                try (StreamStore store = new MemoryStreamStore(SMALL)) {
                    for (int i = 0; i < 400; i++) {
                        StoreOperation.random(random).apply(model, store);
                        if (i % 50 == 49) {
                            model.assertSame(store, random);
                        }
                    }
                }
            });
        }
    }

    @Test
    void fileStoreDoesWhatTheModelDoesOverCheckpointsAndRestarts() {
        for (long seed = 0; seed < (compressed ? 30 : 60); seed++) {
            long at = seed;
            described(seed, () -> runFile(at));
        }
        assertThat(metrics.damagedCount()).isZero();
    }

    private void runFile(long seed) {
        Random random = new Random(seed);
        TestingDisk disk = new TestingDisk();
        StoreModel model = new StoreModel(true);
        StoreDirectory directory = open(disk);
        StreamStore store = directory.create("acc", "orders", 1);
        long index = 1;
        StreamStore.Checkpoint onItsWay = null;
        for (int i = 0; i < 600; i++) {
            StoreOperation.random(random).apply(model, store);
            index++;
            if (onItsWay != null && random.nextInt(5) == 0) {
                writeWithLuck(onItsWay, disk, random);
                onItsWay = null;
            } else if (onItsWay == null && random.nextInt(15) == 0) {
                store.compress(compressed && random.nextInt(4) > 0);
                onItsWay = store.beginCheckpoint(index, new byte[] {(byte) index});
            }
            if (random.nextInt(100) == 0) {
                model.assertSame(store, random);
                if (onItsWay != null) {
                    write(onItsWay);
                    onItsWay = null;
                }
                store.compress(compressed);
                write(store.beginCheckpoint(index, new byte[] {(byte) index}));
                settle((FileStreamStore) store, index);
                assertNoLeftovers(disk, (FileStreamStore) store);
                store.close();
                disk = disk.processDeath();
                directory = open(disk);
                store = reopen(directory, index);
                assertThat(store.checkpointAttachment()).containsExactly((byte) index);
                assertThat(((FileStreamStore) store).verify()).isZero();
                model.assertSame(store, random);
            }
        }
        model.assertSame(store, random);
        assertThat(directory.usedBytes()).isPositive();
    }

    /** Writes a checkpoint; now and then the disk refuses one of its calls, and the next checkpoint must make up for it. */
    private static boolean writeWithLuck(StreamStore.Checkpoint checkpoint, TestingDisk disk, Random random) {
        if (random.nextInt(4) > 0) {
            write(checkpoint);
            return true;
        }
        int[] callsLeft = {random.nextInt(12)};
        disk.failWith((operation, path) -> {
            if (callsLeft[0]-- == 0) {
                throw new IOException("No space left on device");
            }
        });
        try {
            checkpoint.write();
            return true;
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("No space left on device|the power is gone");
            return false;
        } finally {
            disk.failWith((operation, path) -> {});
        }
    }

    /** Nothing is left to be compressed once nothing is to be written. */
    private void settle(FileStreamStore store, long index) {
        for (int i = 0; store.dirty(); i++) {
            assertThat(i).as("checkpoints until there is no more to be done").isLessThan(30);
            write(store.beginCheckpoint(index, new byte[] {(byte) index}));
        }
        assertThat(store.blocks.stream()
                        .map(FileBlock.class::cast)
                        .filter(block -> block.sealed && block.packFailures == 0))
                .allMatch(block -> !block.erasing && (block.packed || !compressed));
    }

    /** Segments that are gone give their space back. */
    private static void assertNoLeftovers(TestingDisk disk, FileStreamStore store) {
        long files = disk.files().stream().filter(StoreDirectory::isSegment).count();
        // The two of a compaction just made: its result and its sources are settled by the next checkpoint.
        assertThat(files).isLessThanOrEqualTo(store.blocks.size() + 1);
    }

    private static StreamStore reopen(StoreDirectory directory, long index) {
        List<StoredStream> found = directory.list();
        assertThat(found).containsExactly(new StoredStream("acc", "orders", 1, index, ""));
        return directory.open(found.getFirst());
    }

    private static void write(StreamStore.Checkpoint checkpoint) {
        try {
            checkpoint.write();
        } catch (IOException e) {
            throw new StorageException("checkpoint", e);
        }
    }

    /** Power goes at every call to the disk in turn; the operations behind the checkpoint found are applied again. */
    @Test
    void isItsLastCheckpointWhenThePowerGoesAtAnyMoment() {
        // Compressed, each kind takes half of them.
        int step = compressed ? 2 : 1;
        for (int crash = kind == TestingDisk.Kind.PLAIN ? 1 : step; crash < 400; crash += step) {
            long at = crash;
            described(crash, () -> crashAndReplay(at));
        }
        assertThat(metrics.damagedCount()).isZero();
    }

    private void crashAndReplay(long crash) {
        Random random = new Random(crash);
        TestingDisk disk = new TestingDisk();
        List<StoreOperation> log = new ArrayList<>();
        long durable = 0;
        StoreDirectory directory = open(disk);
        StreamStore store = directory.create("acc", "orders", 1);
        StoreModel model = new StoreModel(true);
        disk.crashAfter((int) crash);
        try {
            while (log.size() < 500) {
                StoreOperation operation = StoreOperation.random(random);
                log.add(operation);
                operation.apply(model, store);
                if (log.size() % 25 == 0) {
                    store.compress(compressed && random.nextInt(4) > 0);
                    if (writeWithLuck(store.beginCheckpoint(log.size(), new byte[0]), disk, random)) {
                        directory.syncDirectories();
                        durable = log.size();
                    }
                }
            }
        } catch (IOException | StorageException e) {
            assertThat(e).hasMessageMatching("(?s).*(power is gone|cannot write|cannot erase|checkpoint).*");
        }
        for (int round = 0; round < 2; round++) {
            disk = disk.powerLoss(random);
            directory = open(disk);
            List<StoredStream> found = directory.list();
            long from = found.isEmpty() ? 0 : found.getFirst().checkpointIndex();
            assertThat(from).isGreaterThanOrEqualTo(durable);
            store = found.isEmpty() ? directory.create("acc", "orders", 1) : directory.open(found.getFirst());
            model = new StoreModel(true);
            for (int i = 0; i < log.size(); i++) {
                log.get(i).apply(model, i < from ? null : store);
            }
            assertThat(((FileStreamStore) store).verify()).isZero();
            model.assertSame(store, random);
        }
    }
}
