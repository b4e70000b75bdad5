package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompressedStoreTest {
    private static final Path ROOT = Path.of("/store/jetstream");

    /** Segments of 32 KiB, so that blocks have 8 KiB. */
    private static final StoreOptions SMALL = new StoreOptions(32 << 10, 300, 600, 30_000, 4, 6);

    private static final int MESSAGES = 600;
    private static final byte[] SECRET = new byte[64];

    static {
        new Random(99).nextBytes(SECRET);
    }

    private final StorageMetrics metrics = new StorageMetrics();

    private StoreDirectory open(TestingDisk disk) {
        return StoreDirectory.open(disk, ROOT, SMALL, metrics);
    }

    private static byte[] payload(long sequence) {
        byte[] noise = new byte[12];
        new Random(sequence).nextBytes(noise);
        String text = "{\"order\":" + sequence + ",\"customer\":\"somebody " + sequence % 50
                + "\",\"state\":\"accepted\",\"items\":[{\"sku\":\"A-1\",\"count\":2},{\"sku\":\"B-2\",\"count\":1}],\"key\":\""
                + new String(noise, StandardCharsets.ISO_8859_1) + "\"}";
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void append(StreamStore store, byte[] payload) {
        long sequence = store.state().lastSequence() + 1;
        store.append(sequence, sequence * 10, "s." + sequence % 7, payload, 0, 0, 0, payload.length);
    }

    private static void append(StreamStore store, int count) {
        for (int i = 0; i < count; i++) {
            append(store, payload(store.state().lastSequence() + 1));
        }
    }

    private static void checkpoint(StreamStore store) {
        try {
            store.beginCheckpoint(1, new byte[0]).write();
        } catch (IOException e) {
            throw new StorageException("checkpoint", e);
        }
    }

    private static void settle(StreamStore store) {
        for (int i = 0; store.dirty(); i++) {
            assertThat(i).isLessThan(20);
            checkpoint(store);
        }
    }

    private TestingDisk filled(boolean compressed) {
        TestingDisk disk = new TestingDisk();
        StreamStore store = open(disk).create("ACC", "orders", 5);
        store.compress(compressed);
        append(store, MESSAGES);
        settle(store);
        store.close();
        return disk;
    }

    private FileStreamStore reopen(TestingDisk disk) {
        StoreDirectory directory = open(disk);
        return (FileStreamStore) directory.open(directory.list().getFirst());
    }

    private static List<Path> files(TestingDisk disk, String suffix) {
        return disk.files().stream()
                .filter(path -> path.toString().endsWith(suffix))
                .toList();
    }

    private static long bytes(TestingDisk disk) {
        return disk.files().stream()
                .filter(StoreDirectory::isSegment)
                .mapToLong(path -> disk.bytes(path).length)
                .sum();
    }

    /** Every message is right or reported as damaged, with its file; answers which are damaged. */
    private static List<Long> damaged(StreamStore store, Path file) {
        List<Long> damaged = new ArrayList<>();
        assertThat(store.state().messages()).isEqualTo(MESSAGES);
        for (long sequence = 1; sequence <= MESSAGES; sequence++) {
            try {
                assertThat(store.load(sequence).payload()).isEqualTo(payload(sequence));
            } catch (CorruptRecordException e) {
                assertThat(e.file()).isEqualTo(file.toString());
                damaged.add(sequence);
            }
        }
        return damaged;
    }

    private static boolean anyFileHas(TestingDisk disk, byte[] bytes) {
        String wanted = new String(bytes, StandardCharsets.ISO_8859_1);
        return disk.files().stream()
                .anyMatch(file -> new String(disk.bytes(file), StandardCharsets.ISO_8859_1).contains(wanted));
    }

    @Test
    void takesLessRoomAndReadsTheSame() throws IOException {
        TestingDisk plain = filled(false);
        TestingDisk disk = filled(true);
        assertThat(files(plain, ".sg2")).isEmpty();
        assertThat(files(disk, ".sg2")).hasSizeGreaterThan(2);
        assertThat(files(disk, ".seg")).as("the one that is written to").hasSize(1);
        assertThat(bytes(disk)).isLessThan(bytes(plain) / 2);
        StoreDirectory directory = open(disk);
        try (StreamStore store = directory.open(directory.list().getFirst())) {
            assertThat(damaged(store, ROOT)).isEmpty();
            assertThat(directory.usedBytes()).isEqualTo(bytes(disk));
            assertThat(directory.scrub(read -> {})).isZero();
        }
        assertThat(directory.usedBytes()).isZero();
        assertThat(metrics.damagedCount()).isZero();
    }

    @Test
    void theSettingMayChange() {
        TestingDisk disk = filled(true);
        int packed = files(disk, ".sg2").size();
        try (StreamStore store = reopen(disk)) {
            append(store, MESSAGES);
            settle(store);
            assertThat(files(disk, ".sg2")).as("what is compressed stays so").hasSize(packed);
            assertThat(files(disk, ".seg")).hasSizeGreaterThan(2);
        }
        try (FileStreamStore store = reopen(disk)) {
            store.compress(true);
            assertThat(store.dirty()).isTrue();
            settle(store);
            assertThat(files(disk, ".seg")).hasSize(1);
            store.compress(false);
            store.purge(SubjectFilter.of("s.1", "s.2", "s.3", "s.4", "s.5"), 0, 0);
            settle(store);
            for (int i = 0; i < 10; i++) {
                store.touch();
                settle(store);
            }
            assertThat(files(disk, ".sg2"))
                    .as("mostly dead ones are copied, as they are now")
                    .isEmpty();
            assertThat(store.verify()).isZero();
            for (long sequence = 1; sequence <= 2 * MESSAGES; sequence++) {
                StoredMessage message = store.load(sequence);
                assertThat(message == null ? null : message.payload())
                        .isEqualTo(sequence % 7 % 6 == 0 ? payload(sequence) : null);
            }
        }
    }

    @Test
    void mostlyDeadNeighboursBecomeOne() {
        TestingDisk disk = filled(true);
        int before = files(disk, ".sg2").size();
        try (FileStreamStore store = reopen(disk)) {
            store.compress(true);
            store.purge(SubjectFilter.of("s.1", "s.2", "s.3", "s.4", "s.5", "s.6"), 0, 0);
            settle(store);
            assertThat(files(disk, ".sg2")).hasSizeLessThan(before / 2 + 1);
            assertThat(store.verify()).isZero();
            for (long sequence = 7; sequence <= MESSAGES; sequence += 7) {
                assertThat(store.load(sequence).payload()).isEqualTo(payload(sequence));
            }
        }
    }

    @Test
    void aDamagedBlockCostsItsOwnRecordsAlone() throws IOException {
        TestingDisk disk = filled(true);
        Random random = new Random(5);
        for (Path file : files(disk, ".sg2")) {
            for (int i = 0; i < 12; i++) {
                TestingDisk hit = disk.processDeath();
                byte[] bytes = hit.bytes(file);
                int at = PackedFormat.HEADER + random.nextInt(bytes.length - PackedFormat.HEADER);
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                hit.overwrite(file, bytes);
                StoreDirectory directory = open(hit);
                try (FileStreamStore store =
                        (FileStreamStore) directory.open(directory.list().getFirst())) {
                    List<Long> lost = damaged(store, file);
                    String where = "byte " + at + " of " + bytes.length + " in " + file;
                    assertThat(lost).as(where).hasSizeLessThan(60);
                    assertThat(store.verify()).as(where).isEqualTo(lost.size());
                    long reported = metrics.damagedCount();
                    assertThat(directory.scrub(read -> {})).as(where).isEqualTo(lost.isEmpty() ? 0 : 1);
                    assertThat(metrics.damagedCount())
                            .as("also a damaged table is told")
                            .isGreaterThan(reported);
                    append(store, 1);
                }
            }
        }
    }

    @Test
    void damagedHeadersTablesAndIndexesCostNothing() {
        TestingDisk disk = filled(true);
        for (Path file : files(disk, ".sg2")) {
            int size = disk.bytes(file).length;
            for (int at : new int[] {0, 9, 30, size - 1, size - 7, size - 16, size - 20}) {
                TestingDisk hit = disk.processDeath();
                byte[] bytes = hit.bytes(file);
                bytes[at] ^= 16;
                hit.overwrite(file, bytes);
                Path index = file.resolveSibling(file.getFileName().toString().replace(".sg2", ".idx"));
                byte[] other = hit.bytes(index);
                other[40] ^= 1;
                hit.overwrite(index, other);
                long before = metrics.damagedCount();
                try (StreamStore store = reopen(hit)) {
                    assertThat(damaged(store, file))
                            .as("byte %d of %s", at, file)
                            .isEmpty();
                }
                assertThat(metrics.damagedCount()).isGreaterThanOrEqualTo(before + 2);
            }
        }
    }

    @Test
    void aFileThatIsCutServesWhatIsLeft() {
        TestingDisk disk = filled(true);
        Path file = files(disk, ".sg2").getFirst();
        byte[] whole = disk.bytes(file);
        int lostBefore = Integer.MAX_VALUE;
        for (int cut = 0; cut < whole.length; cut += whole.length / 23) {
            TestingDisk hit = disk.processDeath();
            hit.overwrite(file, Arrays.copyOf(whole, cut));
            try (FileStreamStore store = reopen(hit)) {
                List<Long> lost = damaged(store, file);
                assertThat(lost.size()).as("cut at %d", cut).isLessThanOrEqualTo(lostBefore);
                assertThat(store.verify()).isEqualTo(lost.size());
                lostBefore = lost.size();
            }
        }
        assertThat(lostBefore).isLessThan(60);
    }

    @Test
    void anErasedMessageIsInNoFileOnceItIsSettled() throws IOException {
        for (int moment = 0; moment < 5; moment++) {
            TestingDisk disk = new TestingDisk();
            FileStreamStore store = (FileStreamStore) open(disk).create("ACC", "orders", 5);
            store.compress(true);
            append(store, 10);
            append(store, SECRET);
            append(store, MESSAGES);
            switch (moment) {
                case 0 -> store.remove(11, true);
                case 1 -> {
                    // The copy has it already, and is not known yet.
                    checkpoint(store);
                    assertThat(anyFileHas(disk, SECRET)).isTrue();
                    store.remove(11, true);
                }
                case 2 -> {
                    StreamStore.Checkpoint onItsWay = store.beginCheckpoint(1, new byte[0]);
                    store.remove(11, true);
                    onItsWay.write();
                }
                default -> {
                    settle(store);
                    assertThat(anyFileHas(disk, SECRET)).isTrue();
                    store.remove(11, true);
                }
            }
            checkpoint(store);
            if (moment == 4) {
                store.close();
                disk = disk.processDeath();
                store = reopen(disk);
                assertThat(store.dirty())
                        .as("it is known that the file has still to be written anew")
                        .isTrue();
            }
            settle(store);
            assertThat(anyFileHas(disk, SECRET)).as("moment %d", moment).isFalse();
            assertThat(store.load(11)).isNull();
            assertThat(store.load(10).payload()).isEqualTo(payload(10));
            assertThat(store.load(12).payload()).isEqualTo(payload(12));
            assertThat(store.verify()).isZero();
        }
    }

    @Test
    void readersOfAFrozenStateLeaveOutWhatIsErased() throws IOException {
        TestingDisk disk = filled(true);
        try (FileStreamStore store = reopen(disk);
                FrozenMessages frozen = store.freeze()) {
            store.remove(11, true);
            store.remove(12, false);
            settle(store);
            List<Long> seen = new ArrayList<>();
            for (StoredMessage m = frozen.next(); m != null; m = frozen.next()) {
                assertThat(m.payload()).isEqualTo(payload(m.sequence()));
                seen.add(m.sequence());
            }
            assertThat(seen).hasSize(MESSAGES - 1).contains(12L).doesNotContain(11L);
            frozen.closeReader();
        }
    }

    @Test
    void aDiskThatRefusesLeavesThePlainFiles() {
        TestingDisk disk = new TestingDisk();
        StreamStore store = open(disk).create("ACC", "orders", 5);
        store.compress(true);
        append(store, MESSAGES);
        disk.failWith((operation, path) -> {
            if (path.toString().endsWith(".sg2") && operation.equals("write")) {
                throw new IOException("No space left on device");
            }
        });
        settle(store);
        assertThat(metrics.writeFailureCount()).isPositive();
        assertThat(damaged(store, ROOT)).isEmpty();
        disk.failWith((operation, path) -> {});
        append(store, 1);
        settle(store);
        assertThat(files(disk, ".sg2")).hasSizeGreaterThan(2);
        assertThat(files(disk, ".seg")).hasSize(1);
        assertThat(((FileStreamStore) store).verify()).isZero();
    }

    /** Power goes at every call to the disk while segments are compressed and the plain ones go. */
    @Test
    void oneOfTheTwoFilesIsThereWhenThePowerGoesAtAnyMoment() {
        int crash = 0;
        for (boolean whole = false; !whole; crash++) {
            TestingDisk disk = new TestingDisk();
            StreamStore store = open(disk).create("ACC", "orders", 5);
            append(store, MESSAGES);
            checkpoint(store);
            store.compress(true);
            disk.crashAfter(crash);
            try {
                settle(store);
                whole = true;
            } catch (StorageException e) {
                whole = false;
            }
            try (FileStreamStore again = reopen(disk.powerLoss(new Random(crash)))) {
                assertThat(damaged(again, ROOT))
                        .as("power gone at call %d", crash)
                        .isEmpty();
            }
        }
        assertThat(crash).isGreaterThan(20);
        assertThat(metrics.damagedCount()).isZero();
    }

    @Test
    void aCopyOfTheFilesIsTheSameStream() throws IOException {
        TestingDisk disk = filled(true);
        StoreDirectory source = open(disk);
        StreamStore store = source.open(source.list().getFirst());
        StoreTransfer.Source way = new StoreTransfer.Source() {
            @Override
            public byte[] manifest() throws IOException {
                return source.transfer().manifest();
            }

            @Override
            public InputStream open(String file) throws IOException {
                return source.transfer().open(file);
            }
        };
        TestingDisk there = new TestingDisk();
        for (int round = 0; round < 2; round++) {
            StoreDirectory target = open(there);
            target.transfer().fetch(way);
            target.transfer().install();
            target.syncDirectories();
            try (StreamStore copy = target.open(target.list().getFirst())) {
                assertThat(damaged(copy, ROOT)).isEmpty();
                assertThat(bytes(there)).isEqualTo(bytes(disk));
            }
        }
        store.close();
        assertThat(metrics.damagedCount()).isZero();
    }

    @Test
    void aStreamWithoutCompressionHasTheFormatOfBefore() {
        assertThat(Bytes.getInt(disk(false), 4)).isEqualTo(1);
        assertThat(Bytes.getInt(disk(true), 4)).isEqualTo(2);
    }

    private byte[] disk(boolean compressed) {
        TestingDisk disk = filled(compressed);
        return disk.bytes(files(disk, "/manifest").getFirst());
    }
}
