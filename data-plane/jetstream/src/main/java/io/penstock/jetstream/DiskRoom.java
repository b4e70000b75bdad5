package io.penstock.jetstream;

import io.penstock.jetstream.runtime.Room;
import io.penstock.storage.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks how much of the disk is free and how much of the journal is still needed. Between two looks it reckons with what
 * was written: everything goes to the disk twice, into the journal and into the stream's files.
 */
final class DiskRoom implements Room {
    private static final Logger LOG = LoggerFactory.getLogger(DiskRoom.class);
    private static final long MAX_RESERVE = 256L << 20;
    private static final int RESERVE_PART = 20;
    private static final long UNKNOWN = Long.MAX_VALUE / 4;

    private final Disk disk;
    private final Path directory;
    private final LongSupplier written;
    private final LongSupplier journal;
    private final long journalLimit;
    private final Runnable hurry;

    /** Written by the thread that looks, as all below. */
    private volatile long free = UNKNOWN;

    private volatile long writtenThen;
    private volatile long reserve;
    private volatile boolean full;
    private volatile long journalBytes;
    private volatile boolean behind;

    /**
     * @param written bytes written to the journal so far
     * @param journal bytes of the journal that are still needed
     * @param journalLimit how much of it may be needed before publishers wait
     * @param hurry has checkpoints begin, when that much is needed
     */
    DiskRoom(Disk disk, Path directory, LongSupplier written, LongSupplier journal, long journalLimit, Runnable hurry) {
        this.disk = disk;
        this.directory = directory;
        this.written = written;
        this.journal = journal;
        this.journalLimit = journalLimit;
        this.hurry = hurry;
    }

    /** Looks anew; on one thread, a few times a second. */
    void look() {
        lookAtDisk();
        lookAtJournal();
    }

    private void lookAtDisk() {
        long before = written.getAsLong();
        long now;
        try {
            now = disk.usableSpace(directory);
            reserve = Math.min(MAX_RESERVE, disk.totalSpace(directory) / RESERVE_PART);
        } catch (IOException e) {
            LOG.debug("the free space of {} is not known: {}", directory, e.toString());
            return;
        }
        writtenThen = before;
        free = now;
        if (!full && now < reserve) {
            full = true;
            LOG.error(
                    "{} bytes are free on the disk of {} and {} are kept: messages to streams in files are refused",
                    now,
                    directory,
                    reserve);
        } else if (full && now >= reserve + reserve / 4) {
            full = false;
            LOG.info("there is room on the disk of {} again: {} bytes are free", directory, now);
        }
    }

    private void lookAtJournal() {
        journalBytes = journal.getAsLong();
        if (!behind && journalBytes > journalLimit) {
            behind = true;
            LOG.warn(
                    "checkpoints lag behind: {} bytes of the journal are needed, {} may be; publishers wait",
                    journalBytes,
                    journalLimit);
            hurry.run();
        } else if (behind && journalBytes <= journalLimit - journalLimit / 4) {
            behind = false;
            LOG.info("checkpoints have caught up: {} bytes of the journal are needed", journalBytes);
        }
    }

    @Override
    public boolean full() {
        return full || free - 2 * (written.getAsLong() - writtenThen) < reserve;
    }

    @Override
    public boolean behind() {
        return behind;
    }

    /** Free bytes when it looked last. */
    long free() {
        return free;
    }

    /** Bytes that are to stay free. */
    long reserve() {
        return reserve;
    }

    /** Bytes of the journal that were needed when it looked last. */
    long journalBytes() {
        return journalBytes;
    }

    long journalLimit() {
        return journalLimit;
    }
}
