package io.penstock.storage.store;

import io.penstock.storage.StoredMessage;
import java.util.Arrays;

/**
 * A run of records in the order of their sequences, each known by its ordinal. Deleted ones stay, marked in a bitmap,
 * until the whole block goes or is compacted. Owned by the store's loop.
 */
abstract class Block {
    private static final int FIRST_CAPACITY = 16;

    /** The sequences of one block span less than this. */
    static final long MAX_SPAN = 1L << 30;

    final long base;

    /** Distance of each record's sequence from base; null while each is its ordinal. */
    int[] deltas;

    /** Subject of each record, null for one whose record is damaged. The array is null when it is not in memory. */
    Subject[] subjects;

    int count;
    long last;
    int live;
    long liveBytes;
    long firstTimestamp;
    long lastTimestamp;

    /** One bit for each deleted record, by ordinal; null when there is none. */
    long[] deleted;

    /** Whether a checkpoint on its way reads the bitmap, so that it is copied before it changes. */
    boolean deletedShared;

    Block(long base) {
        this.base = base;
        this.last = base - 1;
        this.subjects = new Subject[FIRST_CAPACITY];
    }

    /** Makes subjects and sequences available when they were dropped from memory. */
    void require() {}

    abstract long sizeAt(int ordinal);

    abstract long timestampAt(int ordinal);

    abstract StoredMessage messageAt(int ordinal);

    /** Overwrites the record's bytes. */
    abstract void erase(int ordinal);

    /** Called once the record is marked. */
    void onDeleted(int ordinal) {}

    /** Notes a record's place; the subclass has kept its content. */
    final void add(long sequence, long timestampNanos, Subject subject, long size) {
        if (count == subjects.length) {
            subjects = Arrays.copyOf(subjects, count * 2);
        }
        if (deltas == null && sequence - base != count) {
            deltas = new int[Math.max(FIRST_CAPACITY, subjects.length)];
            for (int i = 0; i < count; i++) {
                deltas[i] = i;
            }
        }
        if (deltas != null) {
            if (count == deltas.length) {
                deltas = Arrays.copyOf(deltas, count * 2);
            }
            deltas[count] = (int) (sequence - base);
        }
        if (deleted != null && count >>> 6 >= deleted.length) {
            deleted = Arrays.copyOf(deleted, deleted.length * 2);
            deletedShared = false;
        }
        subjects[count] = subject;
        if (count == 0) {
            firstTimestamp = timestampNanos;
        }
        count++;
        last = sequence;
        lastTimestamp = timestampNanos;
        live++;
        liveBytes += size;
    }

    final long sequenceAt(int ordinal) {
        return deltas == null ? base + ordinal : base + deltas[ordinal];
    }

    /** The ordinal of the first record at or behind {@code sequence}; count when there is none. */
    final int ceiling(long sequence) {
        if (sequence <= base) {
            return 0;
        }
        if (sequence > last) {
            return count;
        }
        require();
        if (deltas == null) {
            return (int) (sequence - base);
        }
        int at = Arrays.binarySearch(deltas, 0, count, (int) (sequence - base));
        return at >= 0 ? at : -at - 1;
    }

    /** The ordinal of the live record at {@code sequence}, -1 when it is not held. */
    final int liveOrdinal(long sequence) {
        int ordinal = ceiling(sequence);
        return ordinal < count && sequenceAt(ordinal) == sequence && isLive(ordinal) ? ordinal : -1;
    }

    final boolean isLive(int ordinal) {
        return deleted == null || (deleted[ordinal >>> 6] & (1L << ordinal)) == 0;
    }

    /** The first live record at or behind the ordinal; count when there is none. */
    final int nextLive(int from) {
        if (deleted == null || from >= count) {
            return Math.min(from, count);
        }
        int word = from >>> 6;
        long free = ~deleted[word] & (-1L << from);
        while (free == 0) {
            word++;
            if ((word << 6) >= count) {
                return count;
            }
            free = ~deleted[word];
        }
        return Math.min(count, (word << 6) + Long.numberOfTrailingZeros(free));
    }

    /** The last live record at or before the ordinal; -1 when there is none. */
    final int previousLive(int from) {
        if (deleted == null || from < 0) {
            return from;
        }
        int word = from >>> 6;
        long free = ~deleted[word] & (-1L >>> (63 - (from & 63)));
        while (free == 0) {
            word--;
            if (word < 0) {
                return -1;
            }
            free = ~deleted[word];
        }
        return (word << 6) + 63 - Long.numberOfLeadingZeros(free);
    }

    /** How many live records lie before the ordinal. */
    final int liveBefore(int ordinal) {
        if (deleted == null) {
            return ordinal;
        }
        int dead = 0;
        int words = ordinal >>> 6;
        for (int i = 0; i < words; i++) {
            dead += Long.bitCount(deleted[i]);
        }
        if ((ordinal & 63) != 0) {
            dead += Long.bitCount(deleted[words] & ((1L << ordinal) - 1));
        }
        return ordinal - dead;
    }

    final void markDeleted(int ordinal, long size) {
        if (deleted == null) {
            deleted = new long[(count + 63) >>> 6];
            deletedShared = false;
        } else if (deletedShared) {
            deleted = deleted.clone();
            deletedShared = false;
        }
        deleted[ordinal >>> 6] |= 1L << ordinal;
        live--;
        liveBytes -= size;
        onDeleted(ordinal);
    }
}
