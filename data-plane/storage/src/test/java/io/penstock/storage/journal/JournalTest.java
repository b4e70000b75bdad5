package io.penstock.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestingDisk.Kind.class)
class JournalTest {
    private static final Path STORE = Path.of("/store");
    private static final Path DIRECTORY = STORE.resolve("journal");
    private static final JournalOptions SMALL = JournalOptions.DEFAULT.withSegmentBytes(4096);

    @Parameter
    private TestingDisk.Kind kind;

    private final StorageMetrics metrics = new StorageMetrics();

    private Journal open(TestingDisk disk) {
        return Journal.open(kind.over(disk, STORE), DIRECTORY, SMALL, metrics);
    }

    private static JournalEntry entry(long index, int length) {
        byte[] payload = new byte[length];
        new Random(index).nextBytes(payload);
        return new JournalEntry(index, 1, (byte) 7, index * 10, payload, length);
    }

    private static void append(JournalGroup group, int count, int length) {
        for (int i = 0; i < count; i++) {
            group.appendAndWait(List.of(entry(group.lastIndex() + 1, length)));
        }
    }

    private static void assertHolds(JournalGroup group, long first, long last, int length) {
        assertThat(group.firstIndex()).isEqualTo(first);
        assertThat(group.lastIndex()).isEqualTo(last);
        JournalReader reader = group.reader();
        for (long index = first; index <= last; index++) {
            JournalEntry read = reader.read(index);
            assertThat(read.payload()).isEqualTo(entry(index, length).payload());
            assertThat(read.timestampNanos()).isEqualTo(index * 10);
            assertThat(read.type()).isEqualTo((byte) 7);
        }
        assertThat(group.read(first - 1)).isNull();
        assertThat(group.read(last + 1)).isNull();
    }

    private static List<Path> segments(TestingDisk disk) {
        return disk.files().stream().filter(file -> file.startsWith(DIRECTORY)).toList();
    }

    /** Segments go after the batch was reported: a second append that is done is behind that. */
    private static void awaitRetired(Journal journal) {
        journal.group(9).saveVote(1, "n1");
        journal.group(9).saveVote(1, "n1");
    }

    @Test
    void readsBackWhatWasAppendedOverManySegments() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 100, 300);
            append(journal.group(5), 10, 20);
            assertHolds(journal.group(0), 1, 100, 300);
            assertThat(journal.segmentCount()).isGreaterThan(5);
        }
        try (Journal journal = open(disk)) {
            assertHolds(journal.group(0), 1, 100, 300);
            assertHolds(journal.group(5), 1, 10, 20);
            append(journal.group(0), 50, 300);
            assertHolds(journal.group(0), 1, 150, 300);
        }
    }

    @Test
    void takesEntriesLargerThanASegment() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 3, 3 << 20);
        }
        try (Journal journal = open(disk)) {
            assertHolds(journal.group(0), 1, 3, 3 << 20);
        }
    }

    @Test
    void letsSegmentsGoOnceEveryGroupHasPassedThem() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 100, 300);
            append(journal.group(1), 1, 300);
            append(journal.group(0), 100, 300);
            int before = journal.segmentCount();
            journal.group(0).truncatePrefix(190);
            awaitRetired(journal);
            assertThat(journal.segmentCount()).isLessThan(before);
            int heldByOther = journal.segmentCount();
            journal.group(1).truncatePrefix(2);
            awaitRetired(journal);
            assertThat(journal.segmentCount()).isLessThan(heldByOther).isLessThan(4);
            assertHolds(journal.group(0), 190, 200, 300);
        }
        try (Journal journal = open(disk)) {
            assertHolds(journal.group(0), 190, 200, 300);
            assertThat(journal.group(1).firstIndex()).isEqualTo(2);
            assertThat(journal.group(1).lastIndex()).isEqualTo(1);
            append(journal.group(0), 100, 300);
            assertHolds(journal.group(0), 190, 300, 300);
        }
        try (Journal journal = open(disk)) {
            assertHolds(journal.group(0), 190, 300, 300);
        }
    }

    @Test
    void keepsVotesOverSegmentsThatWentAway() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            journal.group(3).saveVote(7, "n2");
            append(journal.group(0), 100, 300);
            journal.group(0).truncatePrefix(100);
            awaitRetired(journal);
        }
        try (Journal journal = open(disk)) {
            assertThat(journal.group(3).voteTerm()).isEqualTo(7);
            assertThat(journal.group(3).votedFor()).isEqualTo("n2");
        }
    }

    @Test
    void cutsSuffixAndResets() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 20, 50);
            journal.group(0).truncateSuffix(10);
            assertHolds(journal.group(0), 1, 10, 50);
            append(journal.group(0), 2, 50);
            append(journal.group(1), 5, 50);
            journal.group(1).reset(1000);
            append(journal.group(1), 3, 50);
        }
        try (Journal journal = open(disk)) {
            assertHolds(journal.group(0), 1, 12, 50);
            assertHolds(journal.group(1), 1000, 1002, 50);
        }
    }

    @Test
    void refusesAnEntryThatDoesNotFollow() {
        try (Journal journal = open(new TestingDisk())) {
            append(journal.group(0), 2, 50);
            assertThatThrownBy(() -> journal.group(0).appendAndWait(List.of(entry(4, 50))))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("does not follow");
            append(journal.group(0), 2, 50);
            assertHolds(journal.group(0), 1, 4, 50);
        }
    }

    @Test
    void leavesUnknownFilesAlone() throws IOException {
        TestingDisk disk = new TestingDisk();
        open(disk).close();
        Path foreign = DIRECTORY.resolve("notes.txt");
        disk.overwrite(foreign, "mine".getBytes(StandardCharsets.UTF_8));
        try (Journal journal = open(disk)) {
            append(journal.group(0), 100, 300);
        }
        assertThat(disk.bytes(foreign)).isEqualTo("mine".getBytes(StandardCharsets.UTF_8));
        assertThat(metrics.unknownCount()).isEqualTo(1);
    }

    @Test
    void worksAgainOnceAFullDiskHasRoom() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 5, 300);
            disk.capacity(2500);
            int done = 5;
            StorageException refusal = null;
            while (refusal == null) {
                try {
                    append(journal.group(0), 1, 300);
                    done++;
                } catch (StorageException e) {
                    refusal = e;
                }
            }
            assertThat(refusal).hasMessageContaining("No space left");
            assertThat(journal.failure()).isNull();
            assertHolds(journal.group(0), 1, done, 300);
            disk.capacity(1 << 20);
            append(journal.group(0), 50, 300);
            assertHolds(journal.group(0), 1, done + 50, 300);
        }
        try (Journal journal = open(disk)) {
            assertThat(journal.group(0).lastIndex()).isGreaterThan(50);
        }
    }

    @Test
    void stopsForGoodWhenAForceFails() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 5, 300);
            disk.failWith((operation, path) -> {
                if (operation.equals("force")) {
                    throw new IOException("Input/output error");
                }
            });
            assertThatThrownBy(() -> append(journal.group(0), 1, 300)).hasMessageContaining("Input/output error");
            disk.failWith((operation, path) -> {});
            assertThatThrownBy(() -> append(journal.group(0), 1, 300)).hasMessageContaining("stopped");
            assertHolds(journal.group(0), 1, 5, 300);
        }
    }

    /** Cuts and damages the newest segment at every byte of its tail: acknowledged entries stay or the start is refused. */
    @Test
    void cutsOnlyATornTail() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 4, 100);
        }
        Path newest = segments(disk).getLast();
        byte[] whole = disk.bytes(newest);
        int header = kind == TestingDisk.Kind.PLAIN ? 0 : 64;
        int first = header + Frame.HEADER + SegmentWriter.FORMAT.length;
        for (int length = 0; length < whole.length; length++) {
            TestingDisk torn = disk.processDeath();
            torn.overwrite(newest, java.util.Arrays.copyOf(whole, length));
            if (length < first) {
                // It has these bytes before it has its name.
                assertThatThrownBy(() -> open(torn).close()).isInstanceOf(DamagedJournalException.class);
                continue;
            }
            try (Journal journal = open(torn)) {
                long kept = journal.group(0).lastIndex();
                append(journal.group(0), 2, 100);
                assertHolds(journal.group(0), 1, kept + 2, 100);
            }
        }
    }

    @Test
    void doesNotBringBackWholeFramesBehindATornOne() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 2, 100);
            journal.group(0).appendAndWait(List.of(entry(3, 100), entry(4, 100), entry(5, 100)));
            TestingDisk torn = disk.processDeath();
            Path file = segments(torn).getFirst();
            byte[] bytes = torn.bytes(file);
            // The batch of 3 to 5 was being written: 3 is torn, 4 and 5 are whole.
            int third = bytes.length - 3 * (Frame.HEADER + 100);
            java.util.Arrays.fill(bytes, third, third + 80, (byte) 0);
            torn.overwrite(file, bytes);
            try (Journal after = open(torn)) {
                assertHolds(after.group(0), 1, 2, 100);
                append(after.group(0), 1, 100);
                try (Journal again = open(torn.processDeath())) {
                    assertHolds(again.group(0), 1, 3, 100);
                }
            }
        }
    }

    @Test
    void forcesWhatItRecoversBeforeItCounts() {
        TestingDisk disk = new TestingDisk();
        JournalOptions lazy = SMALL.withSync(SyncPolicy.INTERVAL, 3_600_000_000_000L);
        Journal killed = Journal.open(kind.over(disk, STORE), DIRECTORY, lazy, metrics);
        append(killed.group(0), 8, 100);
        Journal recovered = Journal.open(kind.over(disk, STORE), DIRECTORY, lazy, metrics);
        assertHolds(recovered.group(0), 1, 8, 100);
        for (int seed = 0; seed < 10; seed++) {
            try (Journal after = open(disk.powerLoss(new Random(seed)))) {
                assertHolds(after.group(0), 1, 8, 100);
            }
        }
        recovered.close();
        killed.close();
    }

    @Test
    void whatAFullDiskRefusedDoesNotComeBack() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 2, 100);
            disk.capacity(disk.bytes(segments(disk).getFirst()).length + 200);
            assertThatThrownBy(() -> journal.group(0).appendAndWait(List.of(entry(3, 100), entry(4, 100))))
                    .hasMessageContaining("No space left");
            try (Journal after = open(disk.processDeath())) {
                assertHolds(after.group(0), 1, 2, 100);
            }
        }
    }

    @Test
    void refusesABitFlipAnywhereInWhatWasOnDisk() {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 60, 100);
        }
        List<Path> files = segments(disk);
        assertThat(files).hasSizeGreaterThan(2);
        Random random = new Random(1);
        for (Path file : files) {
            byte[] whole = disk.bytes(file);
            // The last frame is the MARK of the close itself: nothing says that it was on disk.
            int end = file.equals(files.getLast()) ? whole.length - Frame.HEADER : whole.length;
            for (int i = 0; i < 60; i++) {
                int at = i == 0 ? 0 : random.nextInt(end);
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                TestingDisk damaged = disk.processDeath();
                damaged.overwrite(file, flipped);
                assertThatThrownBy(() -> open(damaged).close())
                        .as("bit of byte %d of %s", at, file)
                        .isInstanceOf(CorruptRecordException.class)
                        .hasMessageContaining(DIRECTORY.toString());
                assertThat(damaged.bytes(file)).isEqualTo(flipped);
            }
        }
    }

    @Test
    void refusesWhenASegmentIsMissing() throws IOException {
        TestingDisk disk = new TestingDisk();
        try (Journal journal = open(disk)) {
            append(journal.group(0), 60, 100);
        }
        for (Path file : segments(disk).subList(0, segments(disk).size() - 1)) {
            TestingDisk damaged = disk.processDeath();
            damaged.delete(file);
            assertThatThrownBy(() -> open(damaged).close())
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("missing");
        }
    }

    /** Loses power after every single call to the disk, several times with other dice. */
    @Test
    void losesNothingAcknowledgedWhenThePowerGoesAtAnyMoment() {
        for (int crash = 1; ; crash++) {
            boolean crashed = false;
            for (int seed = 0; seed < 3; seed++) {
                TestingDisk disk = new TestingDisk();
                List<Long> firstAndLast = new ArrayList<>();
                crashed = workUntilCrash(disk, crash, firstAndLast);
                Random random = new Random(seed * 1000L + crash);
                TestingDisk after = disk.powerLoss(random);
                try (Journal journal = open(after)) {
                    JournalGroup group = journal.group(0);
                    assertThat(group.lastIndex())
                            .as("crash %d seed %d", crash, seed)
                            .isBetween(firstAndLast.get(1), firstAndLast.get(1) + 3);
                    assertThat(group.firstIndex()).isLessThanOrEqualTo(firstAndLast.get(0));
                    assertHolds(group, group.firstIndex(), group.lastIndex(), 200);
                    append(group, 30, 200);
                    assertHolds(group, group.firstIndex(), group.lastIndex(), 200);
                }
                try (Journal journal = open(after.powerLoss(random))) {
                    assertHolds(
                            journal.group(0),
                            journal.group(0).firstIndex(),
                            journal.group(0).lastIndex(),
                            200);
                }
            }
            if (!crashed) {
                return;
            }
        }
    }

    private boolean workUntilCrash(TestingDisk disk, int crash, List<Long> firstAndLast) {
        long first = 1;
        long last = 0;
        disk.crashAfter(crash);
        boolean crashed = false;
        try (Journal journal = open(disk)) {
            JournalGroup group = journal.group(0);
            for (int round = 0; round < 30; round++) {
                group.appendAndWait(List.of(entry(last + 1, 200), entry(last + 2, 200), entry(last + 3, 200)));
                last += 3;
                if (round % 5 == 4) {
                    first = last - 2;
                    group.truncatePrefix(first);
                }
            }
        } catch (StorageException e) {
            crashed = true;
        }
        firstAndLast.add(first);
        firstAndLast.add(last);
        return crashed;
    }
}
