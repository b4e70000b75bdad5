package io.penstock.consensus;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.journal.JournalEntry;
import io.penstock.storage.journal.JournalGroup;
import io.penstock.storage.journal.JournalListener;
import io.penstock.storage.journal.JournalReader;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log with one voter, this node: committed is what the journal says is done.
 *
 * <p>A disk that refuses a write fails what is pending and makes the role CANDIDATE; every {@value #PROBE_MILLIS} ms the
 * disk is tried, and once it takes a page the role is LEADER again with the next term. A failed force, or a state
 * machine that throws, stops the log for good.
 */
public final class SoloLog implements ReplicatedLog {
    private static final Logger LOG = LoggerFactory.getLogger(SoloLog.class);
    private static final long PROBE_MILLIS = 500;

    /** The longest entry the loop writes itself. */
    private static final int HERE_BYTES = 16 << 10;

    private record Pending(long index, long timestampNanos, byte[] bytes, int length, Object attachment) {}

    private final JournalGroup group;
    private final GroupLoop loop;
    private final String node;
    private final long floorIndex;
    private final AtomicBoolean applyScheduled = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    /** Written by whoever writes the journal. */
    private volatile long doneIndex;

    /** Owned by the loop: proposed, not yet applied. */
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    private StateMachine machine;
    private long nextIndex;
    private long lastTimestamp;
    private boolean closing;

    /** Written by the loop. */
    private volatile Role role = Role.STOPPED;

    private volatile long pendingBytes;
    private volatile long term;
    private volatile long applied;

    /**
     * @param group the group's part of the journal
     * @param loop runs the state machine
     * @param node this node's name, the leader's
     * @param floorIndex the highest index any checkpoint contains: the log goes on above it even when the journal is
     *     missing
     */
    public SoloLog(JournalGroup group, GroupLoop loop, String node, long floorIndex) {
        this.group = group;
        this.loop = loop;
        this.node = node;
        this.floorIndex = floorIndex;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Entries below the log's first are not applied: they were let go because checkpoints contain them.
     *
     * @throws CorruptRecordException when an entry is damaged
     */
    @Override
    public void start(StateMachine stateMachine, long appliedIndex) {
        machine = stateMachine;
        replay(appliedIndex);
        if (group.lastIndex() < floorIndex) {
            LOG.warn(
                    "the journal ends at entry {} but checkpoints contain entry {}: it was lost or moved away; going on"
                            + " from the checkpoints",
                    group.lastIndex(),
                    floorIndex);
            group.reset(floorIndex + 1);
            applied = floorIndex;
        }
        nextIndex = group.lastIndex() + 1;
        doneIndex = group.lastIndex();
        group.listen(new Listener());
        term = group.lastTerm() + 1;
        become(Role.LEADER);
    }

    private void replay(long appliedIndex) {
        applied = Math.max(appliedIndex, group.firstIndex() - 1);
        JournalReader reader = group.reader();
        long from = applied;
        long last = group.lastIndex();
        while (applied < last) {
            JournalEntry entry = reader.read(applied + 1);
            if (entry == null) {
                throw new StorageException("entry " + (applied + 1) + " is missing in the journal");
            }
            applied = entry.index();
            lastTimestamp = Math.max(lastTimestamp, entry.timestampNanos());
            machine.apply(applied, entry.timestampNanos(), entry.payload(), entry.length(), null);
        }
        if (applied > from) {
            LOG.info("applied {} entries of the journal, up to {}", applied - from, applied);
            machine.applied(applied);
        }
    }

    @Override
    public void propose(long timestampNanos, byte[] entry, int length, Object attachment) {
        propose(timestampNanos, entry, length, attachment, false);
    }

    @Override
    public void propose(long timestampNanos, byte[] entry, int length, Object attachment, boolean async) {
        if (length > MAX_ENTRY_BYTES) {
            throw new IllegalArgumentException("entry of " + length + " bytes; the most is " + MAX_ENTRY_BYTES);
        }
        if (role != Role.LEADER || closing) {
            // Not from within: the caller is not prepared to hear of it before propose returns.
            loop.execute(() -> machine.failed(attachment, new StorageException("the log takes no entries: " + role)));
            return;
        }
        long timestamp = Math.max(timestampNanos, lastTimestamp + 1);
        JournalEntry journalEntry = new JournalEntry(nextIndex, term, (byte) 0, timestamp, entry, length);
        // A short entry that nobody else waits behind is written from here: two changes of thread less.
        boolean here = length <= HERE_BYTES && pending.isEmpty() && loop.idle();
        try {
            if (here) {
                group.appendHere(journalEntry, async);
            } else {
                group.append(journalEntry, async);
            }
        } catch (StorageException e) {
            loop.execute(() -> machine.failed(attachment, e));
            return;
        }
        pending.add(new Pending(nextIndex, timestamp, entry, length, attachment));
        setPendingBytes(pendingBytes + length);
        lastTimestamp = timestamp;
        nextIndex++;
    }

    private void applyDone() {
        long done = doneIndex;
        boolean any = false;
        while (role != Role.STOPPED) {
            Pending first = pending.peek();
            if (first == null || first.index > done) {
                break;
            }
            pending.remove();
            setPendingBytes(pendingBytes - first.length);
            applied = first.index;
            any = true;
            try {
                machine.apply(first.index, first.timestampNanos, first.bytes, first.length, first.attachment);
            } catch (RuntimeException e) {
                LOG.error("entry {} cannot be applied; the log stops", first.index, e);
                stop(e);
                return;
            }
        }
        if (any) {
            machine.applied(applied);
        }
    }

    private void onFailed(long firstIndex, StorageException cause, boolean terminal) {
        applyDone();
        if (role == Role.STOPPED) {
            return;
        }
        LOG.error("the journal refused entries from {} on: {}", firstIndex, cause.getMessage());
        nextIndex = applied + 1;
        if (terminal) {
            stop(cause);
            return;
        }
        become(Role.CANDIDATE);
        failPending(cause);
        scheduleProbe();
    }

    private void scheduleProbe() {
        loop.schedule(TimeUnit.MILLISECONDS.toNanos(PROBE_MILLIS), () -> {
            if (role != Role.CANDIDATE || closing) {
                return;
            }
            try {
                group.probe(failure -> loop.execute(() -> onProbed(failure)));
            } catch (StorageException e) {
                onProbed(e);
            }
        });
    }

    // Only the loop writes the term.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void onProbed(StorageException failure) {
        if (role != Role.CANDIDATE || closing) {
            return;
        }
        if (failure != null) {
            scheduleProbe();
            return;
        }
        LOG.info("the disk takes entries again");
        term++;
        become(Role.LEADER);
    }

    private void stop(Throwable cause) {
        become(Role.STOPPED);
        failPending(cause);
        stopped.complete(null);
    }

    private void failPending(Throwable cause) {
        while (!pending.isEmpty()) {
            Pending failed = pending.remove();
            setPendingBytes(pendingBytes - failed.length);
            machine.failed(failed.attachment, cause);
        }
    }

    private void become(Role next) {
        role = next;
        machine.roleChanged(next, leader(), term);
    }

    /** Only the loop writes it; others read. */
    private void setPendingBytes(long bytes) {
        pendingBytes = bytes;
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    /** Nobody else can lead, and what was applied holds while the disk takes nothing new. */
    @Override
    public boolean holdsLease() {
        return role != Role.STOPPED;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public String leader() {
        return role == Role.LEADER ? node : "";
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public long appliedIndex() {
        return applied;
    }

    @Override
    public void checkpointed(long index) {
        if (role != Role.STOPPED) {
            group.truncatePrefix(Math.min(index, applied) + 1);
        }
    }

    @Override
    public void force() {
        group.force();
    }

    /** Applies what was proposed, then stops; waits for it at most 30 s, unless called on the loop. */
    @Override
    public void close() {
        loop.execute(this::beginClose);
        if (!loop.inLoop()) {
            try {
                stopped.get(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("the log did not stop within 30 s");
            }
        }
    }

    private void beginClose() {
        if (closing || machine == null || role == Role.STOPPED) {
            stopped.complete(null);
            return;
        }
        closing = true;
        try {
            group.probe(failure -> loop.execute(this::finishClose));
        } catch (StorageException e) {
            finishClose();
        }
    }

    private void finishClose() {
        applyDone();
        if (role != Role.STOPPED) {
            stop(new StorageException("the log was closed"));
        }
    }

    private final class Listener implements JournalListener {
        @Override
        public void done(long index) {
            doneIndex = index;
            if (applyScheduled.compareAndSet(false, true)) {
                loop.execute(() -> {
                    applyScheduled.set(false);
                    applyDone();
                });
            }
        }

        @Override
        public void failed(long firstIndex, StorageException cause, boolean terminal) {
            loop.execute(() -> onFailed(firstIndex, cause, terminal));
        }
    }
}
