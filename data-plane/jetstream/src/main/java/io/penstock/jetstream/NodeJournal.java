package io.penstock.jetstream;

import io.penstock.consensus.raft.StoredGroups;
import io.penstock.jetstream.cluster.NodeMemory;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageListener;
import io.penstock.storage.StoreFactory.StoredStream;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.journal.DamagedJournalException;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a node's journal. A damaged one is set aside when other nodes have everything that was in it; the node then comes
 * back as one that has forgotten: with a new incarnation, and without a vote in any group before it was taken in anew.
 *
 * <p>The order makes that safe at every crash: first the incarnation goes, then every group forgets its past, and the
 * journal last. Until then it is found damaged again, and all of it is done once more. Owned by whoever starts the node.
 */
final class NodeJournal {
    private static final Logger LOG = LoggerFactory.getLogger(NodeJournal.class);

    private final Disk disk;
    private final Path directory;
    private final JournalOptions options;
    private final StorageListener events;
    private final SetAside aside;

    /** This node's name in its cluster, null when it is alone. */
    private final String member;

    /**
     * @param directory JetStream's
     * @param member this node's name when it is to take part in a cluster, otherwise null
     */
    NodeJournal(Disk disk, Path directory, JournalOptions options, StorageListener events, String member) {
        this.disk = disk;
        this.directory = directory;
        this.options = options;
        this.events = events;
        this.member = member;
        this.aside = new SetAside(disk, directory);
    }

    /**
     * Opens it.
     *
     * @throws DamagedJournalException when it is damaged on a node alone
     * @throws StorageException when it is damaged and something depends on it: what, and what to do
     */
    Journal open() {
        Journal journal;
        try {
            journal = openAsItIs();
        } catch (DamagedJournalException damage) {
            if (member == null) {
                throw damage;
            }
            replace(damage);
            return openAsItIs();
        }
        if (member != null) {
            recognize(journal);
        }
        return journal;
    }

    private Journal openAsItIs() {
        return Journal.open(disk, journal(), options, events);
    }

    private Path journal() {
        return directory.resolve("journal");
    }

    private Path cluster() {
        return directory.resolve("cluster");
    }

    private StoredGroups groups() {
        return StoredGroups.read(disk, directory.resolve("raft"), member);
    }

    // --- damaged --------------------------------------------------------------------------------------------------

    private void replace(DamagedJournalException damage) {
        String reason = reason();
        if (!reason.isEmpty()) {
            StorageException refusal = new StorageException(
                    "the journal is damaged and stays where it is, because " + reason + ". " + damage.getMessage());
            refusal.initCause(damage);
            throw refusal;
        }
        try {
            Path place = aside.next();
            forget(place);
            aside.move(journal(), place);
            LOG.error(
                    "ALARM: the journal of this node is damaged and was set aside in {}. Entries, terms and votes of all"
                            + " groups of this node are forgotten with it: each group lets the node go, takes it in anew"
                            + " and sends it what it lacks; until then it has no vote. Streams with one replica were not"
                            + " on this node. Look for the cause in the disk; the folder can be removed at any time. {}",
                    place,
                    damage.getMessage());
        } catch (IOException e) {
            throw new StorageException("cannot set aside the damaged journal " + journal() + ": " + e.getMessage(), e);
        }
    }

    /** Why the journal cannot be done without, empty when it can. */
    private String reason() {
        if (!NodeMemory.inCluster(disk, cluster())) {
            return "this node never was in a cluster whose other nodes could have what is in it";
        }
        List<String> alone = alone();
        if (!alone.isEmpty()) {
            return "the only copy of these streams is on this node, and what they took since their last checkpoints is in"
                    + " the journal alone: " + String.join(", ", alone)
                    + ". Restore the file, or move the folder " + journal() + " away and lose that";
        }
        List<String> needing = groups().needing();
        if (!needing.isEmpty()) {
            return "these groups have no majority without this node: " + String.join(", ", needing)
                    + ". Restore the file, or move the folder " + journal()
                    + " away; groups that need this node's vote then wait for a hand";
        }
        return aside.full();
    }

    /** Streams that are on this node only, with a checkpoint or without one yet. */
    private List<String> alone() {
        StoreDirectory stores = StoreDirectory.open(disk, directory.resolve("streams"), StoreOptions.DEFAULT, events);
        try {
            List<StoredStream> alone = new ArrayList<>(stores.list());
            alone.addAll(stores.withoutCheckpoint());
            return alone.stream()
                    .map(stream -> "'" + stream.stream() + "' of account '" + stream.account() + "'")
                    .toList();
        } finally {
            stores.close();
        }
    }

    private void forget(Path place) throws IOException {
        aside.move(cluster().resolve(NodeMemory.INCARNATION), place);
        groups().forget();
    }

    // --- lost -----------------------------------------------------------------------------------------------------

    /** A journal that knows less than it was told was put in the place of another one: the node has forgotten, too. */
    private void recognize(Journal journal) {
        StoredGroups groups = groups();
        groups.remind(journal);
        List<String> forgotten = groups.forgottenBy(journal);
        if (forgotten.isEmpty()) {
            return;
        }
        LOG.error(
                "ALARM: the journal in {} does not have what groups {} of this node have told it: it was lost or moved"
                        + " away. Each group lets the node go, takes it in anew and sends it what it lacks; until then"
                        + " it has no vote",
                journal(),
                forgotten);
        try {
            forget(aside.next());
        } catch (IOException e) {
            journal.close();
            throw new StorageException("cannot forget what the journal has lost: " + e.getMessage(), e);
        }
    }

    /** How many folders with a damaged journal there are. */
    int setAside() {
        return aside.count();
    }
}
