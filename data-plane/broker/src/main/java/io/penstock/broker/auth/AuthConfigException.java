package io.penstock.broker.auth;

/** A configuration of accounts and users that cannot be used; the message says what is wrong and how to mend it. */
public final class AuthConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    public AuthConfigException(String message) {
        super(message);
    }

    public AuthConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
