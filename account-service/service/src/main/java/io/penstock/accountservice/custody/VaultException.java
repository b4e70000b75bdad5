package io.penstock.accountservice.custody;

/** The key store cannot do what was asked. Messages name places, never contents. */
public final class VaultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public VaultException(String message) {
        super(message);
    }

    public VaultException(String message, Throwable cause) {
        super(message, cause);
    }
}
