package io.penstock.broker;

import java.util.function.Consumer;

/** Decides who a connection is. Called on the connection's event loop, so it must not block. */
public interface Authenticator {

    /** Whether INFO announces {@code auth_required}. */
    boolean announcesAuthentication(ConnectionType type);

    /** Whether INFO carries a nonce to be signed. */
    boolean needsNonce();

    /**
     * Whether a connection may begin without CONNECT: there is no authentication, or this listener has a default user.
     * If so, {@link #authenticate} is asked with {@link ConnectRequest#IMPLICIT}.
     */
    boolean acceptsImplicit(ConnectionType type);

    /**
     * Authenticates. The answer may come at once or later and from any thread, but exactly once; the connection reads
     * nothing meanwhile and its authentication timer runs on.
     */
    void authenticate(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer);
}
