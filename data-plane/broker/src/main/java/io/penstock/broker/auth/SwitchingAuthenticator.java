package io.penstock.broker.auth;

import io.penstock.broker.AuthResult;
import io.penstock.broker.Authenticator;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import java.util.function.Consumer;

/** The authenticator in force, which a reload may replace. */
final class SwitchingAuthenticator implements Authenticator {
    private volatile Authenticator current;

    SwitchingAuthenticator(Authenticator first) {
        this.current = first;
    }

    void switchTo(Authenticator next) {
        current = next;
    }

    @Override
    public boolean announcesAuthentication(ConnectionType type) {
        return current.announcesAuthentication(type);
    }

    @Override
    public boolean needsNonce() {
        return current.needsNonce();
    }

    @Override
    public boolean acceptsImplicit(ConnectionType type) {
        return current.acceptsImplicit(type);
    }

    @Override
    public void authenticate(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer) {
        current.authenticate(request, connection, answer);
    }
}
