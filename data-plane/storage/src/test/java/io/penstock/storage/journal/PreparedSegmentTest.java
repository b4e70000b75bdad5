package io.penstock.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.TestingDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The file of the next segment is written beforehand. */
class PreparedSegmentTest {
    private static final Path STORE = Path.of("/store");
    private static final Path DIRECTORY = STORE.resolve("journal");
    private static final int SEGMENT = 8192;
    private static final JournalOptions OPTIONS =
            JournalOptions.DEFAULT.withSegmentBytes(SEGMENT).withPreparedSegments();
    private static final int LENGTH = 300;

    private final StorageMetrics metrics = new StorageMetrics();

    private Journal open(Disk disk) {
        return Journal.open(disk, DIRECTORY, OPTIONS, metrics);
    }

    private static JournalEntry entry(long index) {
        byte[] payload = new byte[LENGTH];
        new Random(index).nextBytes(payload);
        return new JournalEntry(index, 1, (byte) 7, index, payload, LENGTH);
    }

    private static void append(Journal journal, int count) {
        JournalGroup group = journal.group(0);
        for (int i = 0; i < count; i++) {
            group.appendAndWait(List.of(entry(group.lastIndex() + 1)));
        }
    }

    private static void assertHolds(Journal journal, long last) {
        JournalGroup group = journal.group(0);
        assertThat(group.lastIndex()).isEqualTo(last);
        JournalReader reader = group.reader();
        for (long index = 1; index <= last; index++) {
            assertThat(reader.read(index).payload()).isEqualTo(entry(index).payload());
        }
    }

    private static List<Path> prepared(TestingDisk disk) {
        return disk.files().stream()
                .filter(path -> path.toString().endsWith(".prepared"))
                .toList();
    }

    private static void await(BooleanSupplier condition) {
        long until = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within 30 s").isLessThan(until);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void takesThePreparedFileForTheNextSegment() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal, 2);
            assertThat(prepared(disk)).isEmpty();
            append(journal, 8);
            await(() -> prepared(disk).stream().anyMatch(path -> disk.bytes(path).length == SEGMENT));
            while (journal.segmentCount() == 1) {
                append(journal, 1);
            }
            Path second = DIRECTORY.resolve(Segment.name(2));
            assertThat(disk.bytes(second)).hasSize(SEGMENT);
            append(journal, 200);
            assertHolds(journal, journal.group(0).lastIndex());
        }
        assertThat(prepared(disk)).isEmpty();
        try (Journal journal = open(disk)) {
            assertHolds(journal, journal.group(0).lastIndex());
        }
    }

    @Test
    void keepsWhatWasAcknowledgedWhenPowerIsLost() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            TestingDisk disk = new TestingDisk();
            TestingDisk after;
            long acknowledged;
            try (Journal journal = open(disk)) {
                append(journal, 1 + random.nextInt(120));
                acknowledged = journal.group(0).lastIndex();
                after = disk.powerLoss(random);
            }
            try (Journal journal = open(after)) {
                assertThat(journal.group(0).lastIndex()).as("seed %d", seed).isEqualTo(acknowledged);
                append(journal, 40);
                assertHolds(journal, acknowledged + 40);
            }
        }
    }

    @Test
    void removesWhatAnEarlierLifeHasPrepared() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal, 3);
        }
        Path left = DIRECTORY.resolve(Segment.preparedName(2));
        disk.overwrite(left, new byte[100]);
        try (Journal journal = open(disk)) {
            assertThat(disk.exists(left)).isFalse();
            assertHolds(journal, 3);
        }
    }

    @Test
    void goesOnWhenNoneCanBePrepared() {
        TestingDisk disk = new TestingDisk();
        disk.failWith((operation, path) -> {
            if (operation.equals("write") && path.toString().endsWith(".prepared")) {
                throw new java.io.IOException("no");
            }
        });
        try (Journal journal = open(disk)) {
            append(journal, 200);
            assertHolds(journal, 200);
        }
        assertThat(prepared(disk)).isEmpty();
    }

    @Test
    void preparesNothingWhereSpaceIsNotUsedAgain() {
        TestingDisk disk = new TestingDisk();
        boolean[] seen = {false};
        disk.failWith((operation, path) -> seen[0] |= path.toString().endsWith(".prepared"));
        try (Journal journal = open(TestingDisk.Kind.ENCRYPTED.over(disk, STORE))) {
            append(journal, 200);
            assertHolds(journal, 200);
        }
        assertThat(seen[0]).isFalse();
    }

    @Test
    void findsWhatIsBehindZerosWhateverTheSegmentsNumber() throws Exception {
        for (long number : new long[] {1, 0x0102, 0x100, 0x10000, 0x7F00000000000000L}) {
            for (int gap = 1; gap < 40; gap++) {
                TestingDisk disk = new TestingDisk();
                ByteBuffer file = Frame.buffer(4 * Frame.HEADER + gap);
                file.position(2 * Frame.HEADER + gap);
                Frame.putHeader(
                        file,
                        number,
                        9,
                        Append.control(Frame.Kind.MARK, Frame.NO_GROUP, 0, 0, Append.EMPTY, null),
                        new java.util.zip.CRC32C());
                byte[] bytes = new byte[file.capacity()];
                file.clear().get(bytes);
                Path path = DIRECTORY.resolve("it");
                disk.createDirectories(DIRECTORY);
                disk.overwrite(path, bytes);
                SegmentScan scan = new SegmentScan(disk.openRead(path), number);
                assertThat(scan.findSyncedBeyond(0, 8))
                        .as("segment %x, gap %d", number, gap)
                        .isEqualTo(2L * Frame.HEADER + gap);
            }
        }
    }
}
