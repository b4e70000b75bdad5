package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Journal, solo log, file stores and checkpointer together, on a disk that loses its power. */
class CheckpointerTest {
    private static final int STREAMS = 3;
    private static final StoreOptions SMALL_STORES = new StoreOptions(4096, 300, 600, 3000, 4, 6);

    private final StorageMetrics metrics = new StorageMetrics();

    /** A node with some streams, each entry a message to one of them. */
    private final class Node implements AutoCloseable, ReplicatedLog.StateMachine {
        private final ThreadedGroupLoop loop = new ThreadedGroupLoop("loop", Clock.systemUTC());
        private final Journal journal;
        private final StoreDirectory directory;
        private final SoloLog log;
        private final Checkpointer checkpointer;
        private final Map<Integer, Part> parts = new TreeMap<>();

        /** Read on the loop. */
        private long answered;

        private boolean dead;

        Node(TestingDisk disk) {
            journal = Journal.open(
                    disk, Path.of("/store/journal"), JournalOptions.DEFAULT.withSegmentBytes(8192), metrics);
            directory = StoreDirectory.open(disk, Path.of("/store/jetstream"), SMALL_STORES, metrics);
            long most = 0;
            for (StoreFactory.StoredStream stream : directory.list()) {
                Part part = new Part(stream.stream(), directory.open(stream));
                parts.put(Integer.parseInt(stream.stream()), part);
                most = Math.max(most, stream.checkpointIndex());
            }
            log = new SoloLog(journal.group(0), loop, "n1", most);
            checkpointer = new Checkpointer(
                    loop, log, journal::writtenBytes, directory, new CheckpointPolicy(20_000, 3_600_000_000_000L));
            onLoop(() -> {
                parts.values().forEach(checkpointer::add);
                // From the log's beginning: a stream made during the last round has no checkpoint yet.
                log.start(this, 0);
                return null;
            });
        }

        <T> T onLoop(Callable<T> call) {
            CompletableFuture<T> result = new CompletableFuture<>();
            loop.execute(() -> {
                try {
                    result.complete(call.call());
                } catch (Exception e) {
                    result.completeExceptionally(e);
                }
            });
            return result.orTimeout(60, TimeUnit.SECONDS).join();
        }

        void await(BooleanSupplier condition) {
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (!onLoop(condition::getAsBoolean)) {
                assertThat(System.nanoTime()).as("time is up").isLessThan(deadline);
            }
        }

        @Override
        public void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment) {
            int stream = entry[0];
            Part part = parts.computeIfAbsent(stream, number -> {
                Part created =
                        new Part(Integer.toString(number), directory.create("acc", Integer.toString(number), index));
                checkpointer.add(created);
                return created;
            });
            if (index > part.store.checkpointIndex() || part.applied > 0) {
                part.store.append(index, timestampNanos, "s." + stream, entry, 0, 0, 0, length);
                part.applied++;
                if (index % 3 == 0) {
                    part.store.remove(index - STREAMS, false);
                }
            }
        }

        @Override
        public void applied(long index) {
            answered = index;
        }

        @Override
        public void failed(Object attachment, Throwable cause) {
            dead = true;
        }

        @Override
        public void roleChanged(ReplicatedLog.Role role, String leader, long term) {
            dead |= role == ReplicatedLog.Role.STOPPED;
        }

        @Override
        public void close() {
            checkpointer.close();
            log.close();
            loop.close();
            journal.close();
            directory.close();
        }
    }

    private static final class Part implements Checkpointed {
        private final String name;
        private final StreamStore store;
        private long applied;

        Part(String name, StreamStore store) {
            this.name = name;
            this.store = store;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean dirty() {
            return store.dirty();
        }

        @Override
        public StreamStore.Checkpoint begin(long appliedIndex) {
            return store.beginCheckpoint(appliedIndex, new byte[0]);
        }

        @Override
        public long checkpointIndex() {
            return store.checkpointIndex();
        }
    }

    private static byte[] entry(long index) {
        byte[] bytes = new byte[150];
        new Random(index).nextBytes(bytes);
        bytes[0] = (byte) (index % STREAMS);
        return bytes;
    }

    private static void assertWhole(Node node, long last) {
        node.onLoop(() -> {
            List<Long> found = new ArrayList<>();
            for (Part part : node.parts.values()) {
                for (var m = part.store.next(SubjectFilter.ALL, 0);
                        m != null;
                        m = part.store.next(SubjectFilter.ALL, m.sequence() + 1)) {
                    assertThat(m.payload()).isEqualTo(entry(m.sequence()));
                    found.add(m.sequence());
                }
            }
            List<Long> expected = new ArrayList<>();
            for (long index = 1; index <= last; index++) {
                boolean removed = index % 3 == 0 && index + STREAMS <= last;
                if (!removed) {
                    expected.add(index);
                }
            }
            assertThat(found.stream().sorted().toList()).isEqualTo(expected);
            return null;
        });
    }

    @Test
    void letsTheJournalGoAndStartsAgainFromCheckpoints() {
        TestingDisk disk = new TestingDisk();
        try (Node node = new Node(disk)) {
            propose(node, 1, 1000);
            node.await(() -> node.answered == 1000);
            assertThat(node.checkpointer.round().orTimeout(60, TimeUnit.SECONDS).join())
                    .isTrue();
            propose(node, 1001, 1);
            node.await(() -> node.answered == 1001);
            // Segments go only after those were told who waited for what was written with it.
            node.await(() -> node.journal.bytes() < 100_000);
            assertThat(node.journal.group(0).firstIndex()).isGreaterThan(900);
        }
        try (Node node = new Node(disk)) {
            assertWhole(node, 1001);
        }
    }

    private static void propose(Node node, long from, int count) {
        node.onLoop(() -> {
            for (long index = from; index < from + count; index++) {
                byte[] bytes = ByteBuffer.wrap(entry(index)).array();
                node.log.propose(node.loop.now(), bytes, bytes.length, index);
            }
            return null;
        });
    }

    @Test
    void losesNothingAnsweredWhenThePowerGoes() {
        long replays = 0;
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            TestingDisk disk = new TestingDisk();
            long answered;
            try (Node node = new Node(disk)) {
                disk.crashAfter(20 + random.nextInt(800));
                long next = 1;
                while (!node.onLoop(() -> node.dead) && next < 3000) {
                    propose(node, next, 10);
                    next += 10;
                    if (random.nextInt(20) == 0) {
                        node.checkpointer.round().join();
                    }
                    long sent = next - 1;
                    node.await(() -> node.answered == sent || node.dead);
                }
                answered = node.onLoop(() -> node.answered);
            }
            try (Node node = new Node(disk.powerLoss(random))) {
                long applied = node.onLoop(node.log::appliedIndex);
                assertThat(applied).as("seed %d", seed).isBetween(answered, answered + 10);
                assertWhole(node, applied);
                replays += applied > node.journal.group(0).firstIndex() ? 1 : 0;
            }
        }
        assertThat(replays).isPositive();
        assertThat(metrics.damagedCount()).isZero();
    }
}
