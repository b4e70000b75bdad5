package io.penstock.server.monitor;

/** A question that cannot be answered; the message is shown to whoever asked. */
final class PageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * @param code like those of HTTP
     */
    PageException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
