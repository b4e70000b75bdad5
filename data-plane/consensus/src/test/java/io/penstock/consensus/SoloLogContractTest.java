package io.penstock.consensus;

import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

class SoloLogContractTest extends ReplicatedLogContract {
    @Override
    LogRig open() {
        return new SoloRig();
    }

    private static final class SoloRig implements LogRig {
        private final ThreadedGroupLoop loop = new ThreadedGroupLoop("loop", Clock.systemUTC());
        private final TestingMachine.Saved saved = new TestingMachine.Saved();
        private TestingDisk disk = new TestingDisk();
        private Journal journal;
        private volatile SoloLog log;
        private final Set<Long> repeated = new HashSet<>();
        private TestingMachine machine;

        SoloRig() {
            revive("solo");
        }

        @Override
        public Set<Long> repeated() {
            return repeated;
        }

        @Override
        public List<String> nodes() {
            return List.of("solo");
        }

        @Override
        public ReplicatedLog log(String node) {
            return log;
        }

        @Override
        public TestingMachine machine(String node) {
            return machine;
        }

        @Override
        public void on(String node, Runnable task) {
            CompletableFuture.runAsync(task, loop).join();
        }

        @Override
        public void until(String what, BooleanSupplier condition) {
            Await.until(what, condition);
        }

        @Override
        public void kill(String node) {
            powerLoss();
        }

        @Override
        public void powerLoss() {
            TestingDisk next = disk.powerLoss(new Random(3));
            log.close();
            journal.close();
            disk = next;
            log = null;
        }

        @Override
        public void revive(String node) {
            journal = Journal.open(disk, Path.of("/journal"), JournalOptions.DEFAULT, new StorageMetrics());
            SoloLog opened = new SoloLog(journal.group(0), loop, "solo", saved.index());
            machine = new TestingMachine(saved);
            on(node, () -> opened.start(machine, 0));
            log = opened;
        }

        @Override
        public void close() {
            if (log != null) {
                log.close();
            }
            loop.close();
            journal.close();
        }
    }
}
