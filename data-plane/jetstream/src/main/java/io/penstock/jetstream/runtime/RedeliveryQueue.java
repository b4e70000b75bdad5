package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.PendingSet;
import org.agrona.collections.LongArrayList;

/** Pending messages that are to be handed out again, in the order in which they became due. Owned by the loop. */
final class RedeliveryQueue {
    private LongArrayList queue = new LongArrayList();
    private int head;

    void add(PendingSet.Entry entry) {
        if (!entry.queued()) {
            entry.queued(true);
            queue.addLong(entry.streamSequence());
        }
    }

    /** The first entry that is still pending, without taking it out; null when there is none. */
    PendingSet.Entry peek(PendingSet pending) {
        while (head < queue.size()) {
            PendingSet.Entry entry = pending.get(queue.getLong(head));
            if (entry != null && entry.queued()) {
                return entry;
            }
            head++;
        }
        clear();
        return null;
    }

    /** Takes out the entry that {@link #peek} answered. */
    void remove(PendingSet.Entry entry) {
        entry.queued(false);
        head++;
    }

    int size(PendingSet pending) {
        int count = 0;
        for (int i = head; i < queue.size(); i++) {
            PendingSet.Entry entry = pending.get(queue.getLong(i));
            if (entry != null && entry.queued()) {
                count++;
            }
        }
        return count;
    }

    boolean isEmpty() {
        return head >= queue.size();
    }

    void clear() {
        if (!queue.isEmpty()) {
            queue = new LongArrayList();
        }
        head = 0;
    }
}
