package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How pull requests of a group compete. */
public enum PriorityPolicy {
    /** They do not. */
    NONE("none"),
    /** Some are served only above a threshold. */
    OVERFLOW("overflow"),
    /** One client gets everything while it lives. */
    PINNED_CLIENT("pinned_client"),
    /** Lower numbers first. */
    PRIORITIZED("prioritized");

    private final String wire;

    PriorityPolicy(String wire) {
        this.wire = wire;
    }

    /** The word used in JSON. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** Reads the word used in JSON. */
    @JsonCreator
    public static PriorityPolicy fromWire(String word) {
        return UnknownWordException.find(values(), PriorityPolicy::wire, word);
    }
}
