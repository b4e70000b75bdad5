package io.penstock.protocol;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One token deep in a {@link SubjectTree}. Changed under the tree's lock only; read without locks, so every field that
 * readers follow is volatile and every structure behind it is either replaced whole or concurrent.
 */
final class SubjectNode {
    private static final int COPIED_UP_TO = 8;
    private static final SubjectNode[] NO_NODES = {};
    static final SubscriberSet[] NO_QUEUES = {};

    /** The literal token that leads here; null for wildcards and the root. */
    final byte[] token;

    private final int hash;

    volatile SubjectNode star;
    volatile SubjectNode rest;

    /** Literal children while they are few; out of date once {@link #many} is set. */
    private volatile SubjectNode[] few = NO_NODES;

    /** Literal children once they are many, else null. */
    private volatile Map<Key, SubjectNode> many;

    volatile SubscriberSet plain;
    volatile SubscriberSet[] queues = NO_QUEUES;

    /** Names of the queue groups and their sets; under the tree's lock only. */
    private Map<String, SubscriberSet> queuesByName;

    SubjectNode(byte[] token) {
        this.token = token;
        this.hash = token == null ? 0 : SubjectHash.of(token, 0, token.length);
    }

    /** A token as the key of a map; made for a look-up and thrown away. */
    private record Key(byte[] bytes, int offset, int length, int hash) {
        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && hash == key.hash
                    && Arrays.equals(bytes, offset, offset + length, key.bytes, key.offset, key.offset + key.length);
        }
    }

    SubjectNode child(byte[] bytes, int offset, int length) {
        Map<Key, SubjectNode> map = many;
        if (map != null) {
            return map.get(new Key(bytes, offset, length, SubjectHash.of(bytes, offset, length)));
        }
        for (SubjectNode node : few) {
            if (node.token.length == length && Arrays.equals(node.token, 0, length, bytes, offset, offset + length)) {
                return node;
            }
        }
        return null;
    }

    void addChild(SubjectNode child) {
        Map<Key, SubjectNode> map = many;
        if (map != null) {
            map.put(key(child), child);
            return;
        }
        SubjectNode[] old = few;
        if (old.length == COPIED_UP_TO) {
            Map<Key, SubjectNode> grown = new ConcurrentHashMap<>(4 * COPIED_UP_TO);
            for (SubjectNode node : old) {
                grown.put(key(node), node);
            }
            grown.put(key(child), child);
            // The short array stays: a reader that looked before may be about to read it.
            many = grown;
            return;
        }
        SubjectNode[] grown = Arrays.copyOf(old, old.length + 1);
        grown[old.length] = child;
        few = grown;
    }

    void removeChild(SubjectNode child) {
        Map<Key, SubjectNode> map = many;
        if (map != null) {
            map.remove(key(child));
            return;
        }
        few = Arrays.stream(few).filter(node -> node != child).toArray(SubjectNode[]::new);
    }

    private static Key key(SubjectNode node) {
        return new Key(node.token, 0, node.token.length, node.hash);
    }

    void add(String queue, Object subscriber) {
        if (queue == null) {
            if (plain == null) {
                plain = new SubscriberSet();
            }
            plain.add(subscriber);
            return;
        }
        if (queuesByName == null) {
            queuesByName = new LinkedHashMap<>();
        }
        SubscriberSet set = queuesByName.get(queue);
        if (set == null) {
            set = new SubscriberSet();
            set.add(subscriber);
            queuesByName.put(queue, set);
            queues = queuesByName.values().toArray(NO_QUEUES);
        } else {
            set.add(subscriber);
        }
    }

    boolean remove(String queue, Object subscriber) {
        if (queue == null) {
            boolean removed = plain != null && plain.remove(subscriber);
            if (plain != null && plain.isEmpty()) {
                plain = null;
            }
            return removed;
        }
        SubscriberSet set = queuesByName == null ? null : queuesByName.get(queue);
        boolean removed = set != null && set.remove(subscriber);
        if (set != null && set.isEmpty()) {
            queuesByName.remove(queue);
            queues = queuesByName.values().toArray(NO_QUEUES);
        }
        return removed;
    }

    boolean isEmpty() {
        Map<Key, SubjectNode> map = many;
        return plain == null
                && queues.length == 0
                && star == null
                && rest == null
                && (map == null ? few.length == 0 : map.isEmpty());
    }

    void forEachChild(Consumer<SubjectNode> action) {
        if (star != null) {
            action.accept(star);
        }
        if (rest != null) {
            action.accept(rest);
        }
        Map<Key, SubjectNode> map = many;
        if (map != null) {
            map.values().forEach(action);
            return;
        }
        for (SubjectNode node : few) {
            action.accept(node);
        }
    }
}
