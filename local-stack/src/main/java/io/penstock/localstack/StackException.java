package io.penstock.localstack;

import java.io.Serial;

/** Something the person at the keyboard can mend; the message says what, where and how. */
public final class StackException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public StackException(String message) {
        super(message);
    }

    public StackException(String message, Throwable cause) {
        super(message, cause);
    }
}
