package io.penstock.jetstream.state;

/** What a stream of a group takes part in. */
public enum Phase {
    /** At work: takes every record. */
    SERVING,
    /** Coming from another group: takes its messages and nothing else. */
    IMPORTING,
    /** On its way to another group: takes no changes any more, can be read. */
    FENCED
}
