package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.LogEntry;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Who the members are by the log, and whether this replica may vote. Any thread. */
final class MemberLog {
    private final String self;

    /** Hears of changes; any thread. */
    private final Runnable changed;

    private final NavigableMap<Long, Members> byIndex = new TreeMap<>();

    /** The highest index at which a waiting replica was told to be a learner, 0 for none. */
    private long learnerAt;

    private volatile Members present;

    MemberLog(String self, Members initial, Runnable changed) {
        this.changed = changed;
        this.self = self;
        this.present = initial;
        byIndex.put(0L, initial);
    }

    Members present() {
        return present;
    }

    synchronized long learnerAt() {
        return learnerAt;
    }

    /** Whether this replica was a learner by what counts at an index. */
    synchronized boolean learnsAt(long index) {
        Map.Entry<Long, Members> then = byIndex.floorEntry(index);
        return then != null && then.getValue().learners().contains(self);
    }

    void appended(LogEntry entry) {
        put(entry.getId().getIndex(), Members.of(entry.getPeers(), entry.getOldPeers(), entry.getLearners()));
        changed.run();
    }

    synchronized void put(long index, Members members) {
        byIndex.tailMap(index, true).clear();
        byIndex.put(index, members);
        if (members.learners().contains(self)) {
            learnerAt = index;
        }
        present = members;
    }

    void truncateSuffix(long lastKept) {
        cutSuffix(lastKept);
        changed.run();
    }

    private synchronized void cutSuffix(long lastKept) {
        byIndex.tailMap(lastKept, false).clear();
        if (learnerAt > lastKept) {
            learnerAt = 0;
        }
        present = byIndex.isEmpty() ? Members.NONE : byIndex.lastEntry().getValue();
    }

    synchronized void truncatePrefix(long firstKept) {
        Long floor = byIndex.floorKey(firstKept);
        if (floor != null) {
            byIndex.headMap(floor, false).clear();
        }
    }
}
