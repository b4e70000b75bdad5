package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrozenMessagesTest {
    @TempDir
    private Path directory;

    private static void put(StreamStore store, long sequence) {
        byte[] body = ("message " + sequence + "x".repeat(200)).getBytes(StandardCharsets.UTF_8);
        store.append(sequence, sequence * 1000, "s." + sequence % 3, body, 0, 0, 0, body.length);
    }

    private static List<Long> rest(FrozenMessages frozen) throws IOException {
        List<Long> sequences = new ArrayList<>();
        for (StoredMessage m = frozen.next(); m != null; m = frozen.next()) {
            assertThat(new String(m.payload(), StandardCharsets.UTF_8)).startsWith("message " + m.sequence());
            assertThat(m.subject()).isEqualTo("s." + m.sequence() % 3);
            sequences.add(m.sequence());
        }
        return sequences;
    }

    private static void change(StreamStore store) throws IOException {
        store.remove(40, false);
        store.purge(SubjectFilter.of("s.1"), 0, 0);
        store.beginCheckpoint(2, new byte[0]).write();
        for (long s = 101; s <= 200; s++) {
            put(store, s);
        }
        store.purge(SubjectFilter.ALL, 0, 0);
        store.beginCheckpoint(3, new byte[0]).write();
        store.beginCheckpoint(4, new byte[0]).write();
    }

    private static void showsWhatWasHeld(StreamStore store) throws IOException {
        List<Long> expected = new ArrayList<>();
        for (long s = 1; s <= 100; s++) {
            put(store, s);
            expected.add(s);
        }
        store.remove(7, false);
        expected.remove(7L);
        try (FrozenMessages frozen = store.freeze()) {
            assertThat(frozen.next().sequence()).isEqualTo(1);
            change(store);
            List<Long> seen = rest(frozen);
            seen.addFirst(1L);
            assertThat(seen).isEqualTo(expected);
            assertThat(frozen.state().messages()).isEqualTo(99);
        }
        assertThat(store.state().messages()).isZero();
    }

    @Test
    void showsWhatWasHeldWhileSegmentsAreDroppedAndCompacted() throws IOException {
        StoreOptions small = StoreOptions.DEFAULT.withSegmentBytes(4096);
        try (StoreDirectory stores = StoreDirectory.open(FileDisk.INSTANCE, directory, small, new StorageMetrics())) {
            StreamStore store = stores.create("A", "S", 1);
            showsWhatWasHeld(store);
            store.beginCheckpoint(5, new byte[0]).write();
            store.beginCheckpoint(6, new byte[0]).write();
            try (var files = java.nio.file.Files.walk(directory)) {
                assertThat(files.filter(f -> f.toString().endsWith(".seg")))
                        .as("what was kept for the reader goes afterwards")
                        .isEmpty();
            }
        }
    }

    @Test
    void showsWhatWasHeldInMemory() throws IOException {
        showsWhatWasHeld(new MemoryStreamStore());
    }

    @Test
    void leavesOutWhatWasErased() throws IOException {
        try (StoreDirectory stores =
                StoreDirectory.open(FileDisk.INSTANCE, directory, StoreOptions.DEFAULT, new StorageMetrics())) {
            StreamStore store = stores.create("A", "S", 1);
            put(store, 1);
            put(store, 2);
            try (FrozenMessages frozen = store.freeze()) {
                store.remove(1, true);
                assertThat(rest(frozen)).containsExactly(2L);
            }
        }
    }
}
