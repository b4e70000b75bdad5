package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a create request may do. */
public enum ConsumerAction {
    /** Create the consumer or update it. */
    CREATE_OR_UPDATE(""),
    /** Create it; one that exists must be identical. */
    CREATE("create"),
    /** Update one that exists. */
    UPDATE("update");

    private final String wire;

    ConsumerAction(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static ConsumerAction fromWire(String word) {
        for (ConsumerAction value : values()) {
            if (value.wire.equals(word)) {
                return value;
            }
        }
        throw UnknownWordException.saying("unknown consumer action: \"" + word + "\"");
    }
}
