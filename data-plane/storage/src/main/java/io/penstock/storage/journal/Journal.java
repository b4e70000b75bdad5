package io.penstock.storage.journal;

import io.penstock.storage.StorageException;
import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The log of everything on one disk: all groups append to it, one thread at a time writes and forces what arrived
 * meanwhile, then tells the waiters (group commit).
 *
 * <p>Opening it reads all segments. A torn tail of the newest is cut, and that is logged; damage to bytes that were on
 * disk once refuses to open, with file and offset. Files that are not the journal's are left alone. Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private final JournalOptions options;
    private final WriteQueue queue;
    private final ConcurrentMap<Integer, JournalGroup> groups = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Long, Segment> segments = new ConcurrentSkipListMap<>();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder forces = new LongAdder();
    private final JournalThread writer;
    private final Thread thread;

    private Journal(JournalOptions options, JournalRecovery.Recovered recovered, Disk disk, StorageListener events) {
        this.options = options;
        this.queue = new WriteQueue(options.maxPendingBytes());
        recovered.groups().values().forEach(state -> groups.put(state.group(), new JournalGroup(this, state)));
        recovered.segments().forEach(segment -> segments.put(segment.number, segment));
        writtenBytes.add(bytes());
        Segment current = segments.isEmpty() ? null : segments.lastEntry().getValue();
        SegmentWriter segmentWriter =
                new SegmentWriter(disk, recovered.directory(), options, current, recovered.spares());
        this.writer = new JournalThread(queue, segmentWriter, options, events, groups, segments, writtenBytes, forces);
        this.thread = new Thread(writer, "journal");
        thread.setDaemon(true);
    }

    /**
     * Opens the journal in a directory, which is made when it is missing, and reads it.
     *
     * @throws DamagedJournalException when bytes that were on disk once are damaged
     * @throws StorageException when the disk refuses
     */
    public static Journal open(Disk disk, Path directory, JournalOptions options, StorageListener events) {
        try {
            disk.createDirectories(directory);
            Journal journal =
                    new Journal(options, new JournalRecovery(disk, directory, events).recover(), disk, events);
            journal.thread.start();
            return journal;
        } catch (IOException e) {
            throw new StorageException("cannot open the journal in " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * The log of a group, a new one when the number is unknown.
     *
     * @param id the group's number, 0 or more
     */
    public JournalGroup group(int id) {
        if (id < 0) {
            throw new IllegalArgumentException("group must be 0 or more, not " + id);
        }
        return groups.computeIfAbsent(id, number -> new JournalGroup(this, new GroupState(number)));
    }

    public JournalOptions options() {
        return options;
    }

    /** Bytes of all segments in use. */
    public long bytes() {
        long sum = 0;
        for (Segment segment : segments.values()) {
            sum += segment.end;
        }
        return sum;
    }

    public int segmentCount() {
        return segments.size();
    }

    /** Bytes appended since it was opened and those it held then. */
    public long writtenBytes() {
        return writtenBytes.sum();
    }

    /** Times the disk was forced since it was opened. */
    public long forces() {
        return forces.sum();
    }

    /** Bytes accepted and not yet done. */
    public long pendingBytes() {
        return queue.bytes();
    }

    /** Why the journal takes no more appends, or null. */
    public StorageException failure() {
        return writer.failure();
    }

    /** Writes and forces what was accepted, then ends; idempotent. */
    @Override
    public void close() {
        queue.close();
        try {
            if (!thread.join(Duration.ofSeconds(60))) {
                throw new StorageException("the journal's thread did not end within 60 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean allForced() {
        return writer.failure() == null && writer.allForced();
    }

    /** How long a force of the disk has taken of late, nanoseconds. */
    long usualForceNanos() {
        return writer.usualForceNanos();
    }

    /** @param combine whether the caller would write and force itself when nobody else is at it */
    void append(List<Append> appends, boolean combine) {
        if (queue.offer(appends, combine)) {
            writer.work(appends, false);
        }
    }

    JournalEntry read(GroupState state, long index) {
        return new JournalReader(this, state, 8192).read(index);
    }

    Segment segment(long number) {
        return segments.get(number);
    }
}
