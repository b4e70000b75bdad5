package io.penstock.consensus.raft;

import io.penstock.storage.StorageException;
import io.penstock.storage.journal.JournalGroup;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes of a group that must not fail: on a full disk they wait until there is room, as on a slow disk; the others go
 * on without this replica meanwhile. When the journal is beyond that, or a vote cannot be saved for long, the process
 * must end: the engine would go on with what is not on disk.
 */
final class DiskPatience {
    private static final Logger LOG = LoggerFactory.getLogger(DiskPatience.class);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long a vote waits for room. */
    private static final long VOTE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RaftEvents events;
    private final String group;
    private final JournalGroup log;
    private volatile boolean closed;
    private volatile boolean waiting;

    DiskPatience(RaftEvents events, String group, JournalGroup log) {
        this.events = events;
        this.group = group;
        this.log = log;
    }

    void close() {
        closed = true;
    }

    /** Does it until it succeeds; false when it never will. */
    boolean write(Runnable action) {
        return insist(action, Long.MAX_VALUE);
    }

    /** As {@link #write}, but ends the process in the end. */
    void vote(Runnable action) {
        if (!insist(action, VOTE_NANOS) && !closed) {
            events.fatal("the vote of group " + group + " cannot be saved");
        }
    }

    private boolean insist(Runnable action, long patienceNanos) {
        long begun = System.nanoTime();
        try {
            while (true) {
                try {
                    action.run();
                    if (waiting) {
                        LOG.info("the disk takes entries of group {} again", group);
                    }
                    return true;
                } catch (StorageException e) {
                    if (closed || System.nanoTime() - begun > patienceNanos) {
                        return false;
                    }
                    StorageException terminal = log.journalFailure();
                    if (terminal != null) {
                        events.fatal(terminal.getMessage());
                        return false;
                    }
                    noteWaiting(e);
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        } finally {
            waiting = false;
        }
    }

    private void noteWaiting(StorageException cause) {
        if (!waiting) {
            waiting = true;
            LOG.error("group {} waits for the disk: {}", group, cause.getMessage());
        }
        events.diskRefuses(group);
    }
}
