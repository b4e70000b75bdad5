package io.penstock.protocol;

import java.nio.charset.StandardCharsets;

/**
 * The grammar of subjects: tokens parted by {@code .}, {@code *} for one whole token, {@code >} for one or more at the
 * end. Strings hold the wire's bytes as characters (ISO-8859-1).
 */
public final class Subjects {
    private Subjects() {}

    /** The wire form of a string that came from JSON or from a person. */
    public static String fromUtf8(String text) {
        return isAscii(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** The readable form of a subject of the wire; bytes that are not UTF-8 become U+FFFD. */
    public static String toUtf8(String subject) {
        return isAscii(subject)
                ? subject
                : new String(subject.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Whether {@code pattern} may be subscribed to: no empty token, no white space, {@code >} only as the last token. */
    public static boolean isValidPattern(String pattern) {
        return isValid(pattern, true);
    }

    /** Whether {@code subject} is a valid pattern without wildcards. */
    public static boolean isValidLiteral(String subject) {
        return isValid(subject, false);
    }

    private static boolean isValid(String subject, boolean wildcards) {
        int length = subject.length();
        int start = 0;
        boolean ended = false;
        for (int i = 0; i <= length; i++) {
            char c = i == length ? '.' : subject.charAt(i);
            if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
                return false;
            }
            if (c != '.') {
                continue;
            }
            if (i == start || ended) {
                return false;
            }
            if (i - start == 1) {
                char only = subject.charAt(start);
                if (only == '*' || only == '>') {
                    if (!wildcards) {
                        return false;
                    }
                    ended = only == '>';
                }
            }
            start = i + 1;
        }
        return true;
    }

    /** Whether a whole token of {@code pattern} is {@code *} or {@code >}. */
    public static boolean hasWildcard(String pattern) {
        int length = pattern.length();
        for (int i = 0; i < length; i++) {
            char c = pattern.charAt(i);
            if ((c == '*' || c == '>')
                    && (i == 0 || pattern.charAt(i - 1) == '.')
                    && (i + 1 == length || pattern.charAt(i + 1) == '.')) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code subject}, taken literally, matches {@code pattern}. */
    public static boolean matches(String pattern, String subject) {
        int p = 0;
        int s = 0;
        int patternLength = pattern.length();
        int subjectLength = subject.length();
        while (p < patternLength) {
            if (s > subjectLength) {
                return false;
            }
            int patternEnd = tokenEnd(pattern, p);
            if (patternEnd - p == 1) {
                char only = pattern.charAt(p);
                if (only == '>' && patternEnd == patternLength) {
                    return s < subjectLength;
                }
                if (only == '*') {
                    int end = tokenEnd(subject, s);
                    if (end == s) {
                        return false;
                    }
                    s = end + 1;
                    p = patternEnd + 1;
                    continue;
                }
            }
            int subjectEnd = tokenEnd(subject, s);
            int tokenLength = patternEnd - p;
            if (subjectEnd - s != tokenLength || !pattern.regionMatches(p, subject, s, tokenLength)) {
                return false;
            }
            p = patternEnd + 1;
            s = subjectEnd + 1;
        }
        return s == subjectLength + 1;
    }

    /** Whether some subject matches both patterns. */
    public static boolean overlap(String a, String b) {
        int i = 0;
        int j = 0;
        while (i <= a.length() && j <= b.length()) {
            int endA = tokenEnd(a, i);
            int endB = tokenEnd(b, j);
            boolean restA = isToken(a, i, endA, '>') && endA == a.length();
            boolean restB = isToken(b, j, endB, '>') && endB == b.length();
            if (restA || restB) {
                return true;
            }
            boolean same = endA - i == endB - j && a.regionMatches(i, b, j, endA - i);
            if (!same && !isToken(a, i, endA, '*') && !isToken(b, j, endB, '*')) {
                return false;
            }
            i = endA + 1;
            j = endB + 1;
        }
        return i > a.length() && j > b.length();
    }

    /** Whether every subject that matches {@code subset} matches {@code pattern} too. */
    public static boolean isSubset(String subset, String pattern) {
        int i = 0;
        int j = 0;
        while (i <= subset.length() && j <= pattern.length()) {
            int endS = tokenEnd(subset, i);
            int endP = tokenEnd(pattern, j);
            if (isToken(pattern, j, endP, '>') && endP == pattern.length()) {
                return true;
            }
            if (isToken(subset, i, endS, '>') && endS == subset.length()) {
                return false;
            }
            boolean wild = isToken(subset, i, endS, '*');
            if (!isToken(pattern, j, endP, '*')
                    && (wild || endS - i != endP - j || !subset.regionMatches(i, pattern, j, endS - i))) {
                return false;
            }
            i = endS + 1;
            j = endP + 1;
        }
        return i > subset.length() && j > pattern.length();
    }

    private static boolean isToken(String subject, int start, int end, char token) {
        return end - start == 1 && subject.charAt(start) == token;
    }

    private static int tokenEnd(String subject, int start) {
        int end = subject.indexOf('.', start);
        return end < 0 ? subject.length() : end;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
