package io.penstock.broker.sharing;

/** What is shared between accounts. */
public enum ShareKind {
    /** Messages flow from the exporting account to subscribers of the importing one. */
    STREAM,
    /** Requests flow from the importing account to responders of the exporting one, and answers come back. */
    SERVICE
}
