package io.penstock.protocol.jetstream;

import java.io.Serial;

/** Carries an {@link ApiError} out of a check. Has no stack trace: it is an answer, not a fault. */
public final class JsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    public JsException(ApiError error) {
        super(error.description(), null, false, false);
        this.error = error;
    }

    /** The error to answer with. */
    public ApiError error() {
        return error;
    }
}
