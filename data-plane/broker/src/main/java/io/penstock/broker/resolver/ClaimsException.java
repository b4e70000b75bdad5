package io.penstock.broker.resolver;

/** An account JWT that cannot be taken; the message is what the sender of an update reads. */
public final class ClaimsException extends Exception {
    private static final long serialVersionUID = 1L;

    ClaimsException(String message) {
        super(message);
    }
}
