package io.penstock.controlplane.web;

import java.util.regex.Pattern;

/** What subjects look like, and when two of them meet. Pure. */
public final class SubjectPatterns {
    private static final int LONGEST = 255;
    private static final Pattern FUNCTION = Pattern.compile("\\{\\{[^{}]*}}");

    private SubjectPatterns() {}

    /** A subject, with wildcards or without. */
    public static boolean isPattern(String text) {
        if (text == null || text.isEmpty() || text.length() > LONGEST) {
            return false;
        }
        String[] tokens = text.split("\\.", -1);
        for (int i = 0; i < tokens.length; i++) {
            boolean blank = tokens[i].isEmpty() || tokens[i].chars().anyMatch(c -> c <= 0x20 || c == 0x7f);
            if (blank || (">".equals(tokens[i]) && i < tokens.length - 1)) {
                return false;
            }
        }
        return true;
    }

    /** A pattern that is not in the broker's own part of the subjects. */
    public static boolean isOwn(String text) {
        return isPattern(text) && !text.startsWith("$SYS.") && !text.startsWith("$JS.") && !text.startsWith("_INBOX.");
    }

    /** Where something is mapped to; functions such as `{{wildcard(1)}}` may stand for tokens. */
    public static boolean isDestination(String text) {
        return text.length() <= LONGEST && isPattern(FUNCTION.matcher(text).replaceAll("x"));
    }

    /** Whether everything that `inner` matches is matched by `outer`. */
    public static boolean isWithin(String inner, String outer) {
        String[] in = inner.split("\\.");
        String[] out = outer.split("\\.");
        for (int i = 0; i < out.length; i++) {
            if (">".equals(out[i])) {
                return in.length > i;
            }
            if (i >= in.length || ">".equals(in[i])) {
                return false;
            }
            if (!"*".equals(out[i]) && !out[i].equals(in[i])) {
                return false;
            }
        }
        return in.length == out.length;
    }

    /** Whether some subject is matched by both. */
    public static boolean overlap(String one, String two) {
        String[] a = one.split("\\.");
        String[] b = two.split("\\.");
        for (int i = 0; ; i++) {
            if (i == a.length || i == b.length) {
                return a.length == b.length;
            }
            if (">".equals(a[i]) || ">".equals(b[i])) {
                return true;
            }
            boolean meet = "*".equals(a[i]) || "*".equals(b[i]) || a[i].equals(b[i]);
            if (!meet) {
                return false;
            }
        }
    }
}
