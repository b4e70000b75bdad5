package io.penstock.server.log;

/** Severity of a line, least first. */
public enum Level {
    /** The protocol of connections, and the finest steps of libraries. */
    TRACE("TRC"),
    /** What a developer wants to know. */
    DEBUG("DBG"),
    /** What an operator wants to know. */
    INFO("INF"),
    /** Something to look after. */
    WARN("WRN"),
    /** Something failed. */
    ERROR("ERR"),
    /** The server cannot go on. */
    FATAL("FTL");

    private final String label;

    Level(String label) {
        this.label = label;
    }

    /** Three letters, as in the line. */
    public String label() {
        return label;
    }
}
