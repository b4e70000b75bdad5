package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** When messages leave a stream. */
public enum RetentionPolicy {
    /** Only limits remove messages. */
    LIMITS("limits"),
    /** A message leaves when every interested consumer has acknowledged it. */
    INTEREST("interest"),
    /** A message leaves with its first acknowledgement. */
    WORKQUEUE("workqueue");

    private final String wire;

    RetentionPolicy(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static RetentionPolicy fromWire(String word) {
        return UnknownWordException.find(values(), RetentionPolicy::wire, word);
    }
}
