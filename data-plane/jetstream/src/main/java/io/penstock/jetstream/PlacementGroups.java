package io.penstock.jetstream;

import io.penstock.consensus.CheckpointPolicy;
import io.penstock.consensus.Checkpointer;
import io.penstock.consensus.RaftEngine;
import io.penstock.consensus.RaftGroup;
import io.penstock.jetstream.cluster.GroupHosting;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.GroupAssignment;
import io.penstock.jetstream.runtime.GroupCopies;
import io.penstock.jetstream.runtime.GroupSnapshots;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.jetstream.runtime.Room;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The placement groups this node has replicas of: opens and closes log, streams and checkpoints of each. Every method is
 * called on the loop, but {@link #close}.
 *
 * <pre>
 * directory/&lt;group&gt;/          the streams of a group
 * directory/.deleted/&lt;group&gt;  of a group that left this node, on its way out
 * </pre>
 */
public final class PlacementGroups implements GroupHosting {
    private static final Logger LOG = LoggerFactory.getLogger(PlacementGroups.class);
    private static final String DELETED = ".deleted";

    private record Open(RaftGroup log, StoreDirectory stores, Checkpointer checkpointer) {}

    private final Host host;
    private final RaftEngine raft;
    private final Disk disk;
    private final Path directory;
    private final LongSupplier journalBytes;
    private final CheckpointPolicy policy;
    private final StorageListener events;
    private final Room room;
    private final TreeMap<String, Open> groups = new TreeMap<>();

    /**
     * @param directory where the groups' streams lie
     * @param journalBytes bytes written to the journal so far; any thread
     * @param policy when checkpoints are taken
     * @param room whether the disk has room for more
     */
    public PlacementGroups(
            Host host,
            RaftEngine raft,
            Disk disk,
            Path directory,
            LongSupplier journalBytes,
            CheckpointPolicy policy,
            StorageListener events,
            Room room) {
        this.host = host;
        this.raft = raft;
        this.disk = disk;
        this.directory = directory;
        this.journalBytes = journalBytes;
        this.policy = policy;
        this.events = events;
        this.room = room;
    }

    @Override
    public boolean open(GroupAssignment assignment) {
        String group = assignment.group();
        Open present = groups.get(group);
        if (present != null) {
            present.log.preferLeaders(assignment.ranked());
            return true;
        }
        // The log alone is worth nothing: what it no longer holds was in the streams.
        boolean lost = raft.stored().contains(group) && !disk.isDirectory(directory.resolve(group));
        if (lost) {
            LOG.error("the streams of group {} are gone from {}: they are fetched from the others", group, directory);
            raft.remove(group);
        }
        DamagedStreams damage = new DamagedStreams(events);
        StoreDirectory stores = StoreDirectory.open(disk, directory.resolve(group), StoreOptions.DEFAULT, damage);
        GroupSnapshots snapshots = new GroupSnapshots(stores.transfer());
        List<String> voters = lost ? List.of() : assignment.initialVoters();
        RaftGroup log = raft.open(group, host.loop(), voters, snapshots);
        log.preferLeaders(assignment.ranked());
        Checkpointer checkpointer = new Checkpointer(host.loop(), log, journalBytes, stores, policy);
        Parts parts = NodeStorage.parts(checkpointer, room);
        Engine engine = host.open(group, log, stores, parts);
        snapshots.of(engine);
        engine.copies(new GroupCopies(engine, stores.transfer(), parts, PlacementGroups::background));
        damage.of(engine);
        groups.put(group, new Open(log, stores, checkpointer));
        LOG.info("takes part in group {}", group);
        engine.start();
        return !lost;
    }

    /** What waits for disk and network; seldom, so that a thread each is no waste. */
    private static void background(Runnable task) {
        Thread thread = new Thread(task, "stream-copy");
        thread.setDaemon(true);
        thread.start();
    }

    /** The directories of the groups' streams. Loop. */
    List<StoreDirectory> directories() {
        return groups.values().stream().map(Open::stores).toList();
    }

    /** Takes part in a group no more: its log and streams leave this node for good. */
    @Override
    public void remove(String group) {
        Open open = groups.remove(group);
        if (open == null) {
            return;
        }
        LOG.info("leaves group {}", group);
        host.close(group);
        raft.remove(group);
        open.stores.close();
        try {
            Path target = directory.resolve(DELETED);
            disk.createDirectories(target);
            disk.rename(
                    directory.resolve(group),
                    target.resolve(group + "." + Long.toHexString(host.loop().now())));
            disk.forceDirectory(directory);
            disk.forceDirectory(target);
        } catch (IOException e) {
            throw new StorageException("cannot remove " + directory.resolve(group) + ": " + e.getMessage(), e);
        }
    }

    /** The log of a group this node takes part in, or null. */
    @Override
    public RaftGroup log(String group) {
        Open open = groups.get(group);
        return open == null ? null : open.log;
    }

    /** The names of the groups this node takes part in. */
    @Override
    public List<String> groups() {
        return List.copyOf(groups.keySet());
    }

    /** A last round of checkpoints of all groups; completes with whether all are durable. Any thread. */
    CompletableFuture<Boolean> checkpoint() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        host.loop().execute(() -> {
            CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
            for (Open open : groups.values()) {
                all = all.thenCombine(open.checkpointer.round(), Boolean::logicalAnd);
            }
            var _ = all.thenAccept(done::complete);
        });
        return done;
    }

    /** Ends checkpoints, logs and stores, once the engines have stopped. Not on the loop. */
    void close() {
        for (Open open : new ArrayList<>(groups.values())) {
            open.checkpointer.close();
            open.log.close();
            open.stores.close();
        }
    }
}
