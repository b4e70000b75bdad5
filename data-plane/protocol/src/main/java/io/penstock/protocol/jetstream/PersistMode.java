package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** When a publish is acknowledged. */
public enum PersistMode {
    /** After it is durable. */
    DEFAULT("default"),
    /** Possibly before it is durable. */
    ASYNC("async");

    private final String wire;

    PersistMode(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static PersistMode fromWire(String word) {
        return UnknownWordException.find(values(), PersistMode::wire, word);
    }
}
