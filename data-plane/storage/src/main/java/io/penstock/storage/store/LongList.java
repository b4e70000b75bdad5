package io.penstock.storage.store;

import java.util.Arrays;

/** A growing array. */
final class LongList {
    private long[] values = new long[64];
    private int size;

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    long get(int at) {
        return values[at];
    }

    int size() {
        return size;
    }

    long[] toArray() {
        return Arrays.copyOf(values, size);
    }

    long[] sorted() {
        long[] array = toArray();
        Arrays.sort(array);
        return array;
    }
}
