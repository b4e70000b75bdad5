package io.penstock.protocol;

/** The operations a client may send. */
enum Verb {
    PUB("pub", true),
    HPUB("hpub", true),
    SUB("sub", true),
    UNSUB("unsub", true),
    CONNECT("connect", false),
    PING("ping", false),
    PONG("pong", false),
    INFO("info", false),
    OK("+ok", false),
    ERR("-err", true);

    /** Bytes after which every verb is known. */
    static final int LONGEST = 8;

    private static final Verb[] ALL = values();
    private static final int PUB_WORD = 'p' << 16 | 'u' << 8 | 'b';
    private static final int SUB_WORD = 's' << 16 | 'u' << 8 | 'b';
    private static final int FOLD = 0x202020;

    private final String text;
    private final boolean needsBlank;

    Verb(String text, boolean needsBlank) {
        this.text = text;
        this.needsBlank = needsBlank;
    }

    int length() {
        return text.length();
    }

    /** Whether the rest of the line means nothing. */
    boolean isIdle() {
        return this == PING || this == PONG || this == OK;
    }

    /** The verb that stands whole at {@code from}, with its blank where it needs one; null when there is none. */
    static Verb at(byte[] bytes, int from, int to) {
        if (to - from >= 4) {
            int word = (bytes[from] & 0xff) << 16 | (bytes[from + 1] & 0xff) << 8 | (bytes[from + 2] & 0xff);
            int folded = word | FOLD;
            if (folded == PUB_WORD && isBlank(bytes[from + 3])) {
                return PUB;
            }
            if (folded == SUB_WORD && isBlank(bytes[from + 3])) {
                return SUB;
            }
        }
        for (Verb verb : ALL) {
            int length = verb.text.length();
            if (to - from >= length + (verb.needsBlank ? 1 : 0)
                    && verb.matches(bytes, from, length)
                    && (!verb.needsBlank || isBlank(bytes[from + length]))) {
                return verb;
            }
        }
        return null;
    }

    /** Whether the bytes so far may become a verb. */
    static boolean mayBegin(byte[] bytes, int from, int to) {
        for (Verb verb : ALL) {
            int length = verb.text.length();
            if (to - from <= length && verb.matches(bytes, from, to - from)) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(byte[] bytes, int from, int length) {
        for (int i = 0; i < length; i++) {
            byte c = bytes[from + i];
            char expected = text.charAt(i);
            boolean letter = expected >= 'a';
            if ((letter ? c | 0x20 : c) != expected) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }
}
