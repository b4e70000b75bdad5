package io.penstock.accountservice.statement;

/** A statement that does not hold. */
final class StatementRejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    StatementRejectedException(String code, String message) {
        super(message);
        this.code = code;
    }

    String code() {
        return code;
    }
}
