package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.ReplicatedLog;
import java.util.ArrayDeque;

/**
 * Reads at a replica that wait until it has applied what its log held when they came: a client's own write, whose
 * acknowledgement it has, may be among that. They wait for a moment at most, since what a log holds is not committed for
 * certain. Owned by the loop.
 */
final class CatchUp {
    private static final long LONGEST_NANOS = 50_000_000L;

    private record Reader(long index, long until, Runnable read) {}

    private final GroupLoop loop;
    private final ReplicatedLog log;

    /** In the order of arrival, which is that of both index and time. */
    private final ArrayDeque<Reader> readers = new ArrayDeque<>();

    private GroupLoop.Timer timer;

    CatchUp(GroupLoop loop, ReplicatedLog log) {
        this.loop = loop;
        this.log = log;
    }

    /** Reads now or in a moment. */
    void read(Runnable read) {
        if (log.role() != ReplicatedLog.Role.LEADER && log instanceof RaftGroup group) {
            long last = group.lastIndex();
            if (last > log.appliedIndex()) {
                readers.add(new Reader(last, loop.steady() + LONGEST_NANOS, read));
                watch();
                return;
            }
        }
        read.run();
    }

    /** Entries up to here are applied. */
    void applied(long index) {
        while (!readers.isEmpty() && readers.peek().index() <= index) {
            readers.remove().read().run();
        }
    }

    private void watch() {
        if (timer == null && !readers.isEmpty()) {
            timer = loop.schedule(readers.peek().until() - loop.steady(), this::onTime);
        }
    }

    private void onTime() {
        timer = null;
        long now = loop.steady();
        while (!readers.isEmpty() && readers.peek().until() <= now) {
            readers.remove().read().run();
        }
        watch();
    }
}
