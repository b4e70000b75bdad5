package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.jetstream.Scrubber.Pauses;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class ScrubberTest {
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);
    private static final long DAY = 86_400_000_000_000L;

    private final TestingDisk disk = new TestingDisk();
    private final StorageMetrics metrics = new StorageMetrics();
    private final StoreDirectory directory = StoreDirectory.open(disk, Path.of("/js"), SMALL, metrics);
    private final Passing time = new Passing();
    private final Scrubber scrubber =
            new Scrubber(() -> List.of(directory), time, () -> Instant.ofEpochSecond(0, time.nanos));

    /** Time passes as it is waited for; the scrubber is closed at some point of it. */
    private final class Passing implements Pauses {
        private long nanos;
        private long end;
        private LongConsumer each = now -> {};

        @Override
        public void rest(long wanted) {
            nanos += wanted;
            each.accept(nanos);
            if (nanos > end) {
                scrubber.close();
            }
        }

        @Override
        public void end() {
            // Nobody waits.
        }
    }

    private void fill() throws Exception {
        StreamStore store = directory.create("A", "S", 7);
        for (int i = 1; i <= 200; i++) {
            byte[] payload = ("payload " + i).getBytes(StandardCharsets.US_ASCII);
            store.append(i, i, "s." + i % 5, payload, 0, 0, 0, payload.length);
        }
        store.beginCheckpoint(200, new byte[0]).write();
        directory.syncDirectories();
    }

    @Test
    void readsEverythingAfterTenMinutesAndThenOnceADay() throws Exception {
        fill();
        time.end = 3 * DAY + DAY / 2;
        scrubber.run();

        StorageFigures.Scrub figures = scrubber.figures();
        assertThat(figures.runs()).isEqualTo(4);
        assertThat(figures.damaged()).isZero();
        assertThat(figures.bytes()).isGreaterThan(4 * 200 * 30);
        assertThat(figures.endedSeconds()).isBetween(3 * DAY / 1_000_000_000, 3 * DAY / 1_000_000_000 + 700);
    }

    @Test
    void findsAFlippedBitInASealedSegmentOnTheNextDay() throws Exception {
        fill();
        Path sealed = disk.files().stream()
                .filter(file -> file.toString().endsWith(".seg"))
                .sorted()
                .findFirst()
                .orElseThrow();
        boolean[] flipped = new boolean[1];
        time.each = now -> {
            if (scrubber.figures().runs() == 1 && !flipped[0]) {
                flipped[0] = true;
                byte[] bytes = disk.bytes(sealed);
                bytes[bytes.length / 2] ^= 4;
                disk.overwrite(sealed, bytes);
            }
        };
        time.end = DAY / 2 + DAY;
        scrubber.run();

        assertThat(flipped).containsExactly(true);
        assertThat(scrubber.figures().runs()).isEqualTo(2);
        assertThat(scrubber.figures().damaged()).isEqualTo(1);
        assertThat(metrics.damagedCount()).isEqualTo(1);
    }

    @Test
    void restsBetweenReadsSoThatOthersHaveTheDiskToo() throws Exception {
        fill();
        time.end = DAY / 2;
        scrubber.run();

        long read = scrubber.figures().bytes();
        assertThat(time.nanos - Scrubber.FIRST_NANOS - Scrubber.PAUSE_NANOS)
                .isBetween(read * 1_000_000_000 / Scrubber.PACE - 1000, read * 1_000_000_000 / Scrubber.PACE);
    }
}
