package io.penstock.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalEntry;
import io.penstock.storage.journal.JournalGroup;
import io.penstock.storage.journal.JournalOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store directory that is renamed, or replaced, under whoever writes to it. */
class AnchoredDiskTest {
    @TempDir
    private Path parent;

    private Path store;
    private AnchoredDisk disk;

    @BeforeEach
    void anchor() throws IOException {
        store = parent.resolve("store");
        disk = AnchoredDisk.at(FileDisk.INSTANCE, store);
    }

    private Journal journal(Disk on) {
        return Journal.open(on, store.resolve("journal"), JournalOptions.DEFAULT, new StorageMetrics());
    }

    private static void append(JournalGroup group, long index) {
        byte[] payload = {(byte) index};
        group.appendAndWait(List.of(new JournalEntry(index, 1, (byte) 1, index, payload, payload.length)));
    }

    @Test
    void nothingIsTakenWhileItIsGoneAndNothingAcknowledgedIsLost() throws IOException {
        Path elsewhere = parent.resolve("elsewhere");
        try (Journal journal = journal(disk)) {
            JournalGroup group = journal.group(1);
            append(group, 1);
            assertThat(disk.look()).isFalse();

            Files.move(store, elsewhere);
            assertThat(disk.look()).isTrue();
            assertThat(disk.look()).isFalse();
            assertThat(disk.problem()).contains(store.toString()).contains("gone");
            assertThatThrownBy(() -> append(group, 2))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("gone");
            assertThatThrownBy(() -> disk.open(store.resolve("new"))).isInstanceOf(IOException.class);
            assertThat(journal.failure()).isNull();

            Files.move(elsewhere, store);
            assertThat(disk.look()).isTrue();
            assertThat(disk.problem()).isNull();
            append(group, 2);
        }
        try (Journal again = journal(FileDisk.INSTANCE)) {
            assertThat(again.group(1).lastIndex()).isEqualTo(2);
        }
    }

    @Test
    void anotherDirectoryOfTheNameIsNotTheStore() throws IOException {
        Files.move(store, parent.resolve("elsewhere"));
        Files.createDirectories(store);
        assertThat(disk.look()).isTrue();
        assertThat(disk.problem()).contains("another directory");
        assertThatThrownBy(() -> disk.open(store.resolve("new"))).isInstanceOf(IOException.class);
        assertThat(store).isEmptyDirectory();
    }
}
