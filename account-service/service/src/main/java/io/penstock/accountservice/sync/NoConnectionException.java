package io.penstock.accountservice.sync;

/** There is no connection to any node right now; one is being tried for all the time. */
final class NoConnectionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoConnectionException() {
        super("no connection to a node");
    }
}
