package io.penstock.server.monitor;

/** A question that cannot be answered; the message is shown to whoever asked. */
final class PageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    private final boolean elsewhere;

    /**
     * @param code like those of HTTP
     */
    PageException(int code, String message) {
        this(code, message, false);
    }

    private PageException(int code, String message, boolean elsewhere) {
        super(message, null, false, false);
        this.code = code;
        this.elsewhere = elsewhere;
    }

    /** Another node is to answer: asked alone this one refuses, asked with all others it says nothing. */
    static PageException elsewhere(int code, String message) {
        return new PageException(code, message, true);
    }

    boolean isElsewhere() {
        return elsewhere;
    }

    int code() {
        return code;
    }
}
