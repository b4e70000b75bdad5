package io.penstock.claims;

/** A token that is no valid NATS JWT: damaged, of an unknown form, badly signed or signed by the wrong kind of key. */
public final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    public InvalidTokenException(String message) {
        super(message);
    }

    public InvalidTokenException(String message, Throwable cause) {
        super(message, cause);
    }
}
