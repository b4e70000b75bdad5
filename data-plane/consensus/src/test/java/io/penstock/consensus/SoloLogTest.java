package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.journal.SyncPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SoloLogTest {
    private static final Path DIRECTORY = Path.of("/store/journal");
    private static final JournalOptions SMALL = JournalOptions.DEFAULT.withSegmentBytes(4096);

    private final ThreadedGroupLoop loop = new ThreadedGroupLoop("loop", Clock.systemUTC());
    private Journal journal;
    private SoloLog log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        loop.close();
        if (journal != null) {
            journal.close();
        }
    }

    /** Keeps what it hears; read on the loop. */
    private static final class Machine implements ReplicatedLog.StateMachine {
        private final List<Long> values = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();
        private final List<Object> answered = new ArrayList<>();
        private final List<Object> failed = new ArrayList<>();
        private final List<ReplicatedLog.Role> roles = new ArrayList<>();
        private long lastIndex;
        private int runs;

        @Override
        public void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment) {
            lastIndex = index;
            values.add(ByteBuffer.wrap(entry, 0, length).getLong());
            times.add(timestampNanos);
            if (attachment != null) {
                answered.add(attachment);
            }
        }

        @Override
        public void applied(long index) {
            runs++;
        }

        @Override
        public void failed(Object attachment, Throwable cause) {
            failed.add(attachment);
        }

        @Override
        public void roleChanged(ReplicatedLog.Role role, String leader, long term) {
            roles.add(role);
        }
    }

    private <T> T onLoop(java.util.concurrent.Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitOnLoop(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!onLoop(condition::getAsBoolean)) {
            assertThat(System.nanoTime()).as("time is up").isLessThan(deadline);
        }
    }

    private Machine start(TestingDisk disk, JournalOptions options, long applied, long floor) {
        journal = Journal.open(disk, DIRECTORY, options, new StorageMetrics());
        Machine machine = new Machine();
        log = new SoloLog(journal.group(0), loop, "n1", floor);
        onLoop(() -> {
            log.start(machine, applied);
            return null;
        });
        return machine;
    }

    private void stop() {
        log.close();
        journal.close();
        log = null;
        journal = null;
    }

    private void propose(long value, long time) {
        byte[] entry = new byte[200];
        ByteBuffer.wrap(entry).putLong(value);
        log.propose(time, entry, entry.length, value);
    }

    private static List<Long> upTo(long last) {
        List<Long> values = new ArrayList<>();
        for (long value = 1; value <= last; value++) {
            values.add(value);
        }
        return values;
    }

    @Test
    void appliesInOrderWithAttachmentsAndInRuns() {
        Machine machine = start(new TestingDisk(), SMALL, 0, 0);
        onLoop(() -> {
            for (long value = 1; value <= 500; value++) {
                propose(value, 7);
            }
            assertThat(log.pendingBytes()).isPositive();
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 500);
        assertThat(machine.values).isEqualTo(upTo(500));
        assertThat(machine.answered).hasSize(500);
        assertThat(machine.roles).containsExactly(ReplicatedLog.Role.LEADER);
        assertThat(machine.runs).isLessThan(100);
        assertThat(log.pendingBytes()).isZero();
        // The clock stood still, but times rise strictly.
        assertThat(machine.times).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void appliesAgainWhatIsBehindTheCheckpoint() {
        TestingDisk disk = new TestingDisk();
        Machine machine = start(disk, SMALL, 0, 0);
        onLoop(() -> {
            for (long value = 1; value <= 200; value++) {
                propose(value, value);
            }
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 200);
        onLoop(() -> {
            log.checkpointed(150);
            return null;
        });
        stop();
        Machine again = start(disk, SMALL, 150, 150);
        assertThat(again.values).isEqualTo(upTo(200).subList(150, 200));
        assertThat(again.answered).isEmpty();
        onLoop(() -> {
            propose(201, 5);
            return null;
        });
        awaitOnLoop(() -> again.values.size() == 51);
        assertThat(again.lastIndex).isEqualTo(201);
        assertThat(again.times).isSorted().doesNotHaveDuplicates();
        assertThat(log.term()).isGreaterThan(1);
    }

    @Test
    void goesOnAboveTheCheckpointsWhenTheJournalIsGone() {
        Machine machine = start(new TestingDisk(), SMALL, 10, 40);
        onLoop(() -> {
            propose(1, 1);
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 1);
        assertThat(machine.lastIndex).isEqualTo(41);
    }

    @Test
    void failsWhatIsPendingWhenTheDiskIsFullAndLeadsAgainOnceThereIsRoom() {
        TestingDisk disk = new TestingDisk();
        Machine machine = start(disk, SMALL, 0, 0);
        disk.capacity(3000);
        onLoop(() -> {
            for (long value = 1; value <= 100; value++) {
                propose(value, value);
            }
            return null;
        });
        awaitOnLoop(() -> machine.answered.size() + machine.failed.size() == 100);
        assertThat(machine.failed).isNotEmpty();
        assertThat(log.role()).isEqualTo(ReplicatedLog.Role.CANDIDATE);
        int kept = machine.values.size();
        onLoop(() -> {
            propose(1000, 1);
            return null;
        });
        awaitOnLoop(() -> machine.failed.contains(1000L));
        disk.capacity(1 << 20);
        awaitOnLoop(() -> log.role() == ReplicatedLog.Role.LEADER);
        onLoop(() -> {
            propose(2000, 1);
            return null;
        });
        awaitOnLoop(() -> machine.values.contains(2000L));
        stop();
        Machine again = start(disk, SMALL, 0, 0);
        assertThat(again.values).hasSize(kept + 1).doesNotContain(1000L).isEqualTo(machine.values);
    }

    @Test
    void stopsWhenAForceFails() {
        TestingDisk disk = new TestingDisk();
        Machine machine = start(disk, SMALL, 0, 0);
        onLoop(() -> {
            propose(1, 1);
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 1);
        disk.failWith((operation, path) -> {
            if (operation.equals("force")) {
                throw new IOException("Input/output error");
            }
        });
        onLoop(() -> {
            propose(2, 2);
            return null;
        });
        awaitOnLoop(() -> log.role() == ReplicatedLog.Role.STOPPED);
        assertThat(machine.failed).containsExactly(2L);
        assertThat(machine.values).containsExactly(1L);
    }

    @Test
    void stopsWhenTheStateMachineThrows() {
        Machine machine = start(new TestingDisk(), SMALL, 0, 0);
        onLoop(() -> {
            log.propose(1, new byte[3], 3, "short");
            return null;
        });
        awaitOnLoop(() -> log.role() == ReplicatedLog.Role.STOPPED);
        assertThat(machine.values).isEmpty();
    }

    @Test
    void refusesToStartOnADamagedEntry() {
        TestingDisk disk = new TestingDisk();
        Machine machine = start(disk, SMALL, 0, 0);
        onLoop(() -> {
            for (long value = 1; value <= 100; value++) {
                propose(value, value);
            }
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 100);
        stop();
        Path oldest = disk.files().getFirst();
        byte[] bytes = disk.bytes(oldest);
        bytes[1000] ^= 4;
        disk.overwrite(oldest, bytes);
        assertThatThrownBy(() -> start(disk, SMALL, 0, 0))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(oldest.toString());
    }

    @Test
    void answersAsyncEntriesWithoutForcing() {
        TestingDisk disk = new TestingDisk();
        Machine machine = start(disk, SMALL.withSync(SyncPolicy.ALWAYS, 120_000_000_000L), 0, 0);
        onLoop(() -> {
            propose(1, 1);
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 1);
        long forces = journal.forces();
        onLoop(() -> {
            byte[] entry = new byte[8];
            log.propose(2, entry, 8, "async", true);
            return null;
        });
        awaitOnLoop(() -> machine.values.size() == 2);
        assertThat(journal.forces()).isEqualTo(forces);
        log.force();
        assertThat(journal.forces()).isEqualTo(forces + 1);
    }
}
