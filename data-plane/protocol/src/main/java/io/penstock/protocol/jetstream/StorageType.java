package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Where messages are kept. */
public enum StorageType {
    /** On disk. */
    FILE("file"),
    /** In memory; lost with the process. */
    MEMORY("memory");

    private final String wire;

    StorageType(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static StorageType fromWire(String word) {
        return UnknownWordException.find(values(), StorageType::wire, word);
    }
}
