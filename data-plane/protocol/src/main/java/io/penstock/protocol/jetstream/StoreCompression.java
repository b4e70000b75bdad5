package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How blocks are compressed on disk. */
public enum StoreCompression {
    /** Not at all. */
    NONE("none"),
    /** With S2. */
    S2("s2");

    private final String wire;

    StoreCompression(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static StoreCompression fromWire(String word) {
        for (StoreCompression value : values()) {
            if (value.wire.equals(word)) {
                return value;
            }
        }
        throw UnknownWordException.saying("unknown compression algorithm");
    }
}
