package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import io.penstock.consensus.Snapshots;
import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The groups on a node's disk before their engine runs: which of them need this node, which of them the journal has
 * forgotten, and how all of them are made to know that they have forgotten. Owned by whoever starts the node.
 */
public final class StoredGroups {
    private final Disk disk;
    private final Path directory;
    private final String node;
    private final GroupTable table;

    private StoredGroups(Disk disk, Path directory, String node) {
        this.disk = disk;
        this.directory = directory;
        this.node = node;
        this.table = new GroupTable(disk, directory);
    }

    /**
     * Reads the table of groups.
     *
     * @param directory the engine's, as given to {@link RaftOptions}
     * @param node this node's name
     * @throws StorageException when it cannot be read
     */
    public static StoredGroups read(Disk disk, Path directory, String node) {
        return new StoredGroups(disk, directory, node);
    }

    /** Groups that vote on what they remember; the others are to be taken in anew first. */
    public List<String> voting() {
        return table.names().stream()
                .filter(name -> !table.find(name).waiting())
                .toList();
    }

    /**
     * Groups, by the members of their last checkpoints, whose other voters are no majority: without this node's vote they
     * have no leader, and what only it has is nowhere else.
     */
    public List<String> needing() {
        List<String> needing = new ArrayList<>();
        for (String name : table.names()) {
            GroupTable.Row row = table.find(name);
            Set<String> voters = voters(row);
            if (voters.contains(node) && (voters.size() - 1) * 2 <= voters.size()) {
                needing.add(name);
            }
        }
        return needing;
    }

    private Set<String> voters(GroupTable.Row row) {
        SnapshotMeta mark = mark(row);
        return mark == null ? Set.copyOf(row.initialVoters()) : Members.of(mark).voters();
    }

    private SnapshotMeta mark(GroupTable.Row row) {
        MarkStorage marks = new MarkStorage(new SmallFile(disk, path(row, ".mark")), node, StoredGroups::noCopies);
        marks.load();
        return marks.last();
    }

    private static Snapshots.Staged noCopies(String source) throws IOException {
        throw new IOException("no copies before the engine runs");
    }

    private Path path(GroupTable.Row row, String suffix) {
        return directory.resolve(row.number() + suffix);
    }

    /**
     * Groups of which the journal knows less than the checkpoints say it was told: a term is on disk there before a
     * checkpoint of that term is made. So the journal was lost, moved away, or is not the one that belongs here.
     */
    public List<String> forgottenBy(Journal journal) {
        List<String> forgotten = new ArrayList<>();
        for (String name : table.names()) {
            GroupTable.Row row = table.find(name);
            SnapshotMeta mark = mark(row);
            if (mark == null) {
                continue;
            }
            long known = journal.group(row.number()).voteTerm();
            if (disk.exists(path(row, ".vote"))) {
                known = Math.max(known, new VoteReserve(disk, path(row, ".vote")).term());
            }
            if (known < mark.getLastIncludedTerm()) {
                forgotten.add(name);
            }
        }
        return forgotten;
    }

    /**
     * Makes every group that can do without this node begin without a past, under another number of the journal: it casts
     * no vote before a leader that remembers has let this node go and taken it in anew. On disk when it returns.
     *
     * <p>Groups that need this node keep their past: with two voters or one nobody is elected without the other one, who
     * has everything that was acknowledged.
     */
    public void forget() {
        List<String> kept = needing();
        List<GroupTable.Row> forgotten = table.names().stream()
                .filter(name -> !kept.contains(name))
                .map(table::find)
                .toList();
        table.forget(forgotten.stream().map(GroupTable.Row::name).toList());
        try {
            for (GroupTable.Row row : forgotten) {
                new SmallFile(disk, path(row, ".mark")).delete();
                if (disk.exists(path(row, ".vote"))) {
                    disk.delete(path(row, ".vote"));
                }
            }
        } catch (IOException e) {
            throw new StorageException(
                    "cannot remove what is left of groups in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Tells a journal that knows less than the checkpoints what they say of the terms of groups that keep their past. */
    public void remind(Journal journal) {
        List<String> forgotten = forgottenBy(journal);
        for (String name : needing()) {
            if (forgotten.contains(name)) {
                GroupTable.Row row = table.find(name);
                journal.group(row.number()).saveVote(mark(row).getLastIncludedTerm(), "");
            }
        }
    }
}
