package io.penstock.storage.store;

import java.util.Arrays;

/**
 * A subject with messages held. While they are few their sequences are listed, so that first, last and next cost no
 * search; of many only first and last are known, and {@code first} may lag behind the true first: it is looked for when
 * asked.
 */
final class Subject {
    private static final int FIRST_CAPACITY = 4;

    final String name;
    private final int mostListed;
    long messages;
    long first;
    long last;

    /** Whether the message at {@code first} is gone and the true first lies behind it. */
    boolean firstStale;

    /** Whether first, last and the list between them are all the sequences. */
    private boolean listed = true;

    /** All sequences in order, from head on; null while first and last say it all. */
    private long[] sequences;

    private int head;

    /** @param mostListed messages above which the sequences are no longer listed: the subject is common then */
    Subject(String name, int mostListed) {
        this.name = name;
        this.mostListed = mostListed;
    }

    boolean listed() {
        return listed;
    }

    /** Notes a message behind all others. */
    void add(long sequence) {
        if (messages == 0) {
            first = sequence;
        } else if (listed && messages >= 2) {
            list(sequence);
        }
        messages++;
        last = sequence;
    }

    private void list(long sequence) {
        int size = (int) messages;
        if (size >= mostListed) {
            listed = false;
            sequences = null;
            return;
        }
        if (sequences == null) {
            sequences = new long[FIRST_CAPACITY];
            head = 0;
            sequences[0] = first;
            sequences[1] = last;
        } else if (head + size == sequences.length) {
            long[] from = sequences;
            if (head == 0) {
                sequences = new long[size * 2];
            }
            System.arraycopy(from, head, sequences, 0, size);
            head = 0;
        }
        sequences[head + size] = sequence;
    }

    /** Takes a message out; answers whether last must be looked for, which only happens when it is not listed. */
    boolean remove(long sequence) {
        messages--;
        if (messages == 0) {
            return false;
        }
        if (listed) {
            unlist(sequence);
            return false;
        }
        if (sequence == last) {
            return true;
        }
        if (messages == 1) {
            first = last;
            firstStale = false;
        } else if (sequence == first) {
            firstStale = true;
        }
        return false;
    }

    private void unlist(long sequence) {
        if (sequences == null) {
            if (sequence == first) {
                first = last;
            } else {
                last = first;
            }
            return;
        }
        int size = (int) messages + 1;
        int at = Arrays.binarySearch(sequences, head, head + size, sequence);
        if (at == head) {
            head++;
        } else {
            System.arraycopy(sequences, at + 1, sequences, at, head + size - at - 1);
        }
        first = sequences[head];
        last = sequences[head + size - 2];
        if (messages <= 2) {
            sequences = null;
        }
    }

    /** The first sequence at or behind {@code from}, 0 when there is none; only when listed. */
    long listedFrom(long from) {
        int at = (int) (messages - listedCountFrom(from));
        if (at == messages) {
            return 0;
        }
        return at == 0 ? first : sequences == null ? last : sequences[head + at];
    }

    /** The last sequence at or before {@code upTo}, 0 when there is none; only when listed. */
    long listedUpTo(long upTo) {
        int at = (int) (messages - listedCountFrom(upTo + 1)) - 1;
        if (at < 0) {
            return 0;
        }
        return at == 0 ? first : sequences == null ? last : sequences[head + at];
    }

    /** How many sequences are at or behind {@code from}; only when listed. */
    long listedCountFrom(long from) {
        if (from <= first) {
            return messages;
        }
        if (from > last) {
            return 0;
        }
        if (sequences == null) {
            return 1;
        }
        int at = Arrays.binarySearch(sequences, head, head + (int) messages, from);
        return messages - ((at < 0 ? -at - 1 : at) - head);
    }
}
