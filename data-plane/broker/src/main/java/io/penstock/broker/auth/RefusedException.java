package io.penstock.broker.auth;

/**
 * Why a connection was refused. The text goes to the log alone: the client learns nothing but {@code Authorization
 * Violation}.
 */
class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
        // Refusals are ordinary and frequent under attack; their stack says nothing.
        super(reason, null, false, false);
    }

    /** The account has revoked the user's JWT. */
    static final class Revoked extends RefusedException {
        private static final long serialVersionUID = 1L;

        Revoked(String reason) {
            super(reason);
        }
    }
}
