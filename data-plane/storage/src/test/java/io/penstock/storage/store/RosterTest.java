package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoreFactory.StoredStream;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A directory of streams knows which it should have. */
class RosterTest {
    private static final Path ROOT = Path.of("/store/jetstream");

    private final StorageMetrics metrics = new StorageMetrics();

    private StoreDirectory open(TestingDisk disk) {
        return StoreDirectory.open(disk, ROOT, StoreOptions.DEFAULT, metrics);
    }

    private static StreamStore create(StoreDirectory directory, String name, long incarnation) throws IOException {
        StreamStore store = directory.create("A", name, incarnation);
        store.beginCheckpoint(incarnation, new byte[0]).write();
        return store;
    }

    private TestingDisk filled() throws IOException {
        TestingDisk disk = new TestingDisk();
        StoreDirectory directory = open(disk);
        create(directory, "one", 1);
        create(directory, "two", 2);
        directory.create("A", "without", 3);
        directory.syncDirectories();
        return disk;
    }

    private static void remove(TestingDisk disk, String folder) throws IOException {
        Path path = ROOT.resolve("A/streams").resolve(folder);
        for (Path file : disk.files()) {
            if (file.startsWith(path)) {
                disk.delete(file);
            }
        }
        disk.delete(path);
    }

    @Test
    void aFolderThatIsGoneIsMissed() throws IOException {
        TestingDisk disk = filled().powerLoss(new Random(1));
        remove(disk, "two.0000000000000002");

        StoreDirectory directory = open(disk);
        assertThat(directory.list())
                .filteredOn(StoredStream::damaged)
                .singleElement()
                .satisfies(missed -> {
                    assertThat(missed.account()).isEqualTo("A");
                    assertThat(missed.stream()).isEqualTo("two");
                    assertThat(missed.incarnation()).isEqualTo(2);
                    assertThat(missed.damage()).contains("two.0000000000000002").contains("gone");
                });
        assertThat(directory.list())
                .filteredOn(found -> !found.damaged())
                .extracting(StoredStream::stream)
                .containsExactly("one");

        directory.forget(2);
        assertThat(directory.list()).hasSize(1);
        directory.syncDirectories();
        assertThat(open(disk.processDeath()).list()).hasSize(1);
    }

    @Test
    void whatWasDeletedOrNeverHadACheckpointIsNotMissed() throws IOException {
        TestingDisk disk = filled().processDeath();
        remove(disk, "without.0000000000000003");
        StoreDirectory directory = open(disk);
        for (StoredStream stored : directory.list()) {
            if (stored.stream().equals("two")) {
                directory.open(stored).delete();
            }
        }
        // The process dies before the list is written anew.
        StoreDirectory next = open(disk.processDeath());
        assertThat(next.list()).extracting(StoredStream::stream).containsExactly("one");
    }

    @Test
    void aDamagedListSaysNothingAndIsWrittenAnew() throws IOException {
        TestingDisk disk = filled().processDeath();
        disk.overwrite(ROOT.resolve(Roster.NAME), new byte[] {1, 2, 3});
        StoreDirectory directory = open(disk);
        assertThat(directory.list()).hasSize(2).noneMatch(StoredStream::damaged);
        directory.list().forEach(directory::open);
        directory.syncDirectories();
        TestingDisk later = disk.processDeath();
        remove(later, "one.0000000000000001");
        assertThat(open(later).list()).filteredOn(StoredStream::damaged).hasSize(1);
    }
}
