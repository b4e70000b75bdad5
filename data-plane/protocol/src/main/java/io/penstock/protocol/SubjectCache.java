package io.penstock.protocol;

import java.util.Arrays;

/**
 * Results by subject, for one thread. Two-way associative; starts small and grows while subjects push each other out. An
 * entry counts only while its stamp is that of the tree.
 *
 * @param <V> what is remembered of a subject
 */
public final class SubjectCache<V> {
    private static final int SMALLEST = 16;
    private static final int LARGEST = 4096;

    private Entry<V>[] entries = newEntries(SMALLEST);
    private int used;
    private int evictions;

    /** A remembered result. */
    private static final class Entry<V> {
        private final byte[] subject;
        private final int hash;
        private final int subjectClass;
        private final long stamp;
        private final V value;

        private Entry(byte[] subject, int hash, int subjectClass, long stamp, V value) {
            this.subject = subject;
            this.hash = hash;
            this.subjectClass = subjectClass;
            this.stamp = stamp;
            this.value = value;
        }

        private boolean is(byte[] bytes, int offset, int length, int subjectHash) {
            return hash == subjectHash
                    && subject.length == length
                    && Arrays.equals(subject, 0, length, bytes, offset, offset + length);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <V> Entry<V>[] newEntries(int size) {
        return new Entry[size];
    }

    /** The value of a subject, or null when it is not known or out of date. */
    public V get(SubjectTree<?> tree, byte[] bytes, int offset, int length, int hash) {
        int index = SubjectHash.mix(hash) & (entries.length - 1);
        Entry<V> entry = entries[index];
        if (entry == null || !entry.is(bytes, offset, length, hash)) {
            entry = entries[index ^ 1];
            if (entry == null || !entry.is(bytes, offset, length, hash)) {
                return null;
            }
        }
        return tree.stamp(entry.subjectClass) == entry.stamp ? entry.value : null;
    }

    /** Remembers a value; {@code stamp} must have been taken before it was worked out. */
    public void put(byte[] bytes, int offset, int length, int hash, int subjectClass, long stamp, V value) {
        byte[] subject = Arrays.copyOfRange(bytes, offset, offset + length);
        place(new Entry<>(subject, hash, subjectClass, stamp, value));
        if (evictions > entries.length && entries.length < LARGEST) {
            grow();
        }
    }

    private void place(Entry<V> entry) {
        int index = SubjectHash.mix(entry.hash) & (entries.length - 1);
        Entry<V> first = entries[index];
        if (first == null) {
            used++;
        } else if (!first.is(entry.subject, 0, entry.subject.length, entry.hash)) {
            // The newer one stays at home; the older moves next door, where it may push out another.
            if (entries[index ^ 1] == null) {
                used++;
            } else {
                evictions++;
            }
            entries[index ^ 1] = first;
        }
        entries[index] = entry;
    }

    private void grow() {
        Entry<V>[] old = entries;
        entries = newEntries(old.length * 4);
        used = 0;
        for (Entry<V> entry : old) {
            if (entry != null) {
                place(entry);
            }
        }
        evictions = 0;
    }

    /** Entries held; may be read by other threads and lag. */
    public int size() {
        return used;
    }
}
