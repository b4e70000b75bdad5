package io.penstock.jetstream.runtime;

import java.util.concurrent.atomic.LongAdder;

/** How often replicas had to be mended, since the start. Any thread reads. */
public final class RepairCounts {
    final LongAdder diverged = new LongAdder();
    final LongAdder repaired = new LongAdder();
    final LongAdder damaged = new LongAdder();

    /** Replicas of a stream found to differ from the majority, counted by the leader. */
    public long diverged() {
        return diverged.sum();
    }

    /** Streams fetched from another replica. */
    public long repaired() {
        return repaired.sum();
    }

    /** Damage met in files: on reading, on opening, or by a scrub. */
    public long damaged() {
        return damaged.sum();
    }
}
