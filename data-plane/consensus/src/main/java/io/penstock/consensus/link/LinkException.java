package io.penstock.consensus.link;

/** Why a request to a peer has no answer. */
public final class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Reason {
        /** There is no link, or it broke before the answer came; the peer may have seen the request. */
        DOWN,
        /** Too much waits to be sent; the peer has not seen the request. */
        BUSY,
        /** No answer in time; the peer may have seen the request. */
        TIMEOUT,
        /** The peer says it cannot answer. */
        REFUSED
    }

    private final Reason reason;

    public LinkException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
