package io.penstock.storage.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoreFactory.StoredStream;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoreTransferTest {
    private static final Path ROOT = Path.of("/js");
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);

    private final StorageMetrics metrics = new StorageMetrics();
    private final TestingDisk disk = new TestingDisk();
    private final StoreDirectory source = open(disk);

    private StoreDirectory open(TestingDisk on) {
        return StoreDirectory.open(on, ROOT, SMALL, metrics);
    }

    private static void append(StreamStore store, int from, int to) {
        for (int i = from; i < to; i++) {
            byte[] payload = ("value " + i).repeat(5).getBytes(StandardCharsets.UTF_8);
            store.append(i, 1_000L + i, "s." + i % 7, payload, 0, 0, 0, payload.length);
        }
    }

    private static void checkpoint(StreamStore store, long index) throws IOException {
        store.beginCheckpoint(index, new byte[] {(byte) index}).write();
    }

    /** Every message by stream and sequence. */
    private static Map<String, String> content(StoreDirectory directory) {
        Map<String, String> all = new TreeMap<>();
        for (StoredStream stream : directory.list()) {
            StreamStore store = directory.open(stream);
            all.put(stream.stream(), "index " + stream.checkpointIndex() + " of " + store.state());
            for (StoredMessage m = store.next(SubjectFilter.ALL, 1);
                    m != null;
                    m = store.next(SubjectFilter.ALL, m.sequence() + 1)) {
                all.put(stream.stream() + "/" + m.sequence(), m.subject() + new String(m.payload(), UTF_8));
            }
            store.close();
        }
        return all;
    }

    /** The source as another node sees it, counting what it asks for. */
    private class Way implements StoreTransfer.Source {
        final List<String> opened = new ArrayList<>();

        @Override
        public byte[] manifest() throws IOException {
            return source.transfer().manifest();
        }

        @Override
        public InputStream open(String file) throws IOException {
            opened.add(file);
            return source.transfer().open(file);
        }
    }

    private StreamStore fill() throws IOException {
        StreamStore store = source.create("acc 1", "A", 5);
        append(store, 1, 300);
        store.remove(17, false);
        checkpoint(store, 300);
        StreamStore other = source.create("acc 1", "B.with%odd", 9);
        append(other, 1, 20);
        checkpoint(other, 310);
        source.syncDirectories();
        return store;
    }

    @Test
    void theCopyIsWhatTheCheckpointsHold() throws IOException {
        StreamStore store = fill();
        append(store, 300, 400);
        TestingDisk there = new TestingDisk();
        StoreDirectory target = open(there);
        target.transfer().fetch(new Way());
        target.transfer().install();
        Map<String, String> copied = content(open(there.powerLoss(new Random(1))));
        assertThat(copied).isEqualTo(content(open(disk.processDeath())));
        assertThat(copied).containsKey("A/299").doesNotContainKey("A/300");
    }

    @Test
    void whatIsThereAlreadyIsNotSentAgain() throws IOException {
        StreamStore store = fill();
        TestingDisk there = new TestingDisk();
        StoreDirectory target = open(there);
        target.transfer().fetch(new Way());
        target.transfer().install();
        append(store, 300, 330);
        checkpoint(store, 330);
        Way second = new Way();
        target.transfer().fetch(second);
        target.transfer().install();
        List<String> sent =
                second.opened.stream().filter(f -> f.endsWith(".seg")).toList();
        assertThat(sent).hasSizeBetween(1, 4);
        assertThat(content(open(there.powerLoss(new Random(2))))).isEqualTo(content(open(disk.processDeath())));
    }

    @Test
    void aSegmentThatDiffersIsSentAgain() throws IOException {
        fill();
        TestingDisk there = new TestingDisk();
        StoreDirectory target = open(there);
        target.transfer().fetch(new Way());
        target.transfer().install();
        Path segment = there.files().stream()
                .filter(p -> p.toString().endsWith("000000000001.seg"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = there.bytes(segment);
        bytes[200] ^= 1;
        there.overwrite(segment, bytes);
        target.transfer().fetch(new Way());
        target.transfer().install();
        assertThat(content(open(there.processDeath()))).isEqualTo(content(open(disk.processDeath())));
    }

    @Test
    void aFileThatGoesMeanwhileLeadsToTheNextManifest() throws IOException {
        StreamStore store = fill();
        TestingDisk there = new TestingDisk();
        StoreDirectory target = open(there);
        Way way = new Way() {
            private boolean purged;

            @Override
            public InputStream open(String file) throws IOException {
                if (!purged && file.endsWith(".seg")) {
                    purged = true;
                    store.purge(SubjectFilter.ALL, 280, 0);
                    checkpoint(store, 400);
                    checkpoint(store, 401);
                }
                return super.open(file);
            }
        };
        target.transfer().fetch(way);
        target.transfer().install();
        assertThat(content(open(there.processDeath()))).isEqualTo(content(open(disk.processDeath())));
    }

    @Test
    void whatTheCopyDoesNotHaveGoesIntoQuarantine() throws IOException {
        fill();
        TestingDisk there = new TestingDisk();
        StoreDirectory target = open(there);
        StreamStore mine = target.create("acc 2", "mine", 3);
        append(mine, 1, 5);
        checkpoint(mine, 3);
        mine.close();
        target.transfer().fetch(new Way());
        target.transfer().install();
        assertThat(content(open(there.processDeath()))).isEqualTo(content(open(disk.processDeath())));
        assertThat(there.files()).anyMatch(p -> p.toString().contains(".quarantine/acc%202.mine."));
    }

    @Test
    void powerMayGoAtAnyMomentOfTheInstallation() throws IOException {
        fill();
        Map<String, String> wanted = content(open(disk.processDeath()));
        for (int calls = 0; ; calls++) {
            TestingDisk there = new TestingDisk();
            StoreDirectory target = open(there);
            StreamStore old = target.create("acc 1", "A", 5);
            append(old, 1, 50);
            checkpoint(old, 50);
            target.syncDirectories();
            old.close();
            Map<String, String> before = content(open(there.processDeath()));
            target.transfer().fetch(new Way());
            there.crashAfter(calls);
            boolean done = false;
            try {
                target.transfer().install();
                done = true;
            } catch (IOException | StorageException e) {
                // The power went.
            }
            Map<String, String> after = content(open(there.powerLoss(new Random(calls))));
            assertThat(after).as("power lost after " + calls + " calls").isIn(before, wanted);
            if (done) {
                assertThat(after).isEqualTo(wanted);
                return;
            }
        }
    }

    @Test
    void nothingButFilesOfStreamsIsHandedOut() {
        assertThatThrownBy(() -> source.transfer().open("../secret.seg")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> source.transfer().open("acc/streams/A/manifest"))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> source.transfer().open("acc/streams/A/000000000001.seg"))
                .isInstanceOf(NoSuchFileException.class);
    }
}
