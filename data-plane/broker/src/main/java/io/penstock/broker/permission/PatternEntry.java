package io.penstock.broker.permission;

import io.penstock.protocol.Subjects;

/** One entry of a permission list: a subject pattern and perhaps a queue pattern. */
record PatternEntry(String subject, String queue) {

    static PatternEntry parse(String entry) {
        String text = entry.strip();
        int space = firstBlank(text);
        return space < 0
                ? new PatternEntry(text, null)
                : new PatternEntry(
                        text.substring(0, space), text.substring(space + 1).strip());
    }

    boolean matchesQueue(String name) {
        return queue.equals(name) || Subjects.matches(queue, name);
    }

    private static int firstBlank(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ' || c == '\t') {
                return i;
            }
        }
        return -1;
    }
}
