package io.penstock.storage.journal;

import io.penstock.storage.StorageException;
import io.penstock.storage.StorageListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The writer: takes what arrived, writes it, forces it, tells the waiters; again. Whoever has the turn in
 * {@link WriteQueue} does this, mostly the journal's thread, and its {@link #run} does what falls due meanwhile.
 *
 * <p>A write that fails is taken back and its waiters fail; the next batch tries anew, so that a disk that was full
 * works again once there is room. A force that fails ends the journal: what is on disk is unknown then, and forcing
 * again would claim what nobody can know.
 */
final class JournalThread implements Runnable {
    /** Quiet time after which a MARK frame records how far the disk has got. */
    private static final long MARK_AFTER_NANOS = 50_000_000L;

    private final WriteQueue queue;
    private final SegmentWriter writer;
    private final JournalOptions options;
    private final StorageListener events;
    private final Map<Integer, JournalGroup> groups;
    private final NavigableMap<Long, Segment> segments;
    private final LongAdder writtenBytes;
    private final LongAdder forces;

    /** Owned by whoever has the queue's turn, as all that is not volatile here: frames written and not yet reported. */
    private final ArrayList<Append> unreported = new ArrayList<>();

    private final Set<JournalGroup> touched = new LinkedHashSet<>();
    private long lastForce = System.nanoTime();
    private boolean markDue;

    /** A running mean of the time a force takes; any thread may look. */
    private volatile long usualForceNanos;

    /** Whether a frame other than MARK waits to be forced. */
    private volatile boolean unforced;

    /** Set once, when nothing can be appended any more. */
    private volatile StorageException failure;

    JournalThread(
            WriteQueue queue,
            SegmentWriter writer,
            JournalOptions options,
            StorageListener events,
            Map<Integer, JournalGroup> groups,
            NavigableMap<Long, Segment> segments,
            LongAdder writtenBytes,
            LongAdder forces) {
        this.queue = queue;
        this.writer = writer;
        this.options = options;
        this.events = events;
        this.groups = groups;
        this.segments = segments;
        this.writtenBytes = writtenBytes;
        this.forces = forces;
    }

    /** Whether everything reported as done is on disk. Any thread. */
    boolean allForced() {
        return !unforced;
    }

    StorageException failure() {
        return failure;
    }

    long usualForceNanos() {
        return usualForceNanos;
    }

    @Override
    public void run() {
        while (true) {
            List<Append> batch = queue.take(this::patience);
            if (batch == null) {
                finish();
                return;
            }
            work(batch, true);
        }
    }

    /** Writes a batch as the owner of the queue, then gives the turn back. */
    void work(List<Append> batch, boolean recycle) {
        try {
            process(batch);
        } catch (RuntimeException | Error e) {
            // A fault of ours: nobody must wait for ever, and nothing more may be claimed.
            stop(new IOException(e.toString(), e));
            fail(batch, 0, failure, true);
        } finally {
            queue.release(batch, recycle);
        }
    }

    /** How long to wait for work before there is something to do without. */
    private long patience() {
        if (failure != null) {
            return Long.MAX_VALUE;
        }
        if (markDue) {
            return lastForce + MARK_AFTER_NANOS - System.nanoTime();
        }
        if (!unforced) {
            return Long.MAX_VALUE;
        }
        return lastForce + options.syncIntervalNanos() - System.nanoTime();
    }

    private void process(List<Append> batch) {
        if (failure != null) {
            fail(batch, 0, failure, true);
            return;
        }
        int next = 0;
        writer.begin();
        try {
            if (batch.isEmpty()) {
                whenIdle();
                return;
            }
            for (; next < batch.size(); next++) {
                Append append = batch.get(next);
                if (writer.full(append.size())) {
                    roll();
                }
                if (accepts(append)) {
                    writer.put(append);
                    writtenBytes.add(append.size());
                    unreported.add(append);
                } else {
                    report(append, outOfOrder(append));
                }
            }
            writer.flush();
            if (!unreported.isEmpty()) {
                unforced = true;
            }
        } catch (IOException e) {
            takeBack(batch, next, e);
            return;
        }
        try {
            forceIfDue();
        } catch (IOException e) {
            stop(e);
            fail(batch, batch.size(), failure, true);
            return;
        }
        reportDone();
        retireSegments();
        writer.prepare();
    }

    private void whenIdle() throws IOException {
        if (markDue) {
            markDue = false;
            writer.mark();
        } else {
            force();
        }
    }

    /** Under ALWAYS a batch with one durable frame is forced; a batch of async frames only when the interval is over. */
    private void forceIfDue() throws IOException {
        boolean due = System.nanoTime() - lastForce >= options.syncIntervalNanos();
        if (!due && options.sync() == SyncPolicy.ALWAYS) {
            for (int i = 0; i < unreported.size() && !due; i++) {
                due = unreported.get(i).durable;
            }
        }
        if (!due) {
            for (int i = 0; i < unreported.size() && !due; i++) {
                due = unreported.get(i).kind.alwaysForced();
            }
        }
        if (due) {
            force();
        }
    }

    private void force() throws IOException {
        long begun = System.nanoTime();
        writer.force();
        forces.increment();
        lastForce = System.nanoTime();
        long usual = usualForceNanos;
        usualForceNanos = usual + (lastForce - begun - usual) / 4;
        markDue = true;
        unforced = false;
    }

    private void roll() throws IOException {
        if (writer.current() != null) {
            writer.flush();
            try {
                force();
            } catch (IOException e) {
                stop(e);
                throw e;
            }
            reportDone();
            writer.begin();
        }
        Segment next = writer.roll(states());
        segments.put(next.number, next);
    }

    private List<GroupState> states() {
        ArrayList<GroupState> states = new ArrayList<>();
        groups.values().forEach(group -> states.add(group.state()));
        return states;
    }

    /** Entries come in order: one that does not follow its predecessor was proposed before that one failed. */
    private boolean accepts(Append append) {
        JournalGroup group = groups.get(append.group);
        return group == null || group.accepts(append);
    }

    private static StorageException outOfOrder(Append append) {
        return new StorageException("entry " + append.index + " of group " + append.group
                + " does not follow the last one: an append before it failed");
    }

    private void takeBack(List<Append> batch, int next, IOException cause) {
        StorageException error = new StorageException("cannot write the journal: " + cause.getMessage(), cause);
        events.writeFailed(currentFile(), cause);
        if (failure == null) {
            try {
                writer.rollback();
            } catch (IOException e) {
                e.addSuppressed(cause);
                stop(e);
            }
        }
        fail(batch, next, failure == null ? error : failure, failure != null);
    }

    private void stop(IOException cause) {
        failure = new StorageException(
                "the journal stopped, what is on disk is unknown (" + cause.getMessage()
                        + "); check the disk and restart",
                cause);
        events.writeFailed(currentFile(), cause);
    }

    private String currentFile() {
        return writer.current() == null ? "journal" : writer.current().path.toString();
    }

    /** Fails what is unreported and the batch's frames from {@code next} on. */
    private void fail(List<Append> batch, int next, StorageException error, boolean terminal) {
        Map<Integer, Long> firstFailed = new TreeMap<>();
        for (Append append : unreported) {
            noteFailure(append, error, firstFailed);
        }
        unreported.clear();
        for (int i = next; i < batch.size(); i++) {
            noteFailure(batch.get(i), error, firstFailed);
        }
        groups.values().forEach(JournalGroup::resume);
        firstFailed.forEach((id, index) -> {
            JournalGroup group = groups.get(id);
            if (group != null) {
                group.failed(index, error, terminal);
            }
        });
    }

    private static void noteFailure(Append append, StorageException error, Map<Integer, Long> firstFailed) {
        if (append.kind == Frame.Kind.ENTRY) {
            firstFailed.merge(append.group, append.index, Math::min);
        }
        report(append, error);
    }

    private static void report(Append append, StorageException error) {
        if (append.callback != null) {
            append.callback.outcome(error);
        }
    }

    private void reportDone() {
        for (int i = 0; i < unreported.size(); i++) {
            Append append = unreported.get(i);
            JournalGroup group = groups.get(append.group);
            if (group != null) {
                group.take(append);
                if (append.kind == Frame.Kind.ENTRY) {
                    touched.add(group);
                }
            }
            report(append, null);
        }
        unreported.clear();
        touched.forEach(JournalGroup::done);
        touched.clear();
    }

    /** Lets the oldest segments go that no group needs. */
    private void retireSegments() {
        long needed = writer.current() == null ? 0 : writer.current().number;
        for (JournalGroup group : groups.values()) {
            needed = Math.min(needed, group.state().firstSegment());
        }
        while (!segments.isEmpty() && segments.firstKey() < needed) {
            Segment oldest = segments.pollFirstEntry().getValue();
            try {
                writer.retire(oldest);
            } catch (IOException e) {
                events.writeFailed(oldest.path.toString(), e);
            }
        }
    }

    private void finish() {
        writer.close();
        try {
            if (failure == null && writer.current() != null) {
                if (writer.dirty()) {
                    force();
                }
                writer.mark();
                writer.trim();
                writer.force();
            }
        } catch (IOException e) {
            stop(e);
        }
        for (Segment segment : segments.values()) {
            try {
                segment.file.close();
            } catch (IOException e) {
                events.writeFailed(segment.path.toString(), e);
            }
        }
    }
}
