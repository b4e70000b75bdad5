package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What gives way at a limit. */
public enum DiscardPolicy {
    /** The oldest message. */
    OLD("old"),
    /** The new message: it is refused. */
    NEW("new");

    private final String wire;

    DiscardPolicy(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static DiscardPolicy fromWire(String word) {
        return UnknownWordException.find(values(), DiscardPolicy::wire, word);
    }
}
