package io.penstock.claims;

/** What claims need to know about subjects. */
final class SubjectRules {
    private SubjectRules() {}

    static void validate(String subject, ValidationResults results) {
        if (subject.isEmpty()) {
            results.error("subject cannot be empty");
        } else if (subject.indexOf(' ') >= 0) {
            results.error("subject '" + subject + "' cannot have spaces");
        } else if (subject.startsWith(".") || subject.endsWith(".") || subject.contains("..")) {
            results.error("subject '" + subject + "' cannot have empty tokens");
        }
    }

    static boolean hasWildcards(String subject) {
        for (String token : subject.split("\\.", -1)) {
            if (token.equals("*") || token.equals(">")) {
                return true;
            }
        }
        return false;
    }

    static boolean endsInFullWildcard(String subject) {
        return subject.equals(">") || subject.endsWith(".>");
    }

    static int tokenWildcards(String subject) {
        int count = 0;
        for (String token : subject.split("\\.", -1)) {
            if (token.equals("*")) {
                count++;
            }
        }
        return count;
    }

    /** Whether every subject the first matches is matched by the second. */
    static boolean isContainedIn(String subject, String outer) {
        String[] inner = subject.split("\\.", -1);
        String[] wide = outer.split("\\.", -1);
        for (int i = 0; i < wide.length; i++) {
            if (wide[i].equals(">")) {
                return inner.length > i;
            }
            if (i >= inner.length || inner[i].equals(">")) {
                return false;
            }
            boolean covered = wide[i].equals("*") || wide[i].equals(inner[i]);
            if (!covered) {
                return false;
            }
        }
        return inner.length == wide.length;
    }
}
