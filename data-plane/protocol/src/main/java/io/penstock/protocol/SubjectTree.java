package io.penstock.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Who is subscribed to what: a trie of subject tokens. Readers take no lock and see a change either whole or not at all;
 * writers take the tree's lock.
 *
 * <p>Caches of results stay valid as long as the {@link #stamp} of their subject is the same: there is one generation
 * counter for each of 256 classes of first tokens, and one for patterns that begin with a wildcard, so that churn in one
 * family of subjects leaves results of others alone. A reader takes the stamp before it matches.
 *
 * @param <S> subscribers, compared by identity
 */
public final class SubjectTree<S> {
    private static final int CLASSES = 256;
    private static final int WILDCARD_CLASS = CLASSES;

    private final SubjectNode root = new SubjectNode(null);
    private final AtomicIntegerArray generations = new AtomicIntegerArray(CLASSES + 1);
    private final IntFunction<S[]> arrays;
    private final AtomicLong inserts = new AtomicLong();
    private final AtomicLong removes = new AtomicLong();

    /** Number of subscribers; written under the lock. */
    private volatile int size;

    /** @param arrays makes arrays of subscribers, such as {@code Subscription[]::new} */
    public SubjectTree(IntFunction<S[]> arrays) {
        this.arrays = arrays;
    }

    /**
     * Subscribers of one subject.
     *
     * @param plain each gets the message
     * @param queues one member of each gets it; groups of one name under different patterns are apart
     */
    public record Match<S>(S[] plain, S[][] queues) {
        public boolean isEmpty() {
            return plain.length == 0 && queues.length == 0;
        }
    }

    /** @param queue queue group or null */
    public synchronized void add(String pattern, String queue, S subscriber) {
        byte[] bytes = pattern.getBytes(StandardCharsets.ISO_8859_1);
        SubjectNode node = root;
        int start = 0;
        while (start <= bytes.length) {
            int end = tokenEnd(bytes, start, bytes.length);
            node = descendOrMake(node, bytes, start, end);
            start = end + 1;
        }
        node.add(queue, subscriber);
        size++;
        inserts.incrementAndGet();
        bump(bytes);
    }

    /** Whether it was there. */
    public synchronized boolean remove(String pattern, String queue, S subscriber) {
        byte[] bytes = pattern.getBytes(StandardCharsets.ISO_8859_1);
        List<SubjectNode> path = new ArrayList<>();
        SubjectNode node = root;
        int start = 0;
        while (start <= bytes.length && node != null) {
            path.add(node);
            int end = tokenEnd(bytes, start, bytes.length);
            node = descend(node, bytes, start, end);
            start = end + 1;
        }
        if (node == null || !node.remove(queue, subscriber)) {
            return false;
        }
        prune(path, node);
        size--;
        removes.incrementAndGet();
        bump(bytes);
        return true;
    }

    private static void prune(List<SubjectNode> path, SubjectNode leaf) {
        SubjectNode node = leaf;
        for (int i = path.size() - 1; i >= 0 && node.isEmpty(); i--) {
            SubjectNode parent = path.get(i);
            if (parent.star == node) {
                parent.star = null;
            } else if (parent.rest == node) {
                parent.rest = null;
            } else {
                parent.removeChild(node);
            }
            node = parent;
        }
    }

    private static SubjectNode descend(SubjectNode node, byte[] bytes, int start, int end) {
        if (end - start == 1) {
            if (bytes[start] == '*') {
                return node.star;
            }
            if (bytes[start] == '>' && end == bytes.length) {
                return node.rest;
            }
        }
        return node.child(bytes, start, end - start);
    }

    private static SubjectNode descendOrMake(SubjectNode node, byte[] bytes, int start, int end) {
        SubjectNode next = descend(node, bytes, start, end);
        if (next != null) {
            return next;
        }
        if (end - start == 1 && bytes[start] == '*') {
            node.star = new SubjectNode(null);
            return node.star;
        }
        if (end - start == 1 && bytes[start] == '>' && end == bytes.length) {
            node.rest = new SubjectNode(null);
            return node.rest;
        }
        byte[] token = new byte[end - start];
        System.arraycopy(bytes, start, token, 0, token.length);
        SubjectNode made = new SubjectNode(token);
        node.addChild(made);
        return made;
    }

    private void bump(byte[] pattern) {
        boolean wild = pattern.length > 0
                && (pattern[0] == '*' || pattern[0] == '>')
                && (pattern.length == 1 || pattern[1] == '.');
        generations.incrementAndGet(wild ? WILDCARD_CLASS : classOf(pattern, 0, pattern.length));
    }

    /** Makes every cached result of subjects that {@code pattern} may match invalid. */
    public void invalidate(String pattern) {
        bump(pattern.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The class of a subject's first token, for {@link #stamp}. */
    public static int classOf(byte[] subject, int offset, int length) {
        int hash = 0;
        int end = offset + length;
        for (int i = offset; i < end && subject[i] != '.'; i++) {
            hash = SubjectHash.extend(hash, subject[i]);
        }
        return SubjectHash.mix(hash) & (CLASSES - 1);
    }

    /** Changes whenever the answer for a subject of this class may have changed. */
    public long stamp(int subjectClass) {
        return ((long) generations.get(subjectClass) << 32) | (generations.get(WILDCARD_CLASS) & 0xffffffffL);
    }

    public int size() {
        return size;
    }

    public long inserts() {
        return inserts.get();
    }

    public long removes() {
        return removes.get();
    }

    /** Subscribers whose pattern matches these bytes, taken literally. A subject with an empty token has none. */
    public Match<S> match(byte[] subject, int offset, int length) {
        List<Object[]> plain = new ArrayList<>(4);
        List<S[]> queues = new ArrayList<>(2);
        if (!hasEmptyToken(subject, offset, length)) {
            collect(root, subject, offset, offset + length, plain, queues);
        }
        return new Match<>(flatten(plain), queues.toArray(size -> newGroups(size)));
    }

    public Match<S> match(String subject) {
        byte[] bytes = subject.getBytes(StandardCharsets.ISO_8859_1);
        return match(bytes, 0, bytes.length);
    }

    @SuppressWarnings("unchecked")
    private S[][] newGroups(int size) {
        return (S[][]) java.lang.reflect.Array.newInstance(arrays.apply(0).getClass(), size);
    }

    private S[] flatten(List<Object[]> parts) {
        int count = 0;
        for (Object[] part : parts) {
            count += part.length;
        }
        S[] all = arrays.apply(count);
        int position = 0;
        for (Object[] part : parts) {
            System.arraycopy(part, 0, all, position, part.length);
            position += part.length;
        }
        return all;
    }

    private void collect(SubjectNode node, byte[] subject, int start, int end, List<Object[]> plain, List<S[]> queues) {
        SubjectNode rest = node.rest;
        if (rest != null) {
            take(rest, plain, queues);
        }
        int tokenEnd = tokenEnd(subject, start, end);
        SubjectNode star = node.star;
        SubjectNode child = node.child(subject, start, tokenEnd - start);
        if (tokenEnd == end) {
            take(star, plain, queues);
            take(child, plain, queues);
            return;
        }
        if (star != null) {
            collect(star, subject, tokenEnd + 1, end, plain, queues);
        }
        if (child != null) {
            collect(child, subject, tokenEnd + 1, end, plain, queues);
        }
    }

    private void take(SubjectNode node, List<Object[]> plain, List<S[]> queues) {
        if (node == null) {
            return;
        }
        SubscriberSet set = node.plain;
        if (set != null) {
            plain.add(set.toArray());
        }
        for (SubscriberSet group : node.queues) {
            Object[] members = group.toArray();
            if (members.length > 0) {
                S[] typed = arrays.apply(members.length);
                System.arraycopy(members, 0, typed, 0, members.length);
                queues.add(typed);
            }
        }
    }

    /** Whether any pattern matches this literal subject. */
    public boolean hasInterest(byte[] subject, int offset, int length) {
        return !hasEmptyToken(subject, offset, length) && interested(root, subject, offset, offset + length);
    }

    private static boolean interested(SubjectNode node, byte[] subject, int start, int end) {
        if (isTaken(node.rest)) {
            return true;
        }
        int tokenEnd = tokenEnd(subject, start, end);
        SubjectNode star = node.star;
        SubjectNode child = node.child(subject, start, tokenEnd - start);
        if (tokenEnd == end) {
            return isTaken(star) || isTaken(child);
        }
        return (star != null && interested(star, subject, tokenEnd + 1, end))
                || (child != null && interested(child, subject, tokenEnd + 1, end));
    }

    private static boolean isTaken(SubjectNode node) {
        return node != null && (node.plain != null || node.queues.length > 0);
    }

    /** Visits every subscriber; changes made meanwhile may or may not show. */
    @SuppressWarnings("unchecked")
    public void forEach(Consumer<? super S> action) {
        visit(root, subscriber -> action.accept((S) subscriber));
    }

    private static void visit(SubjectNode node, Consumer<Object> action) {
        SubscriberSet plain = node.plain;
        if (plain != null) {
            for (Object subscriber : plain.toArray()) {
                action.accept(subscriber);
            }
        }
        for (SubscriberSet group : node.queues) {
            for (Object subscriber : group.toArray()) {
                action.accept(subscriber);
            }
        }
        node.forEachChild(child -> visit(child, action));
    }

    private static boolean hasEmptyToken(byte[] subject, int offset, int length) {
        boolean empty = true;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            if (subject[i] != '.') {
                empty = false;
            } else if (empty) {
                return true;
            } else {
                empty = true;
            }
        }
        return empty;
    }

    private static int tokenEnd(byte[] subject, int start, int end) {
        int i = start;
        while (i < end && subject[i] != '.') {
            i++;
        }
        return i;
    }
}
