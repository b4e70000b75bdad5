package io.penstock.accountservice.sync;

import io.nats.client.AuthHandler;
import io.penstock.accountservice.operator.SystemUser;

/**
 * Logs the client in with a fresh user at every connect. At each, the client first has the node's nonce signed and then
 * asks for the token: the key is wiped between the two.
 */
final class SystemLogin implements AuthHandler {
    private final SystemUser user;
    // Guarded by this.
    private String jwt = "";

    SystemLogin(SystemUser user) {
        this.user = user;
    }

    @Override
    public synchronized byte[] sign(byte[] nonce) {
        SystemUser.Login login = user.newLogin();
        try (var pair = login.pair()) {
            jwt = login.jwt();
            return pair.sign(nonce);
        }
    }

    /** The token names the key already. */
    @Override
    public char[] getID() {
        return new char[0];
    }

    @Override
    public synchronized char[] getJWT() {
        return jwt.toCharArray();
    }
}
