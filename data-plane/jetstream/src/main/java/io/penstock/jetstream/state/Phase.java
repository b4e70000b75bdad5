package io.penstock.jetstream.state;

/** What a stream of a group takes part in. */
public enum Phase {
    /** At work: takes every record. */
    SERVING(0),
    /** Coming from another group: takes its messages and nothing else. */
    IMPORTING(1),
    /** On its way to another group: takes no changes any more, can be read. */
    FENCED(2);

    private final int code;

    Phase(int code) {
        this.code = code;
    }

    /** How checkpoints spell it. */
    int code() {
        return code;
    }

    static Phase of(int code) {
        for (Phase phase : values()) {
            if (phase.code == code) {
                return phase;
            }
        }
        throw new IllegalStateException("stream in unknown phase " + code + ": written by a newer version");
    }
}
