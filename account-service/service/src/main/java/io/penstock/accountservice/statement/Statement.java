package io.penstock.accountservice.statement;

/**
 * Who asks for what, as the control plane signed it.
 *
 * @param subject principal id of whoever started it
 * @param action name of the action
 * @param requestId id of the request
 */
public record Statement(String subject, String action, String requestId) {
    /** What the service does by itself. */
    public static final Statement SELF = new Statement("account-service", "system", "-");
}
