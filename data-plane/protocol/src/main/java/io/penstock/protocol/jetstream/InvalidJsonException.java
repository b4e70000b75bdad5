package io.penstock.protocol.jetstream;

import java.io.Serial;

/** A request body is not the JSON it should be; the message says how, in the words clients know. */
public final class InvalidJsonException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    public InvalidJsonException(String message) {
        super(message, null, false, false);
    }
}
