package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncryptedStoreTest {
    private static final Path ROOT = Path.of("/store/jetstream");
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);
    private static final int MESSAGES = 200;

    private final StorageMetrics metrics = new StorageMetrics();

    private StoreDirectory open(TestingDisk disk) {
        return StoreDirectory.open(TestingDisk.Kind.ENCRYPTED.over(disk, ROOT), ROOT, SMALL, metrics);
    }

    private static String payload(long sequence) {
        return ("message " + sequence + " ").repeat(8);
    }

    private static void append(StreamStore store, int count) {
        for (int i = 0; i < count; i++) {
            long sequence = store.state().lastSequence() + 1;
            byte[] bytes = payload(sequence).getBytes(StandardCharsets.US_ASCII);
            store.append(sequence, sequence * 10, "secret." + sequence % 7, bytes, 0, 0, 0, bytes.length);
        }
    }

    private TestingDisk filled() throws IOException {
        TestingDisk disk = new TestingDisk();
        StreamStore store = open(disk).create("ACC", "orders", 5);
        append(store, MESSAGES);
        store.beginCheckpoint(1, new byte[0]).write();
        store.beginCheckpoint(2, new byte[0]).write();
        store.close();
        return disk;
    }

    private StreamStore reopen(TestingDisk disk) {
        StoreDirectory directory = open(disk);
        return directory.open(directory.list().getFirst());
    }

    private static List<Path> files(TestingDisk disk, String suffix) {
        return disk.files().stream()
                .filter(path -> path.toString().endsWith(suffix))
                .toList();
    }

    private static int damaged(StreamStore store, Path file) {
        int damaged = 0;
        for (long sequence = 1; sequence <= MESSAGES; sequence++) {
            try {
                assertThat(new String(store.load(sequence).payload(), StandardCharsets.US_ASCII))
                        .isEqualTo(payload(sequence));
            } catch (CorruptRecordException e) {
                assertThat(e.file()).isEqualTo(file.toString());
                damaged++;
            }
        }
        return damaged;
    }

    @Test
    void noFileTellsPayloadsSubjectsOrTheNamesInManifests() throws IOException {
        TestingDisk disk = filled();
        assertThat(disk.files()).hasSizeGreaterThan(6);
        for (Path file : disk.files()) {
            assertThat(new String(disk.bytes(file), StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain("message", "secret.", "orders");
        }
    }

    @Test
    void aSegmentWhoseHeaderIsDamagedIsReportedAndTheRestIsServed() throws IOException {
        TestingDisk disk = filled();
        List<Path> segments = files(disk, ".seg");
        assertThat(segments).hasSizeGreaterThan(3);
        int all = 0;
        for (Path file : segments) {
            TestingDisk hit = disk.processDeath();
            byte[] bytes = hit.bytes(file);
            hit.overwrite(file, Arrays.copyOfRange(bytes, 1, bytes.length));
            try (StreamStore store = reopen(hit)) {
                int lost = damaged(store, file);
                assertThat(lost).isPositive().isLessThan(MESSAGES);
                all += lost;
                append(store, 5);
                assertThat(store.state().lastSequence()).isEqualTo(MESSAGES + 5);
            }
        }
        assertThat(all).isEqualTo(MESSAGES);
    }

    @Test
    void anIndexOrAManifestWhoseHeaderIsDamagedCostsNothing() throws IOException {
        TestingDisk disk = filled();
        for (Path file : disk.files()) {
            if (file.toString().endsWith(".seg") || file.getParent().equals(ROOT)) {
                continue;
            }
            TestingDisk hit = disk.processDeath();
            byte[] bytes = hit.bytes(file);
            bytes[20] ^= 4;
            hit.overwrite(file, bytes);
            try (StreamStore store = reopen(hit)) {
                assertThat(damaged(store, file)).as(file.toString()).isZero();
            }
        }
    }
}
