package io.penstock.protocol;

import java.util.List;

/**
 * A set of subject patterns, any of which a subject may match. Immutable and thread-safe.
 *
 * <p>Subjects and patterns are strings whose characters are the bytes of the wire (ISO-8859-1), so that a subject that
 * is not UTF-8 survives unchanged; JSON edges convert with {@link Subjects#fromUtf8} and {@link Subjects#toUtf8}.
 */
public final class SubjectFilter {
    /** Matches every subject. */
    public static final SubjectFilter ALL = new SubjectFilter(List.of(">"));

    private final List<String> patterns;
    private final boolean all;
    private final boolean literal;

    private SubjectFilter(List<String> patterns) {
        this.patterns = List.copyOf(patterns);
        this.all = patterns.contains(">");
        this.literal = patterns.stream().noneMatch(Subjects::hasWildcard);
    }

    /** A filter of these patterns; none, or one that is empty, means every subject. */
    public static SubjectFilter of(List<String> patterns) {
        return patterns.isEmpty() || patterns.contains("") || patterns.contains(">")
                ? ALL
                : new SubjectFilter(patterns);
    }

    public static SubjectFilter of(String... patterns) {
        return of(List.of(patterns));
    }

    /** Whether {@code subject}, a literal, matches one of the patterns. */
    public boolean matches(String subject) {
        if (all) {
            return true;
        }
        for (int i = 0; i < patterns.size(); i++) {
            if (Subjects.matches(patterns.get(i), subject)) {
                return true;
            }
        }
        return false;
    }

    public boolean isAll() {
        return all;
    }

    /** Whether no pattern has a wildcard, so that each names exactly one subject. */
    public boolean isLiteral() {
        return literal;
    }

    public List<String> patterns() {
        return patterns;
    }

    @Override
    public String toString() {
        return patterns.toString();
    }
}
