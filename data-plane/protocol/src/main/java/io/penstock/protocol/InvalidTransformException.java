package io.penstock.protocol;

/** A source and destination of a subject mapping that do not go together; the message says which rule they break. */
public final class InvalidTransformException extends Exception {
    private static final long serialVersionUID = 1L;

    public InvalidTransformException(String message) {
        super(message);
    }
}
