package io.penstock.protocol;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The subscribers of one pattern: an array that is copied on each change while it is short, and beyond that a set whose
 * array is made anew only when somebody asks. So a subject with 100,000 subscribers costs each change next to nothing.
 */
final class SubscriberSet {
    static final Object[] NONE = {};
    private static final int COPIED_UP_TO = 32;

    /** Null when stale; only while {@link #large} holds the truth. */
    private volatile Object[] array = NONE;

    /** Guarded by this. */
    private Set<Object> large;

    synchronized void add(Object subscriber) {
        if (large != null) {
            large.add(subscriber);
            array = null;
            return;
        }
        Object[] old = array;
        if (old.length == COPIED_UP_TO) {
            large = new LinkedHashSet<>(Arrays.asList(old));
            large.add(subscriber);
            array = null;
            return;
        }
        Object[] grown = Arrays.copyOf(old, old.length + 1);
        grown[old.length] = subscriber;
        array = grown;
    }

    synchronized boolean remove(Object subscriber) {
        if (large != null) {
            boolean removed = large.remove(subscriber);
            array = null;
            if (large.size() < COPIED_UP_TO / 2) {
                array = large.toArray();
                large = null;
            }
            return removed;
        }
        Object[] old = array;
        for (int i = 0; i < old.length; i++) {
            if (old[i] == subscriber) {
                Object[] shrunk = new Object[old.length - 1];
                System.arraycopy(old, 0, shrunk, 0, i);
                System.arraycopy(old, i + 1, shrunk, i, shrunk.length - i);
                array = shrunk.length == 0 ? NONE : shrunk;
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        Object[] current = array;
        return current != null && current.length == 0;
    }

    /** Never to be changed by the caller. */
    Object[] toArray() {
        Object[] current = array;
        return current != null ? current : rebuild();
    }

    private synchronized Object[] rebuild() {
        if (array == null) {
            array = large.toArray();
        }
        return array;
    }
}
