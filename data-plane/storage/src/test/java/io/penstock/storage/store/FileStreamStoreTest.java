package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoreFactory.StoredStream;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileStreamStoreTest {
    private static final Path ROOT = Path.of("/store/jetstream");
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);
    private static final int MESSAGES = 200;

    private final StorageMetrics metrics = new StorageMetrics();

    private StoreDirectory open(TestingDisk disk) {
        return StoreDirectory.open(disk, ROOT, SMALL, metrics);
    }

    private static byte[] payload(long sequence) {
        byte[] bytes = new byte[100];
        new Random(sequence).nextBytes(bytes);
        return bytes;
    }

    private static void append(StreamStore store, int count) {
        for (int i = 0; i < count; i++) {
            long sequence = store.state().lastSequence() + 1;
            store.append(sequence, sequence * 10, "s." + sequence % 7, payload(sequence), 0, 0, 0, 100);
        }
    }

    private static void checkpoint(StreamStore store, long index) {
        try {
            store.beginCheckpoint(index, "attached".getBytes(StandardCharsets.UTF_8))
                    .write();
        } catch (IOException e) {
            throw new StorageException("checkpoint", e);
        }
    }

    private TestingDisk filled() {
        TestingDisk disk = new TestingDisk();
        StoreDirectory directory = open(disk);
        StreamStore store = directory.create("ACC", "orders", 5);
        append(store, MESSAGES);
        checkpoint(store, 1);
        checkpoint(store, 2);
        store.close();
        return disk;
    }

    private StreamStore reopen(TestingDisk disk) {
        StoreDirectory directory = open(disk);
        return directory.open(directory.list().getFirst());
    }

    /** Every message is right or reported as damaged, with its file; answers how many are damaged. */
    private static int assertRightOrReported(StreamStore store, Path file) {
        int damaged = 0;
        assertThat(store.state().messages()).isEqualTo(MESSAGES);
        assertThat(store.state().lastSequence()).isEqualTo(MESSAGES);
        for (long sequence = 1; sequence <= MESSAGES; sequence++) {
            try {
                StoredMessage message = store.load(sequence);
                assertThat(message.payload()).as("message %d", sequence).isEqualTo(payload(sequence));
                assertThat(message.subject()).isEqualTo("s." + sequence % 7);
            } catch (CorruptRecordException e) {
                damaged++;
                assertThat(e.file()).isEqualTo(file.toString());
            }
        }
        return damaged;
    }

    private static List<Path> files(TestingDisk disk, String suffix) {
        return disk.files().stream()
                .filter(path -> path.toString().endsWith(suffix))
                .toList();
    }

    @Test
    void reportsOnlyTheMessageHitByABitFlip() {
        TestingDisk disk = filled();
        Random random = new Random(3);
        for (Path file : files(disk, ".seg")) {
            byte[] whole = disk.bytes(file);
            for (int i = 0; i < 20; i++) {
                int at = RecordFormat.FILE_HEADER + random.nextInt(whole.length - RecordFormat.FILE_HEADER);
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                TestingDisk damaged = disk.processDeath();
                damaged.overwrite(file, flipped);
                long before = metrics.damagedCount();
                try (StreamStore store = reopen(damaged)) {
                    assertThat(assertRightOrReported(store, file))
                            .as("byte %d of %s", at, file)
                            .isEqualTo(1);
                    assertThat(((FileStreamStore) store).verify()).isEqualTo(1);
                    assertThat(metrics.damagedCount()).isEqualTo(before + 2);
                    append(store, 1);
                    assertThat(store.state().lastSequence()).isEqualTo(MESSAGES + 1);
                }
            }
        }
    }

    @Test
    void readsEverythingWithADamagedMissingOrEmptyIndexOrOneManifest() {
        TestingDisk disk = filled();
        List<Path> files = new ArrayList<>(files(disk, ".idx"));
        files.addAll(files(disk, "manifest"));
        files.addAll(files(disk, "manifest.copy"));
        assertThat(files).hasSizeGreaterThan(5);
        Random random = new Random(4);
        for (Path file : files) {
            byte[] whole = disk.bytes(file);
            for (int i = 0; i < 12; i++) {
                byte[] flipped = whole.clone();
                flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
                assertHeals(disk, file, flipped);
            }
            assertHeals(disk, file, new byte[0]);
            assertHeals(disk, file, Arrays.copyOf(whole, whole.length - 37));
            assertHeals(disk, file, null);
        }
    }

    private void assertHeals(TestingDisk disk, Path file, byte[] bytes) {
        TestingDisk damaged = disk.processDeath();
        if (bytes == null) {
            try {
                damaged.delete(file);
            } catch (IOException e) {
                throw new StorageException("delete", e);
            }
        } else {
            damaged.overwrite(file, bytes);
        }
        long before = metrics.damagedCount();
        try (StreamStore store = reopen(damaged)) {
            assertThat(assertRightOrReported(store, file)).isZero();
            assertThat(metrics.damagedCount() > before || bytes == null).isTrue();
            assertThat(store.dirty()).isTrue();
            checkpoint(store, 3);
        }
        long healed = metrics.damagedCount();
        try (StreamStore store = reopen(damaged)) {
            assertThat(assertRightOrReported(store, file)).isZero();
            assertThat(metrics.damagedCount()).isEqualTo(healed);
        }
    }

    @Test
    void refusesToOpenWithoutAManifestAndChangesNothing() {
        TestingDisk disk = filled();
        for (String name : List.of("manifest", "manifest.copy")) {
            disk.overwrite(files(disk, name).getFirst(), new byte[0]);
        }
        List<Path> before = disk.files();
        StoreDirectory directory = open(disk);
        StoredStream stream = directory.list().getFirst();
        assertThat(stream.damaged()).isTrue();
        assertThat(stream.damage()).contains("manifest");
        assertThatThrownBy(() -> directory.open(stream)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> directory.create("ACC", "orders", 5)).isInstanceOf(CorruptRecordException.class);
        directory.quarantineUnknown();
        assertThat(disk.files()).isEqualTo(before);
    }

    @Test
    void reportsTheMessagesOfASegmentThatIsMissingOrShort() throws IOException {
        TestingDisk disk = filled();
        for (Path file : files(disk, ".seg")) {
            TestingDisk gone = disk.processDeath();
            gone.delete(file);
            try (StreamStore store = reopen(gone)) {
                assertThat(assertRightOrReported(store, file)).isPositive();
                append(store, 5);
                assertThat(store.state().lastSequence()).isEqualTo(MESSAGES + 5);
            }
            TestingDisk cut = disk.processDeath();
            cut.overwrite(file, Arrays.copyOf(disk.bytes(file), disk.bytes(file).length - 37));
            try (StreamStore store = reopen(cut)) {
                assertThat(assertRightOrReported(store, file)).isEqualTo(1);
                append(store, 5);
                assertThat(store.load(MESSAGES + 5).payload()).isEqualTo(payload(MESSAGES + 5));
            }
        }
    }

    @Test
    void reportsWhatIsLostWhenSegmentAndIndexAreDamaged() {
        TestingDisk disk = filled();
        Path segment = files(disk, ".seg").getFirst();
        Path index = files(disk, ".idx").getFirst();
        byte[] whole = disk.bytes(segment);
        Random random = new Random(5);
        for (int i = 0; i < 100; i++) {
            TestingDisk damaged = disk.processDeath();
            byte[] flipped = whole.clone();
            flipped[RecordFormat.FILE_HEADER + random.nextInt(whole.length - RecordFormat.FILE_HEADER)] ^=
                    (byte) (1 << random.nextInt(8));
            damaged.overwrite(segment, flipped);
            damaged.overwrite(index, new byte[3]);
            try (StreamStore store = reopen(damaged)) {
                assertThat(assertRightOrReported(store, segment)).isEqualTo(1);
            }
        }
    }

    @Test
    void leavesUnknownFilesAndQuarantinesUnknownStreams() {
        TestingDisk disk = filled();
        Path foreign = files(disk, "manifest").getFirst().resolveSibling("notes.txt");
        disk.overwrite(foreign, new byte[] {1});
        Path orphan = ROOT.resolve("ACC/streams/ghost.0000000000000009/000000000001.seg");
        disk.createDirectories(orphan.getParent());
        disk.overwrite(orphan, new byte[] {2});
        StoreDirectory directory = open(disk);
        assertThat(directory.list()).hasSize(1);
        StreamStore store = directory.open(directory.list().getFirst());
        directory.quarantineUnknown();
        assertThat(disk.bytes(foreign)).containsExactly(1);
        assertThat(disk.files()).doesNotContain(orphan);
        assertThat(disk.files().stream().filter(path -> path.toString().contains(".quarantine")))
                .hasSize(1);
        assertThat(assertRightOrReported(store, foreign)).isZero();
    }

    @Test
    void compactsSparseSegmentsAndGivesSpaceBack() {
        TestingDisk disk = new TestingDisk();
        StoreDirectory directory = open(disk);
        StreamStore store = directory.create("ACC", "orders", 5);
        append(store, 2000);
        long full = directory.usedBytes();
        for (long sequence = 1; sequence <= 1990; sequence++) {
            if (sequence % 20 != 0) {
                store.remove(sequence, false);
            }
        }
        for (int i = 0; i < 40; i++) {
            checkpoint(store, 10 + i);
        }
        assertThat(directory.usedBytes()).isLessThan(full / 8);
        assertThat(files(disk, ".seg")).hasSizeLessThan(12);
        long held =
                disk.files().stream().mapToLong(path -> disk.bytes(path).length).sum();
        assertThat(held).isLessThan(full / 4);
        for (int round = 0; round < 2; round++) {
            for (long sequence = 20; sequence <= 1980; sequence += 20) {
                assertThat(store.load(sequence).payload()).isEqualTo(payload(sequence));
                assertThat(store.sequenceAt(sequence * 10 - 5)).isEqualTo(sequence);
            }
            store.close();
            directory = open(disk);
            store = directory.open(directory.list().getFirst());
        }
    }

    @Test
    void erasedBytesAreNotOnTheDisk() {
        TestingDisk disk = new TestingDisk();
        StreamStore store = open(disk).create("ACC", "orders", 5);
        append(store, 100);
        store.append(101, 2000, "secret", "very secret words".getBytes(StandardCharsets.UTF_8), 0, 0, 0, 17);
        append(store, 2);
        store.remove(101, true);
        append(store, 100);
        checkpoint(store, 1);
        for (Path file : disk.files()) {
            assertThat(new String(disk.bytes(file), StandardCharsets.ISO_8859_1))
                    .doesNotContain("very secret");
        }
    }

    @Test
    void keepsWhatAFullDiskRefusesAndWritesItOnceThereIsRoom() {
        TestingDisk disk = new TestingDisk();
        StreamStore store = open(disk).create("ACC", "orders", 5);
        append(store, 50);
        checkpoint(store, 1);
        disk.capacity(0);
        append(store, 150);
        assertThatThrownBy(() -> checkpoint(store, 2)).isInstanceOf(StorageException.class);
        assertThat(store.checkpointIndex()).isEqualTo(1);
        assertThat(store.dirty()).isTrue();
        assertThat(assertRightOrReported(store, ROOT)).isZero();
        disk.capacity(1 << 20);
        checkpoint(store, 3);
        store.close();
        try (StreamStore again = reopen(disk)) {
            assertThat(again.checkpointIndex()).isEqualTo(3);
            assertThat(assertRightOrReported(again, ROOT)).isZero();
        }
    }

    @Test
    void deletesAStreamForGoodAndTakesItsNameAgain() throws IOException {
        TestingDisk disk = filled();
        StoreDirectory directory = open(disk);
        StreamStore store = directory.open(directory.list().getFirst());
        StreamStore.Checkpoint late = store.beginCheckpoint(9, new byte[0]);
        store.delete();
        StreamStore next = directory.create("ACC", "orders", 6);
        late.write();
        append(next, 3);
        checkpoint(next, 10);
        directory.syncDirectories();
        assertThat(disk.files())
                .filteredOn(path -> !path.equals(ROOT.resolve(Roster.NAME)))
                .allMatch(path -> path.toString().contains("orders.0000000000000006"));
        assertThat(directory.list()).containsExactly(new StoredStream("ACC", "orders", 6, 10, ""));
        assertThat(next.state().messages()).isEqualTo(3);
    }

    @Test
    void keepsNamesOfAnySpelling() {
        TestingDisk disk = new TestingDisk();
        StoreDirectory directory = open(disk);
        List<String> names = List.of("../../etc", "a/b", "Größe", "x".repeat(255), "x".repeat(255) + "y", ".", "a.b");
        for (int i = 0; i < names.size(); i++) {
            checkpoint(directory.create("$G " + names.get(i), names.get(i), i + 1), 1);
        }
        assertThat(disk.files()).allMatch(path -> path.normalize().startsWith(ROOT));
        assertThat(open(disk).list()).extracting(StoredStream::stream).containsExactlyInAnyOrderElementsOf(names);
        assertThat(open(disk).list()).extracting(StoredStream::account).contains("$G ../../etc", "$G Größe");
    }

    @Test
    void keepsThePositionOfAnEmptiedStream() {
        TestingDisk disk = new TestingDisk();
        StreamStore store = open(disk).create("ACC", "work", 5);
        append(store, 500);
        assertThat(store.purge(SubjectFilter.ALL, 0, 0)).isEqualTo(500);
        checkpoint(store, 1);
        assertThat(files(disk, ".seg")).isEmpty();
        store.close();
        try (StreamStore again = reopen(disk)) {
            assertThat(again.state().firstSequence()).isEqualTo(501);
            assertThat(again.state().lastSequence()).isEqualTo(500);
            append(again, 1);
            assertThat(again.state().firstSequence()).isEqualTo(501);
        }
    }
}
