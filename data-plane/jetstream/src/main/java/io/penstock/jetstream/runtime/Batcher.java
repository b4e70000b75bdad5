package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.RecordType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers records into log entries. There is no timer: while an entry is on its way, the next one fills, so that batches
 * grow with the load and a lone record waits for nothing. Owned by the loop.
 */
final class Batcher {
    private static final int FULL_BYTES = 256 << 10;
    private static final int FULL_RECORDS = 1_000;
    private static final int FULL_ENTRIES_IN_FLIGHT = 4;
    private static final int FIRST_CAPACITY = 4 << 10;

    /** An entry and those who wait for its records, by position. */
    static final class Entry {
        private final ByteWriter bytes;
        private final List<Waiter> waiters = new ArrayList<>();
        private final List<Runnable> followers = new ArrayList<>();

        private Entry(int capacity) {
            bytes = new ByteWriter(capacity);
        }

        Waiter waiter(int position) {
            return waiters.get(position);
        }

        List<Waiter> waiters() {
            return waiters;
        }

        int length() {
            return bytes.length();
        }

        /** What waits for the outcome of this entry and of all before it. */
        List<Runnable> followers() {
            return followers;
        }
    }

    private final GroupLoop loop;
    private final ReplicatedLog log;
    private final ArrayDeque<Entry> full = new ArrayDeque<>();
    private Entry current;

    /** The last entry proposed; its outcome comes after those of all before it. */
    private Entry last;

    private int capacity = FIRST_CAPACITY;
    private int inFlight;
    private long lastTime;

    Batcher(GroupLoop loop, ReplicatedLog log) {
        this.loop = loop;
        this.log = log;
    }

    /** Adds a record that is already encoded: type, stream, body. */
    void add(byte[] record, Waiter waiter) {
        Entry entry = open();
        entry.bytes.varint(record.length).raw(record, 0, record.length);
        added(entry, waiter);
    }

    /** Adds a record with this body. */
    void add(RecordType type, long stream, byte[] body, Waiter waiter) {
        ByteWriter head = new ByteWriter(body.length + 12);
        head.u8(type.code());
        if (type != RecordType.STREAM_CREATE) {
            head.varint(stream);
        }
        head.raw(body, 0, body.length);
        Entry entry = open();
        entry.bytes.varint(head.length()).raw(head.array(), 0, head.length());
        added(entry, waiter);
    }

    private Entry open() {
        if (current == null) {
            current = new Entry(capacity);
        }
        return current;
    }

    private void added(Entry entry, Waiter waiter) {
        entry.waiters.add(waiter);
        if (entry.length() >= FULL_BYTES || entry.waiters.size() >= FULL_RECORDS) {
            full.add(entry);
            current = null;
        }
    }

    /** Runs this after everything added so far has its outcome; at once when nothing is on its way. */
    void afterPending(Runnable action) {
        Entry newest = current != null ? current : full.isEmpty() ? last : full.getLast();
        if (idle()) {
            action.run();
        } else {
            newest.followers.add(action);
        }
    }

    boolean isEmpty() {
        return current == null && full.isEmpty();
    }

    boolean idle() {
        return inFlight == 0 && isEmpty();
    }

    /** Proposes what may go now. */
    void pump() {
        while (!full.isEmpty() && inFlight < FULL_ENTRIES_IN_FLIGHT) {
            propose(full.remove());
        }
        if (current != null && inFlight == 0) {
            Entry entry = current;
            current = null;
            propose(entry);
        }
    }

    private void propose(Entry entry) {
        long time = Math.max(loop.now(), lastTime + 1);
        lastTime = time + entry.waiters.size();
        capacity = Math.max(FIRST_CAPACITY, Math.min(FULL_BYTES * 2, entry.length() * 2));
        inFlight++;
        last = entry;
        log.propose(time, entry.bytes.array(), entry.length(), entry);
    }

    /** An entry of ours has its outcome. */
    void settled() {
        inFlight--;
    }

    /** Entries from elsewhere carry later times; ours must not fall behind. */
    void sawTime(long time) {
        lastTime = Math.max(lastTime, time);
    }

    /** The time of the log, which never goes back: the wall clock's unless entries carry later ones. */
    long logTime() {
        return Math.max(loop.now(), lastTime);
    }

    /** Drops everything that was not proposed, and tells those who wait. */
    void abandon(Throwable cause) {
        List<Entry> dropped = new ArrayList<>(full);
        if (current != null) {
            dropped.add(current);
        }
        full.clear();
        current = null;
        dropped.forEach(entry -> entry.waiters.forEach(w -> w.notProposed(cause)));
        dropped.forEach(entry -> entry.followers.forEach(Runnable::run));
    }
}
