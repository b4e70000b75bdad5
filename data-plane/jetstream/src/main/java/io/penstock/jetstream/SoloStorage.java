package io.penstock.jetstream;

import io.penstock.consensus.CheckpointPolicy;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.Checkpointer;
import io.penstock.consensus.SoloLog;
import io.penstock.consensus.ThreadedGroupLoop;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.storage.StorageListener;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.FileDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.journal.SyncPolicy;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A placement group on this node alone: one journal, one log with one voter, the streams' files beside it. */
final class SoloStorage {
    private static final Logger LOG = LoggerFactory.getLogger(SoloStorage.class);
    private static final int GROUP = 0;
    private static final long CHECKPOINT_SECONDS = 30;

    private SoloStorage() {}

    /**
     * Opens journal and stores below the directory.
     *
     * @throws io.penstock.storage.StorageException when the disk refuses or something is damaged
     */
    static NodeStorage open(JetStreamOptions options) {
        Disk disk = FileDisk.INSTANCE;
        Path directory = options.storeDirectory();
        StorageListener events = new LoggingListener();
        JournalOptions journalOptions = JournalOptions.DEFAULT.withSync(
                options.syncAlways() ? SyncPolicy.ALWAYS : SyncPolicy.INTERVAL, options.syncIntervalNanos());
        Journal journal = Journal.open(disk, directory.resolve("journal"), journalOptions, events);
        StoreFactory stores = StoreDirectory.open(disk, directory.resolve("streams"), StoreOptions.DEFAULT, events);
        ThreadedGroupLoop loop = new ThreadedGroupLoop("jetstream", Clock.systemUTC());
        long floor = stores.list().stream()
                .mapToLong(StoreFactory.StoredStream::checkpointIndex)
                .max()
                .orElse(0);
        SoloLog log = new SoloLog(journal.group(GROUP), loop, options.serverName(), floor);
        Checkpointer checkpointer =
                new Checkpointer(loop, log, journal::writtenBytes, stores, CheckpointPolicy.DEFAULT);
        Parts parts = new Parts() {
            @Override
            public void add(Checkpointed part) {
                checkpointer.add(part);
            }

            @Override
            public void remove(Checkpointed part) {
                checkpointer.remove(part);
            }
        };
        return new NodeStorage(loop, log, stores, parts, () -> close(checkpointer, log, loop, stores, journal));
    }

    private static void close(
            Checkpointer checkpointer, SoloLog log, ThreadedGroupLoop loop, StoreFactory stores, Journal journal) {
        try {
            if (!checkpointer.round().get(CHECKPOINT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("not every stream has a checkpoint: the next start applies more of the journal");
            }
        } catch (Exception e) {
            LOG.warn("no checkpoint at the end, the next start applies more of the journal: {}", e.toString());
        }
        checkpointer.close();
        log.close();
        loop.close();
        stores.close();
        journal.close();
    }

    private static final class LoggingListener implements StorageListener {
        @Override
        public void damaged(String file, long offset, String detail) {
            LOG.error("damaged: {} at offset {}: {}", file, offset, detail);
        }

        @Override
        public void writeFailed(String file, Exception cause) {
            LOG.error("the disk refused to write {}: {}", file, cause.toString());
        }

        @Override
        public void unknown(String file, String detail) {
            LOG.warn("unknown: {}: {}", file, detail);
        }
    }
}
