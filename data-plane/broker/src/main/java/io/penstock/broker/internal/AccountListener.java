package io.penstock.broker.internal;

/**
 * Is told of accounts for which JetStream is enabled. Calls come in order for one account, from any thread, and must
 * not block.
 */
public interface AccountListener {
    /** An account became known, or its JetStream limits changed. */
    void accountEnabled(String account, InternalClient client, JetStreamLimits limits);

    /** JetStream was turned off for the account; its data stays where it is. */
    void accountDisabled(String account);
}
