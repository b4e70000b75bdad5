package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Where a consumer starts. */
public enum DeliverPolicy {
    /** At the first message. */
    ALL("all"),
    /** At the last message. */
    LAST("last"),
    /** Behind the last message. */
    NEW("new"),
    /** At a sequence. */
    BY_START_SEQUENCE("by_start_sequence"),
    /** At a time. */
    BY_START_TIME("by_start_time"),
    /** At the last message of each subject. */
    LAST_PER_SUBJECT("last_per_subject");

    private final String wire;

    DeliverPolicy(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static DeliverPolicy fromWire(String word) {
        return UnknownWordException.find(values(), DeliverPolicy::wire, word);
    }
}
