package io.penstock.accountservice.sync;

import io.nats.client.AuthHandler;
import io.penstock.accountservice.operator.SystemUser;

/** Logs the client in with a fresh user at every connect. The client asks for the token first, then signs the nonce. */
final class SystemLogin implements AuthHandler {
    private final SystemUser user;
    private SystemUser.Login login;

    SystemLogin(SystemUser user) {
        this.user = user;
    }

    @Override
    public synchronized byte[] sign(byte[] nonce) {
        return current().pair().sign(nonce);
    }

    @Override
    public synchronized char[] getID() {
        return current().pair().publicKey().toCharArray();
    }

    @Override
    public synchronized char[] getJWT() {
        if (login != null) {
            login.pair().close();
        }
        login = user.newLogin();
        return login.jwt().toCharArray();
    }

    private SystemUser.Login current() {
        if (login == null) {
            login = user.newLogin();
        }
        return login;
    }
}
