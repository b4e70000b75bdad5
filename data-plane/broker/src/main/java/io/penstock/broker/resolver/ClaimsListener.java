package io.penstock.broker.resolver;

/** Is told, on the directory's thread, when an account's claims came into force. */
public interface ClaimsListener {
    /**
     * New claims are in force.
     *
     * @param first whether the account was not loaded before
     */
    void applied(LoadedAccount account, boolean first);
}
