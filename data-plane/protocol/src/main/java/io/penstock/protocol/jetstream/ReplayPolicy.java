package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How quickly old messages are handed out. */
public enum ReplayPolicy {
    /** As quickly as possible. */
    INSTANT("instant"),
    /** At the pace at which they were stored. */
    ORIGINAL("original");

    private final String wire;

    ReplayPolicy(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static ReplayPolicy fromWire(String word) {
        return UnknownWordException.find(values(), ReplayPolicy::wire, word);
    }
}
