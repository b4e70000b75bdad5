package io.penstock.broker;

import io.penstock.broker.permission.Permissions;

/** The outcome of authentication. */
public sealed interface AuthResult {

    /** The connection is bound to {@code account}. */
    record Accepted(Account account, Identity identity, Permissions permissions, UserLimits limits)
            implements AuthResult {}

    /**
     * The connection is refused and closed.
     *
     * @param error text inside the quotes of {@code -ERR}
     * @param detail for the server's log only; never sent
     */
    record Rejected(String error, ClosedReason reason, String detail) implements AuthResult {}

    String VIOLATION = "Authorization Violation";

    /** The usual refusal: the client learns nothing but that it failed. */
    static Rejected violation(String detail) {
        return new Rejected(VIOLATION, ClosedReason.AUTHENTICATION_FAILURE, detail);
    }
}
