package io.penstock.consensus;

import io.penstock.storage.StorageException;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.StreamStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the checkpoints of a group's parts and then tells the log how much of it is no longer needed.
 *
 * <p>A round freezes the dirty parts on the loop, some at a time, and writes them on a thread of its own. At its end
 * every entry applied before its start is in a durable checkpoint, but for parts whose checkpoint failed: those hold the
 * log back until a later round succeeds. Rounds come by bytes and by time.
 */
public final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);
    private static final long LOOK_NANOS = 1_000_000_000L;

    /** While the journal is written to. */
    private static final long LOOK_SOON_NANOS = 100_000_000L;

    /** Parts frozen in one turn of the loop. */
    private static final int PARTS_AT_ONCE = 32;

    private record Frozen(Checkpointed part, StreamStore.Checkpoint checkpoint) {}

    private final GroupLoop loop;
    private final ReplicatedLog log;
    private final LongSupplier journalBytes;
    private final StoreFactory stores;
    private final CheckpointPolicy policy;
    private final ExecutorService writer;

    /** Owned by the loop, as all below. */
    private final Set<Checkpointed> parts = new LinkedHashSet<>();

    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    private ArrayDeque<Checkpointed> toVisit;
    private List<CompletableFuture<Boolean>> servedByRound = List.of();
    private long roundStart;
    private final Set<Checkpointed> failed = new LinkedHashSet<>();
    private long lastRoundNanos;
    private long lastRoundBytes;
    /** The log was asked for an index to begin at. */
    private boolean beginning;

    private boolean closed;

    /**
     * Starts looking whether a round is due: once a second, ten times while the journal is written to.
     *
     * @param loop the group's loop
     * @param log hears {@link ReplicatedLog#checkpointed}
     * @param journalBytes bytes written to the journal so far, what it held at the start included; any thread
     * @param stores its directories are made durable before the log is cut
     * @param policy when rounds come
     */
    public Checkpointer(
            GroupLoop loop,
            ReplicatedLog log,
            LongSupplier journalBytes,
            StoreFactory stores,
            CheckpointPolicy policy) {
        this.loop = loop;
        this.log = log;
        this.journalBytes = journalBytes;
        this.stores = stores;
        this.policy = policy;
        this.lastRoundNanos = loop.now();
        this.writer = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "checkpointer");
            thread.setDaemon(true);
            return thread;
        });
        loop.schedule(LOOK_SOON_NANOS, this::look);
    }

    /** Takes in a part; loop only. */
    public void add(Checkpointed part) {
        parts.add(part);
    }

    /** Lets a part go, its state is deleted or closed; loop only. */
    public void remove(Checkpointed part) {
        parts.remove(part);
        failed.remove(part);
    }

    /**
     * A round that begins now, or after the one under way. Any thread.
     *
     * @return completes with whether every part is durable
     */
    public CompletableFuture<Boolean> round() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> {
            waiting.add(done);
            begin();
        });
        return done;
    }

    private void look() {
        if (closed) {
            return;
        }
        long written = journalBytes.getAsLong() - lastRoundBytes;
        loop.schedule(written > 0 ? LOOK_SOON_NANOS : LOOK_NANOS, this::look);
        boolean bytes = written >= policy.journalBytes();
        boolean time = loop.now() - lastRoundNanos >= policy.intervalNanos();
        if (bytes || time) {
            begin();
        }
    }

    private void begin() {
        if (toVisit != null || beginning) {
            return;
        }
        if (closed) {
            refuseWaiting();
            return;
        }
        beginning = true;
        log.beginCheckpoint(this::begun);
    }

    private void refuseWaiting() {
        complete(List.copyOf(waiting), false);
        waiting.clear();
    }

    private void begun(long index) {
        beginning = false;
        if (index < 0 || closed) {
            lastRoundNanos = loop.now();
            refuseWaiting();
            return;
        }
        roundStart = index;
        lastRoundNanos = loop.now();
        lastRoundBytes = journalBytes.getAsLong();
        servedByRound = List.copyOf(waiting);
        waiting.clear();
        toVisit = new ArrayDeque<>(parts);
        failed.clear();
        visit();
    }

    private void visit() {
        List<Frozen> frozen = new ArrayList<>();
        while (!toVisit.isEmpty() && frozen.size() < PARTS_AT_ONCE) {
            Checkpointed part = toVisit.poll();
            if (!parts.contains(part)) {
                continue;
            }
            if (part.broken()) {
                failed.add(part);
                continue;
            }
            if (!part.dirty()) {
                continue;
            }
            try {
                frozen.add(new Frozen(part, part.begin(log.appliedIndex())));
            } catch (StorageException e) {
                noteFailure(part, e);
            }
        }
        if (closed) {
            complete(servedByRound, false);
        } else if (frozen.isEmpty()) {
            writer.execute(this::syncDirectories);
        } else {
            writer.execute(() -> write(frozen));
        }
    }

    /** The writer's thread. */
    private void write(List<Frozen> frozen) {
        StorageException unforced = force();
        for (Frozen each : frozen) {
            Exception failure = unforced;
            if (failure == null) {
                try {
                    each.checkpoint.write();
                } catch (IOException | RuntimeException e) {
                    failure = e;
                }
            }
            if (failure != null) {
                Exception cause = failure;
                loop.execute(() -> noteFailure(each.part, cause));
            }
        }
        loop.execute(this::visit);
    }

    /** Write-ahead: no checkpoint may know of an entry that the log could lose. */
    private StorageException force() {
        try {
            log.force();
            return null;
        } catch (StorageException e) {
            return e;
        }
    }

    private void noteFailure(Checkpointed part, Exception cause) {
        LOG.error("checkpoint of {} failed: {}", part.name(), cause.toString());
        if (parts.contains(part)) {
            failed.add(part);
        }
    }

    /** The writer's thread. */
    private void syncDirectories() {
        boolean synced;
        try {
            stores.syncDirectories();
            synced = true;
        } catch (IOException | RuntimeException e) {
            LOG.error("directories of streams cannot be made durable: {}", e.toString());
            synced = false;
        }
        boolean durable = synced;
        loop.execute(() -> end(durable));
    }

    private void end(boolean durable) {
        long upTo = roundStart;
        for (Checkpointed part : failed) {
            upTo = Math.min(upTo, part.checkpointIndex());
        }
        log.checkpointed(durable ? upTo : 0);
        toVisit = null;
        complete(servedByRound, durable && failed.isEmpty());
        servedByRound = List.of();
        if (!waiting.isEmpty()) {
            begin();
        }
    }

    private static void complete(List<CompletableFuture<Boolean>> served, boolean outcome) {
        served.forEach(done -> done.complete(outcome));
    }

    /** Ends the thread once what it writes is written; takes no last round. Not on the loop. */
    @Override
    public void close() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        loop.execute(() -> {
            closed = true;
            writer.shutdown();
            stopped.complete(null);
        });
        try {
            stopped.get(60, TimeUnit.SECONDS);
            if (!writer.awaitTermination(60, TimeUnit.SECONDS)) {
                LOG.warn("a checkpoint is still being written after 60 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the loop does not answer; the checkpointer is left behind");
        }
    }
}
