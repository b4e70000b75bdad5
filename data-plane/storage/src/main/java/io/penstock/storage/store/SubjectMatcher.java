package io.penstock.storage.store;

import io.penstock.protocol.SubjectFilter;

/** Matches a subject by identity or by filter; remembers the last answer, since records of a kind come in runs. */
final class SubjectMatcher {
    private final Subject only;
    private final SubjectFilter filter;

    /** The one subject an all-literal filter names; null for other filters. */
    final String literal;

    private Subject asked;
    private boolean answer;

    SubjectMatcher(Subject only) {
        this.only = only;
        this.filter = null;
        this.literal = null;
    }

    SubjectMatcher(SubjectFilter filter) {
        this.only = null;
        this.filter = filter;
        this.literal = filter.isLiteral() && filter.patterns().size() == 1
                ? filter.patterns().getFirst()
                : null;
    }

    boolean matches(Subject subject) {
        if (only != null) {
            return subject == only;
        }
        if (subject == null) {
            return filter.isAll();
        }
        if (subject != asked) {
            asked = subject;
            answer = filter.matches(subject.name);
        }
        return answer;
    }
}
