package io.penstock.broker.engine;

import io.penstock.broker.Account;
import io.penstock.broker.AuthResult;
import io.penstock.broker.Authenticator;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.Identity;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import java.util.function.Consumer;

/** Lets everybody into one account. */
final class OpenAuthenticator implements Authenticator {
    private final Account account;

    OpenAuthenticator(Account account) {
        this.account = account;
    }

    @Override
    public boolean announcesAuthentication(ConnectionType type) {
        return false;
    }

    @Override
    public boolean needsNonce() {
        return false;
    }

    @Override
    public boolean acceptsImplicit(ConnectionType type) {
        return true;
    }

    @Override
    public void authenticate(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer) {
        answer.accept(new AuthResult.Accepted(account, Identity.ANONYMOUS, Permissions.ALL, UserLimits.UNLIMITED));
    }
}
