package io.penstock.consensus;

/** The entry is certainly not in the log and never will be: it may be proposed again, here or elsewhere. */
public final class NotProposedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotProposedException(String message) {
        super(message);
    }
}
