package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What has to be acknowledged. */
public enum AckPolicy {
    /** Nothing: delivering is enough. */
    NONE("none"),
    /** A message acknowledges all before it. */
    ALL("all"),
    /** Every message by itself. */
    EXPLICIT("explicit"),
    /** Answers to flow control acknowledge what came before. */
    FLOW_CONTROL("flow_control");

    private final String wire;

    AckPolicy(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static AckPolicy fromWire(String word) {
        return UnknownWordException.find(values(), AckPolicy::wire, word);
    }
}
