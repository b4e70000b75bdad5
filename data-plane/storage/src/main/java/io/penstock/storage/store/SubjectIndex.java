package io.penstock.storage.store;

import io.penstock.protocol.SubjectFilter;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The subjects of a stream, by name and in the order of their bytes. */
final class SubjectIndex {
    private final int mostListed;
    private final Map<String, Subject> byName = new HashMap<>();

    /** Strings hold bytes as characters, so that their natural order is the order of bytes. */
    private final TreeMap<String, Subject> ordered = new TreeMap<>();

    SubjectIndex(int mostListed) {
        this.mostListed = mostListed;
    }

    int size() {
        return byName.size();
    }

    Subject get(String name) {
        return byName.get(name);
    }

    Subject getOrAdd(String name) {
        Subject subject = byName.get(name);
        if (subject == null) {
            subject = new Subject(name, mostListed);
            byName.put(name, subject);
            ordered.put(name, subject);
        }
        return subject;
    }

    void remove(Subject subject) {
        byName.remove(subject.name);
        ordered.remove(subject.name);
    }

    void clear() {
        byName.clear();
        ordered.clear();
    }

    Collection<Subject> all() {
        return ordered.values();
    }

    /** Visits the subjects that match in order, until the visitor answers false; answers whether it got to the end. */
    boolean visit(SubjectFilter filter, Predicate<Subject> visitor) {
        if (filter.isLiteral()) {
            for (String name : new TreeSet<>(filter.patterns())) {
                Subject subject = byName.get(name);
                if (subject != null && !visitor.test(subject)) {
                    return false;
                }
            }
            return true;
        }
        String prefix = commonPrefix(filter);
        // A prefix ends with '.', and '/' is the character behind it.
        Collection<Subject> range = prefix.isEmpty()
                ? ordered.values()
                : ordered.subMap(prefix, prefix.substring(0, prefix.length() - 1) + '/')
                        .values();
        for (Subject subject : range) {
            if (filter.matches(subject.name) && !visitor.test(subject)) {
                return false;
            }
        }
        return true;
    }

    /** The whole tokens, each with its dot, that all patterns begin with. */
    static String commonPrefix(SubjectFilter filter) {
        String common = null;
        for (String pattern : filter.patterns()) {
            String prefix = literalPrefix(pattern);
            common = common == null ? prefix : shared(common, prefix);
        }
        return common == null ? "" : common;
    }

    private static String literalPrefix(String pattern) {
        int start = 0;
        while (true) {
            int dot = pattern.indexOf('.', start);
            int end = dot < 0 ? pattern.length() : dot;
            boolean wildcard = end - start == 1 && (pattern.charAt(start) == '*' || pattern.charAt(start) == '>');
            if (wildcard || dot < 0) {
                return pattern.substring(0, start);
            }
            start = dot + 1;
        }
    }

    private static String shared(String a, String b) {
        int length = 0;
        for (int i = 0; i < Math.min(a.length(), b.length()) && a.charAt(i) == b.charAt(i); i++) {
            if (a.charAt(i) == '.') {
                length = i + 1;
            }
        }
        return a.substring(0, length);
    }
}
