package io.penstock.server;

/** The process is to end. The message, if any, goes to standard error as it is. */
final class ExitException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    ExitException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
