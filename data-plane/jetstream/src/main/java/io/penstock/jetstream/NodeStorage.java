package io.penstock.jetstream;

import io.penstock.consensus.CheckpointPolicy;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.Checkpointer;
import io.penstock.consensus.SoloLog;
import io.penstock.consensus.ThreadedGroupLoop;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.jetstream.runtime.Room;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.disk.AnchoredDisk;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.journal.SyncPolicy;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What JetStream runs on at a node: the loop, the journal, and the log and files of streams that only it has. */
final class NodeStorage {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStorage.class);
    private static final int GROUP = 0;
    private static final long CHECKPOINT_SECONDS = 30;
    private static final long LOOK_MILLIS = 200;

    /** How much of the journal may be needed before publishers wait for checkpoints. */
    private static final long JOURNAL_LIMIT = 1L << 30;

    final AnchoredDisk disk;
    final StorageMetrics events = new StorageMetrics();
    final ThreadedGroupLoop loop;
    final Journal journal;
    final StoreDirectory stores;
    final SoloLog log;
    final Parts parts;
    final DiskRoom room;

    /** Folders with damaged journals that wait for somebody to look at them. */
    final int setAside;

    private final Checkpointer checkpointer;
    private final ScheduledExecutorService watch;

    /** Has the groups take checkpoints; set once there are any. */
    private volatile Runnable groups = () -> {};

    /** What to do when the store directory is gone; set once there is anything to do. */
    private volatile Runnable gone = () -> {};

    /**
     * Opens journal and stores below the directory.
     *
     * @param clustered whether the node is to take part in a cluster
     * @throws io.penstock.storage.StorageException when the disk refuses or something is damaged
     */
    NodeStorage(JetStreamOptions options, boolean clustered) {
        Path directory = options.storeDirectory();
        disk = anchor(options.disk(), directory);
        JournalOptions journalOptions = JournalOptions.DEFAULT
                .withSync(options.syncAlways() ? SyncPolicy.ALWAYS : SyncPolicy.INTERVAL, options.syncIntervalNanos())
                .withPreparedSegments();
        NodeJournal opener =
                new NodeJournal(disk, directory, journalOptions, events, clustered ? options.serverName() : null);
        journal = opener.open();
        setAside = opener.setAside();
        stores = StoreDirectory.open(disk, directory.resolve("streams"), StoreOptions.DEFAULT, events);
        loop = new ThreadedGroupLoop("jetstream", Clock.systemUTC());
        long floor = stores.list().stream()
                .mapToLong(StoreFactory.StoredStream::checkpointIndex)
                .max()
                .orElse(0);
        log = new SoloLog(journal.group(GROUP), loop, options.serverName(), floor);
        checkpointer = new Checkpointer(loop, log, journal::writtenBytes, stores, CheckpointPolicy.DEFAULT);
        room = new DiskRoom(disk, directory, journal::writtenBytes, journal::bytes, JOURNAL_LIMIT, this::hurry);
        parts = parts(checkpointer, room);
        watch = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("disk-watch").daemon().factory());
        room.look();
        var _ = watch.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static AnchoredDisk anchor(Disk disk, Path directory) {
        try {
            return AnchoredDisk.at(disk, directory);
        } catch (IOException e) {
            throw new StorageException("cannot open " + directory + ": " + e.getMessage(), e);
        }
    }

    private void look() {
        if (disk.look()) {
            if (disk.problem() == null) {
                LOG.warn("the store directory is back: what was kept from it is written now");
            } else {
                LOG.error("nothing is stored any more: {}", disk.problem());
                gone.run();
            }
        }
        room.look();
    }

    /** What is to be done when the store directory is found gone; on a thread of its own, which must not wait. */
    void whenGone(Runnable action) {
        gone = action;
    }

    /** What else has to take checkpoints when the journal grows too long. */
    void alsoHurry(Runnable others) {
        groups = others;
    }

    private void hurry() {
        var _ = checkpointer.round();
        groups.run();
    }

    static Parts parts(Checkpointer checkpointer, Room room) {
        return new Parts() {
            @Override
            public void add(Checkpointed part) {
                checkpointer.add(part);
            }

            @Override
            public void remove(Checkpointed part) {
                checkpointer.remove(part);
            }

            @Override
            public Room room() {
                return room;
            }

            @Override
            public CompletableFuture<Boolean> round() {
                return checkpointer.round();
            }
        };
    }

    /** A last round of checkpoints, with those of the groups; waits a while for it. */
    void checkpoint(CompletableFuture<Boolean> groups) {
        try {
            boolean all = checkpointer
                    .round()
                    .thenCombine(groups, Boolean::logicalAnd)
                    .get(CHECKPOINT_SECONDS, TimeUnit.SECONDS);
            if (!all) {
                LOG.warn("not every stream has a checkpoint: the next start applies more of the journal");
            }
        } catch (Exception e) {
            LOG.warn("no checkpoint at the end, the next start applies more of the journal: {}", e.toString());
        }
        checkpointer.close();
    }

    /** Releases everything, once the engines have stopped and checkpoints are taken. */
    void close() {
        watch.shutdownNow();
        log.close();
        loop.close();
        stores.close();
        journal.close();
    }
}
