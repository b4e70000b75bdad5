package io.penstock.jetstream.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** The subjects of an account's streams by their tokens: finds an overlap without looking at each. Owned by the loop. */
final class SubjectTree {
    private static final String ANY = "*";
    private static final String REST = ">";

    /** What follows some tokens. */
    private static final class Level {
        /** Null while nothing follows. */
        private Map<String, Level> next;

        /** Streams with a subject that ends here; null for none. */
        private TreeSet<String> owners;

        private Level after(String token) {
            return next == null ? null : next.get(token);
        }

        private boolean isEmpty() {
            return next == null && owners == null;
        }
    }

    private final Level root = new Level();

    void add(String subject, String stream) {
        Level level = root;
        for (String token : tokens(subject)) {
            if (level.next == null) {
                level.next = new HashMap<>(2);
            }
            level = level.next.computeIfAbsent(token, _ -> new Level());
        }
        if (level.owners == null) {
            level.owners = new TreeSet<>();
        }
        level.owners.add(stream);
    }

    void remove(String subject, String stream) {
        remove(root, tokens(subject), 0, stream);
    }

    private static void remove(Level level, String[] tokens, int at, String stream) {
        if (at == tokens.length) {
            if (level.owners != null && level.owners.remove(stream) && level.owners.isEmpty()) {
                level.owners = null;
            }
            return;
        }
        Level child = level.after(tokens[at]);
        if (child != null) {
            remove(child, tokens, at + 1, stream);
            if (child.isEmpty()) {
                level.next.remove(tokens[at]);
                level.next = level.next.isEmpty() ? null : level.next;
            }
        }
    }

    /** Whether a stream other than {@code without} has a subject that some subject matches together with this one. */
    boolean overlaps(String subject, String without) {
        return overlaps(root, tokens(subject), 0, without);
    }

    private static boolean overlaps(Level level, String[] tokens, int at, String without) {
        if (at == tokens.length) {
            return foreign(level, without);
        }
        if (level.next == null) {
            return false;
        }
        Level rest = level.next.get(REST);
        if (rest != null && foreign(rest, without)) {
            return true;
        }
        String token = tokens[at];
        if (token.equals(REST)) {
            return level.next.values().stream().anyMatch(child -> anywhere(child, without));
        }
        if (token.equals(ANY)) {
            return level.next.values().stream().anyMatch(child -> overlaps(child, tokens, at + 1, without));
        }
        Level same = level.next.get(token);
        Level any = level.next.get(ANY);
        return (same != null && overlaps(same, tokens, at + 1, without))
                || (any != null && overlaps(any, tokens, at + 1, without));
    }

    private static boolean foreign(Level level, String without) {
        return level.owners != null && (level.owners.size() > 1 || !level.owners.contains(without));
    }

    private static boolean anywhere(Level level, String without) {
        return foreign(level, without)
                || (level.next != null && level.next.values().stream().anyMatch(child -> anywhere(child, without)));
    }

    private static String[] tokens(String subject) {
        return subject.split("\\.", -1);
    }
}
